import { requireComponent } from '../resolve.ts';
import type { Day } from '../../core/dates.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import { formatPurl } from '../../core/purl.ts';
import { defined } from '../../core/text.ts';
import { isJudged, parsePublishedPolicy, scanEntries, unknownPolicy } from '../scan/scan-items.ts';
import type { Item } from '../scan/items.ts';
import { acceptedForm, cachedJson, currentJson, listAs, noteHeader, ProblemError } from './respond.ts';
import type { Question } from './endpoint.ts';
import type { Stated } from './read-parameters.ts';

/** `POST /packages/…/policy-scans/{policy}`. */
export async function answerScan(question: Question): Promise<Response> {
  const { request, stated, index } = question;
  const form = acceptedForm(request);
  const day = await index.day();
  const policy = findPolicy(await index.policies(), stated['policy']!, day);
  const scan = await scanPackage(question, policy, day);
  return currentJson(request, listAs(form, [scan]), { ...headersOf(form), ...(await noteHeader(index)) });
}

/** As of a day. Throws a `ProblemError` that names the nearest policy. */
export function findPolicy(policies: readonly PublishedNamedPolicy[], name: string, day: Day): ReadPolicy {
  const policy = policies.find((each) => each.name === name);
  if (policy) return parsePublishedPolicy(policy, day);
  const names = policies.map((each) => each.name);
  throw new ProblemError(404, unknownPolicy(name, names));
}

/** `GET /packages/…/attestations/{instance}/{component}`. */
export async function answerEnvelopes(question: Question): Promise<Response> {
  const { request, stated, index } = question;
  const form = acceptedForm(request);
  const { component, digest, instance } = stated as { component: string; digest: string; instance: string };
  if (instance !== 'site')
    throw new ProblemError(404, `There is no storage ${JSON.stringify(instance)} here, only site.`);
  const details = await requireComponent(index, component);
  // Whatever is asked of it: what can be judged is known.
  const [policy] = await index.policies();
  const day = await index.day();
  const known = await scanPackage(question, parsePublishedPolicy(policy!, day), day);
  if (!isJudged(known)) throw new ProblemError(404, known.details.reason);
  if (known.details.component !== details.component)
    throw new ProblemError(404, `The package belongs to ${known.details.component}, not to ${component}.`);
  const current = `sha256:${(await index.digests()).get(`${component}.json`)}`;
  if (digest.toLowerCase() !== current)
    throw new ProblemError(404, `${component}.json has another digest now: ${current}.`);
  const bundles = await index.attestations(component);
  if (!bundles) throw new ProblemError(404, 'This index is not signed, so there are no statements.');
  const envelopes = bundles.map(({ dsseEnvelope }) => dsseEnvelope);
  return cachedJson(request, listAs(form, envelopes), headersOf(form));
}

/** `POST /packages/…/attestations`: what signs must not be where questions are answered. */
export function answerAttest(): never {
  const detail =
    'Nothing is signed here: the host has no signing key. The command does it with yours: npx release-index scan ITEM --attest FILE --key FILE.';
  throw new ProblemError(501, detail);
}

async function scanPackage({ stated, index }: Question, policy: ReadPolicy, day: Day): Promise<PolicyScan> {
  const [scanned] = await scanEntries([[itemOf(stated)]], [policy], { index, day });
  return scanned!.scan;
}

function itemOf({ type = '', namespace, name = '', version = '', sha256, repositoryUrl }: Stated): Item {
  const purl = { type: type.toLowerCase(), ...(namespace !== undefined && { namespace }), name, version };
  const digests = sha256 === undefined ? undefined : [sha256.toLowerCase().replace(/^(?=[^:]*$)/, 'sha256:')];
  return defined({ text: formatPurl(purl), purl, version, digests, repositoryUrl });
}

export function headersOf(form: string): Readonly<Record<string, string>> {
  return { 'Content-Type': form, Vary: 'Accept' };
}
