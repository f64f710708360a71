import { resolve } from '../resolve.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy } from '../../core/schemas/published/policies-file.ts';
import { formatPurl } from '../scan/purl.ts';
import { isJudged, parsePublishedPolicy, scanEntries, unknownPolicy } from '../scan/scan-items.ts';
import type { Item } from '../scan/items.ts';
import { acceptedForm, cachedJson, currentJson, listAs, ProblemError } from './respond.ts';
import type { Question } from './endpoint.ts';
import type { Stated } from './read-parameters.ts';

/** `POST /packages/…/policy-scans/{policy}`. */
export async function answerScan(question: Question): Promise<Response> {
  const { request, stated, index } = question;
  const form = acceptedForm(request);
  const policies = await index.policies();
  const policy = policies.find(({ name }) => name === stated['policy']);
  if (!policy) {
    const names = policies.map(({ name }) => name);
    throw new ProblemError(404, unknownPolicy(stated['policy']!, names));
  }
  const scan = await scanPackage(question, policy);
  return currentJson(request, listAs(form, [scan]), headersOf(form));
}

/** `GET /packages/…/attestations/site/{component}`. */
export async function answerEnvelopes(question: Question): Promise<Response> {
  const { request, stated, index } = question;
  const form = acceptedForm(request);
  const { component, digest } = stated as { component: string; digest: string };
  const { details } = await resolve(index, component);
  // Whatever is asked of it: what can be judged is known.
  const [policy] = await index.policies();
  const known = await scanPackage(question, policy!);
  if (!isJudged(known)) throw new ProblemError(404, known.details.reason);
  if (known.details.component !== details.component)
    throw new ProblemError(404, `The package belongs to ${known.details.component}, not to ${component}.`);
  const current = `sha256:${(await index.digests()).get(`${component}.json`)}`;
  if (digest.toLowerCase() !== current)
    throw new ProblemError(404, `${component}.json has another digest now: ${current}.`);
  const bundles = await index.attestations(component);
  if (!bundles) throw new ProblemError(404, 'This index is not signed: nobody states anything of it.');
  const envelopes = bundles.map(({ dsseEnvelope }) => dsseEnvelope);
  return cachedJson(request, listAs(form, envelopes), headersOf(form));
}

async function scanPackage({ stated, index }: Question, policy: PublishedNamedPolicy): Promise<PolicyScan> {
  const day = await index.day();
  const [scanned] = await scanEntries([[itemOf(stated)]], [parsePublishedPolicy(policy, day)], {
    index,
    day,
  });
  return scanned!.scan;
}

function itemOf({ type = '', namespace, name = '', version = '' }: Stated): Item {
  const purl = { type: type.toLowerCase(), ...(namespace !== undefined && { namespace }), name, version };
  return { text: formatPurl(purl), purl, version };
}

function headersOf(form: string): Readonly<Record<string, string>> {
  return { 'Content-Type': form, Vary: 'Accept' };
}
