import type { Day } from '../../core/model/dates.ts';
import { formatPurl } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { parsePolicyQuery } from '../../core/query/query-terms.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { PublishedNamedPolicy, ReadPolicy } from '../../core/schemas/published/small-files.ts';
import type { ReleaseStatement } from '../../core/schemas/published/statement.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { didYouMean } from '../../core/text/wording.ts';
import { createMemory } from '../answers/answer-index.ts';
import type { PublishedReleaseOn } from '../answers/details-on.ts';
import { findRelease } from '../answers/judge-version.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { extractVersion } from '../answers/resolve.ts';
import { judgePublished } from '../answers/version-answer.ts';
import { openOwners, type FindOwners } from '../texts/identify.ts';
import type { Entry, Item } from '../texts/text-entries.ts';
import { compareItem, type ItemComparison } from './compare-item.ts';
import { createResult, judgeByPolicy, type ReleaseScan } from './judge-release.ts';
import { openComponents, type OpenedComponent } from './opened-component.ts';

export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly entry: number;
}

interface ScanContext {
  readonly index: PublishedIndex;
  /** Today, for ages and states. */
  readonly day: Day;
}

interface PolicyResult {
  readonly policy: ReadPolicy;
  readonly scan: ReleaseScan;
}

/** The results of an item by each policy. */
interface ItemScans {
  readonly item: Item;
  readonly scans: readonly PolicyResult[];
}

/** The default policies of a scan. */
export const defaultPolicies = ['supported', 'secure'] as const;

/** The results of each policy for each statement of each entry, in this order. */
export async function scanEntries(
  entries: readonly Entry[],
  policies: readonly ReadPolicy[],
  context: ScanContext,
): Promise<ScannedItem[]> {
  const scanner = await openScanner(context, policies);
  const scanned: ScannedItem[] = [];

  for (const [position, entry] of entries.entries()) {
    const results: ItemScans[] = [];
    for (const item of entry) {
      results.push({ item, scans: await scanItem(scanner, item) });
    }

    for (const { item, scans } of listDistinctResults(results)) {
      const { text: thing, purl, file, line } = item;
      const itemFacts = { thing, purl: purl && formatPurl(purl), file, line };
      for (const { policy, scan } of scans) {
        const { isUnwatched, ...judged } = scan;
        const facts = { item, policy, entry: position, isUnwatched };
        scanned.push({ ...facts, scan: { ...itemFacts, ...judged } });
      }
    }
  }

  return scanned;
}

/** From harmless to worst. */
const byHarm: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** The rank of a result from harmless to worst. */
export function rankHarm({ status }: Pick<PolicyScan, 'status'>): number {
  return byHarm.indexOf(status);
}

/** The worst result of each policy for an entry: an entry is as bad as its worst statement. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const worst = new Map<string, ScannedItem>();
  for (const result of scanned) {
    const key = `${result.entry} ${result.policy.name}`;
    const worstResult = worst.get(key);
    if (!worstResult || rankHarm(worstResult.scan) < rankHarm(result.scan)) {
      worst.set(key, result);
    }
  }
  return [...worst.values()];
}

/**
 * An entry is known if the index knows one of its names. Names of the same release are one, and an unknown tag or digest is ignored
 * if a version of the component is known.
 */
function listDistinctResults(results: readonly ItemScans[]): readonly ItemScans[] {
  const known: [ItemScans, ReleaseScan][] = [];
  for (const result of results) {
    // The result of any policy tells which release it is about.
    const scan = result.scans[0]?.scan;
    if (scan && !isForeign(scan)) {
      known.push([result, scan]);
    }
  }
  if (known.length === 0) {
    return results.slice(0, 1);
  }

  const versioned = known.filter(([, scan]) => !isTag(scan));
  const components = new Set(versioned.map(([, { details }]) => details.component));
  const releases = new Set<string>();
  const distinct: ItemScans[] = [];

  for (const [result, scan] of known) {
    const { component, version, message } = scan.details;
    const release = JSON.stringify([component, version, message]);
    const isRepeated = isTag(scan) ? components.has(component) : releases.has(release);
    if (component === undefined || !isRepeated) {
      distinct.push(result);
    }
    if (!isTag(scan)) {
      releases.add(release);
    }
  }

  return distinct;
}

/** Whether the version is a tag or a digest that the index does not know. */
function isTag({ status }: ReleaseScan): boolean {
  return status === 'not-applicable';
}

/** Whether the index has nothing with this name. */
export function isForeign({ status, details }: ReleaseScan): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

export function isJudged({ status }: Pick<PolicyScan, 'status'>): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

/** The index, and what was read and judged so far: a scan has many items of few components. */
interface Scanner {
  readonly index: PublishedIndex;
  readonly policies: readonly ReadPolicy[];
  readonly open: Awaited<ReturnType<typeof openComponents>>;
  readonly findOwners: FindOwners;
  readonly once: ReturnType<typeof createMemory>['once'];
}

async function openScanner(
  { index, day }: ScanContext,
  policies: readonly ReadPolicy[],
): Promise<Scanner> {
  const open = await openComponents(index, day);
  const details = async (name: string) => (await open(name))?.details;
  return {
    index: { ...index, details },
    policies,
    open,
    findOwners: await openOwners(index),
    once: createMemory().once,
  };
}

interface Match {
  readonly component: OpenedComponent;
  readonly version: string;
}

/** The component of an item and the version as in the index; of several components with the package, one that lists the version. */
async function findComponent(
  { open, findOwners }: Scanner,
  item: Item,
): Promise<Match | undefined> {
  const matches: Match[] = [];
  for (const owner of findOwners(item)) {
    const component = await open(owner.component);
    if (component) {
      matches.push({ component, version: await extractVersion(owner, item.version ?? '') });
    }
  }
  return (
    matches.find(({ component, version }) => findRelease(component.details.releases, version)) ??
    matches[0]
  );
}

