import type { PublishedIndex } from '../published-index.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { Day } from '../../core/dates.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { matches } from '../../core/query/match.ts';
import type { ReadPolicy } from '../../core/schemas/published/policies-file.ts';
import { defined, quote } from '../../core/text.ts';
import { parseVersion } from '../../core/version.ts';
import { openComponents, releaseOf, type FoundRelease, type OpenedComponent } from './opened-component.ts';
import { extractVersion } from './packages.ts';
import { packageOf } from './purl.ts';
import type { Thing } from './thing.ts';

export interface ScannedThing {
  readonly thing: Thing;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
}

export interface ScanContext {
  readonly index: PublishedIndex;
  /** The day from which ages count. */
  readonly day: Day;
  /** Where the index is published, without a slash at its end. */
  readonly baseUrl: string;
}

/** For each thing what each policy says, in this order. */
export async function scanThings(
  things: readonly Thing[],
  policies: readonly ReadPolicy[],
  context: ScanContext,
): Promise<ScannedThing[]> {
  const place = await openPlace(context);
  const scanned: ScannedThing[] = [];
  for (const thing of things) {
    const scans = await place.scansOf(thing, policies);
    for (const [index, policy] of policies.entries()) scanned.push({ thing, policy, scan: scans[index]! });
  }
  return scanned;
}

interface Unknown {
  readonly reason: string;
  readonly component?: string;
}

async function openPlace({ index, day, baseUrl }: ScanContext) {
  const digests = await index.digests();
  const isSigned = digests.has('signing-key.pub');
  const open = openComponents(index, digests, day);
  const judged = new Map<string, readonly PolicyScan[]>();

  /** The component of a thing and the version as its index has it; of several that share a package, one that lists it. */
  async function find(thing: Thing): Promise<{ component: OpenedComponent; version: string } | undefined> {
    const { name, purl, version = '' } = thing;
    const own = name ?? (purl?.type === 'generic' && purl.namespace === undefined ? purl.name : undefined);
    if (own !== undefined) {
      const component = await open(own);
      return component && { component, version };
    }
    const owners = (purl && (await index.packages()).get(packageOf(purl))) ?? [];
    const found = [];
    for (const owner of owners) {
      const component = await open(owner.component);
      if (component) found.push({ component, version: await extractVersion(owner, version) });
    }
    return found.find(({ component, version }) => releaseOf(component, version)) ?? found[0];
  }

  async function scansOf(thing: Thing, policies: readonly ReadPolicy[]): Promise<readonly PolicyScan[]> {
    const found = await find(thing);
    const unknown = (why: Unknown) => policies.map((policy) => notApplicable(policy, thing, why));
    if (!found) return unknown({ reason: `The index does not know ${quote(thing.text)}.` });
    const { component, version } = found;
    if (thing.version === undefined)
      return unknown({ component: component.name, reason: 'No version is stated.' });
    if (!parseVersion(version)) {
      const reason = `${quote(version)} is no version; a tag or a commit may stand for any release.`;
      return unknown({ component: component.name, reason });
    }
    const release = releaseOf(component, version);
    if (!release) {
      return unknown({
        component: component.name,
        reason: `${component.name} has no release ${quote(version)}.`,
      });
    }
    const key = `${component.name} ${release.version}`;
    const known = judged.get(key);
    if (known) return known;
    const answer = await component.answer(release.version);
    const scans = policies.map((policy) => judgeRelease(policy, component, release, answer));
    judged.set(key, scans);
    return scans;
  }

  function judgeRelease(
    policy: ReadPolicy,
    component: OpenedComponent,
    release: FoundRelease,
    answer: VersionAnswer,
  ): PolicyScan {
    const status = matches(policy.selects, release.row) ? 'satisfied' : 'unsatisfied';
    const { move, moveTo } = whereTo(policy, component, answer, status);
    return {
      ...headOf(policy, status),
      policyRemediation: policy.isBuiltIn ? move : policy.remediation,
      attestationUri: isSigned ? `${baseUrl}/attestations/${component.name}.json` : null,
      sourcedFromUri: release.changelogUrl ?? component.changelogUrl,
      details: defined({
        component: component.name,
        version: release.version,
        reason: answer.verdict,
        supportedUntil: answer.supportedUntil,
        moveTo,
      }),
    };
  }

  return { scansOf };
}

/** What is recommended for the release, unless that does not satisfy the policy either. */
function whereTo(
  policy: ReadPolicy,
  component: OpenedComponent,
  { move, moveTo, isDeprecated }: VersionAnswer,
  status: PolicyScan['status'],
): Pick<VersionAnswer, 'move' | 'moveTo'> {
  const isElsewhere = moveTo !== undefined && moveTo.component !== component.name;
  if (status === 'satisfied' || isElsewhere) return { move, moveTo };
  const satisfies = (version = '') => {
    const release = component.releases.get(version);
    return release !== undefined && matches(policy.selects, release.row);
  };
  if (satisfies(moveTo?.version)) return { move, moveTo };
  const { name, latest } = component;
  if (latest !== undefined && satisfies(latest))
    return { move: `Move to ${latest}, the latest version.`, moveTo: { component: name, version: latest } };
  if (!moveTo && isDeprecated === true) return { move };
  return { move: `${policy.remediation} Neither the latest release of its line nor that of ${name} is one.` };
}

function notApplicable(policy: ReadPolicy, { version }: Thing, { component, reason }: Unknown): PolicyScan {
  return {
    ...headOf(policy, 'not-applicable'),
    policyRemediation: policy.remediation,
    attestationUri: null,
    sourcedFromUri: null,
    details: defined({ component, version, reason }),
  };
}

function headOf({ labels = {}, name, isBuiltIn, description }: ReadPolicy, status: PolicyScan['status']) {
  const policyUri = `/policies/${isBuiltIn ? 'built-in' : 'own'}/${name}`;
  return { labels, status, policyUri, policyDescription: description };
}