async function scanItem(scanner: Scanner, item: Item): Promise<readonly PolicyResult[]> {
  const match = await findComponent(scanner, item);
  const release =
    match?.component.findByDigest(item.version ?? '') ??
    (match && findRelease(match.component.details.releases, match.version));
  const unjudged = explainUnjudged(item, match, release);
  if (unjudged) {
    const { status, reason } = unjudged;
    const component = match?.component.details.component;
    return scanner.policies.map((policy) => ({
      policy,
      scan: createResult(policy, status, { version: item.version, component, reason }),
    }));
  }

  const { component, version } = match!;
  const scans = await judgeVersion(scanner, component, release?.version ?? version, release);
  return release ? addEvidence(scanner, scans, item, { component, release }) : scans;
}

/** Why an item has no version to judge; undefined if it has one. */
function explainUnjudged(
  { text, name, purl, range, version }: Item,
  match: Match | undefined,
  release: PublishedReleaseOn | undefined,
): { status: PolicyScan['status']; reason: string } | undefined {
  if ((name ?? purl) === undefined) {
    const reason = `${quote(text)} cannot be read as a name or a package URL.`;
    return { status: 'unknown', reason };
  }
  if (!match) {
    return { status: 'not-applicable', reason: `The index does not know ${quote(text)}.` };
  }
  if (version === undefined) {
    const reason =
      range === undefined
        ? 'No version is stated.'
        : `States the range ${quote(range)}, not a version.`;
    return { status: 'unknown', reason };
  }
  if (release || parseVersion(match.version)) {
    return undefined;
  }

  const reason = `${quote(match.version)} is no version; a tag or a commit may stand for any release.`;
  return { status: 'not-applicable', reason };
}

/** Adds the signed statement about the release, and what differs from its recorded values. */
async function addEvidence(
  scanner: Scanner,
  scans: readonly PolicyResult[],
  item: Item,
  { component, release }: { component: OpenedComponent; release: PublishedReleaseOn },
) {
  const { details } = component;

  // Only a release with recorded digests may have statements.
  const statements = release.digests && (await readStatements(scanner, details.component));
  const statement = statements?.get(release.version);
  const attestationUri = statement ? findAddress(item, statement) : null;
  const comparison = compareItem(item, details, release);
  return scans.map(({ policy, scan }) => ({
    policy,
    scan: addComparison({ ...scan, attestationUri }, comparison),
  }));
}

/** Judges each version once. */
function judgeVersion(
  { index, policies, once }: Scanner,
  component: OpenedComponent,
  version: string,
  release: PublishedReleaseOn | undefined,
): Promise<PolicyResult[]> {
  const { details } = component;
  return once(`${details.component}@${version}`, async () => {
    const { answer } = await judgePublished(index, details, { version });
    return policies.map((policy) => ({
      policy,
      scan: judgeByPolicy(policy, { component, release, answer }),
    }));
  });
}

/** The newest statement about each version of a component. */
function readStatements({ index, once }: Scanner, component: string) {
  return once(component, async () => {
    const statements = await index.statements(component);
    return new Map(statements.map(({ statement }) => [statement.predicate.version, statement]));
  });
}

/** The address of a statement by a digest of the item, or else by the strongest digest. */
function findAddress(
  { purl, name = '', version = '', digests = [] }: Item,
  { subject, predicate }: ReleaseStatement,
): string {
  const recorded = subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
  const strongest = recorded.toSorted((a, b) => b.length - a.length)[0]!;
  const digest = recorded.find((each) => digests.includes(each)) ?? strongest;
  const { type = 'generic', namespace, name: packageName = name } = purl ?? {};
  const path = [type, namespace, packageName, version]
    .filter((part) => part !== undefined)
    .map((part) => encodeURIComponent(part));
  return `/packages/${path.join('/')}/${digest}/attestations/site/${encodeURIComponent(predicate.id)}`;
}

function addComparison(scan: ReleaseScan, comparison: ItemComparison | undefined): ReleaseScan {
  if (!comparison) {
    return scan;
  }

  const { status, policyRemediation = '', details } = scan;
  const { isWrong, message } = comparison;
  if (!isWrong) {
    return { ...scan, details: { ...details, message } };
  }

  const hasFailed = status === 'unsatisfied';
  const reason = hasFailed ? `${message} ${details.reason}` : message;
  const remedy = `Find out where these bytes are from. ${hasFailed ? policyRemediation : ''}`;
  return {
    ...scan,
    status: 'unsatisfied',
    policyRemediation: remedy.trimEnd(),
    details: { ...details, reason, message },
  };
}

/** Parses the query of a policy, as of a day. Throws a `QuestionError` if a newer program wrote the query. */
export function parsePublishedPolicy(policy: PublishedNamedPolicy, day: Day): ReadPolicy {
  return { ...policy, selects: parsePolicyQuery(policy.query, day) };
}

/** Throws a `QuestionError`. */
export function findPolicyNamed(
  policies: readonly PublishedNamedPolicy[],
  name: string,
): PublishedNamedPolicy {
  const policy = policies.find((each) => each.name === name);
  if (policy) {
    return policy;
  }

  const names = policies.map((each) => each.name);
  throw new QuestionError('unknown', describeUnknownPolicy(name, names));
}

/** A message with a suggestion and all policies. */
export function describeUnknownPolicy(name: string, names: readonly string[]): string {
  return `There is no policy ${JSON.stringify(name)}.${didYouMean(name, names)} Policies are ${names.join(', ')}.`;
}
