import { formatPurl } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { ReadPolicy } from '../../core/query/query-terms.ts';
import type { ReleaseStatement } from '../../core/schemas/published/statement.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { keepPromises } from '../answers/memory.ts';
import type { PublishedReleaseOn } from '../answers/component-on.ts';
import { findRelease } from '../answers/find-release.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { toComponentVersion } from '../answers/resolve.ts';
import { answerResolved } from '../answers/version-answer.ts';
import { findByDigest, openOwners, type FindOwners } from '../texts/identify.ts';
import type { Entry, Item } from '../texts/text-entries.ts';
import { addComparison, compareItem } from './compare-item.ts';
import {
  createResult,
  judgeByPolicy,
  openComponents,
  type OpenedComponent,
  type ReleaseScan,
} from './judge-release.ts';
import type { ScannedItem } from './scan-results.ts';

interface PolicyResult {
  readonly policy: ReadPolicy;
  readonly scan: ReleaseScan;
}

/** The results for each item of each entry, in their order, by each policy. */
export async function scanEntries(
  entries: readonly Entry[],
  policies: readonly ReadPolicy[],
  index: PublishedIndex,
): Promise<ScannedItem[]> {
  const scanner = await openScanner(index, policies);
  const scanned: ScannedItem[] = [];

  for (const [position, entry] of entries.entries()) {
    for (const item of entry) {
      const { text: thing, purl, file, line } = item;
      const itemFacts = { thing, purl: purl && formatPurl(purl), file, line };
      for (const { policy, scan } of await scanItem(scanner, item)) {
        const { isUnwatched, ...judged } = scan;
        const facts = { item, policy, entry: position, isUnwatched };
        scanned.push({ ...facts, scan: { ...itemFacts, ...judged } });
      }
    }
  }

  return scanned;
}

/** Keeps what was read and judged so far: a scan has many items of few components. */
interface Scanner {
  /** Its details are those of the opened components, so no component is read twice. */
  readonly index: PublishedIndex;
  readonly policies: readonly ReadPolicy[];
  readonly open: Awaited<ReturnType<typeof openComponents>>;
  readonly findOwners: FindOwners;
  /** The newest statement about each version of a component. */
  readonly findStatements: (component: string) => Promise<ReadonlyMap<string, ReleaseStatement>>;
}

async function openScanner(
  index: PublishedIndex,
  policies: readonly ReadPolicy[],
): Promise<Scanner> {
  const open = await openComponents(index);
  const details = async (name: string) => (await open(name))?.details;
  return {
    index: { ...index, details },
    policies,
    open,
    findOwners: await openOwners(index),
    findStatements: keepPromises((component) => readStatements(index, component)),
  };
}

async function readStatements(index: PublishedIndex, component: string) {
  const statements = await index.statements(component);
  return new Map(statements.map(({ statement }) => [statement.predicate.version, statement]));
}

interface MatchedItem {
  readonly component: OpenedComponent;
  /** The version of the item in the form of the component. */
  readonly version: string;
  /** Undefined for a version that the index does not list. */
  readonly release: PublishedReleaseOn | undefined;
}

/** The component and the release of an item; of several components with the package, one that lists the version. */
async function matchItem(
  { open, findOwners }: Pick<Scanner, 'open' | 'findOwners'>,
  item: Item,
): Promise<MatchedItem | undefined> {
  // Without a version, an item has a component, but no release.
  const itemVersion = item.version ?? '';
  const matches: MatchedItem[] = [];

  for (const owner of findOwners(item)) {
    const component = await open(owner.component);
    if (component) {
      const { releases } = component.details;
      const version = await toComponentVersion(owner, itemVersion);
      const release = findByDigest(releases, itemVersion) ?? findRelease(releases, version);
      matches.push({ component, version, release });
    }
  }

  return matches.find(({ release }) => release) ?? matches[0];
}

/** The release that an item names, with the name of its component. Throws a `QuestionError` if the index lists none. */
export async function findItemRelease(index: PublishedIndex, item: Item) {
  const open = await openComponents(index);
  const match = await matchItem({ open, findOwners: await openOwners(index) }, item);
  if (!match?.release) {
    throw new QuestionError('unknown', `The index lists no release ${quote(item.text)}.`);
  }

  return { component: match.component.details.component, version: match.release.version };
}

async function scanItem(scanner: Scanner, item: Item): Promise<readonly PolicyResult[]> {
  const match = await matchItem(scanner, item);
  if (!match) {
    return rejectItem(scanner, explainUnmatched(item), { version: item.version });
  }

  const { component, release } = match;
  const { details } = component;
  const unjudged = release ? undefined : explainUnversioned(item, match.version);
  if (unjudged) {
    const facts = { version: item.version, component: details.component };
    return rejectItem(scanner, unjudged, facts);
  }

  const version = release?.version ?? match.version;
  const { answer } = await answerResolved(scanner.index, { details, version });
  const scans = scanner.policies.map((policy) => ({
    policy,
    scan: judgeByPolicy(policy, { component, release, answer }),
  }));
  return release ? addEvidence(scanner, scans, item, component, release) : scans;
}

/** Why an item is not judged. */
type Rejection = Pick<ReleaseScan, 'status'> & Pick<ReleaseScan['details'], 'reason'>;

/** The same result for each policy. */
function rejectItem(
  { policies }: Scanner,
  { status, reason }: Rejection,
  facts: Pick<ReleaseScan['details'], 'component' | 'version'>,
): PolicyResult[] {
  return policies.map((policy) => ({
    policy,
    scan: createResult(policy, status, { ...facts, reason }),
  }));
}

/** Why no component has the name or the package of an item. */
function explainUnmatched({ text, name, purl }: Item): Rejection {
  return (name ?? purl) === undefined
    ? { status: 'unknown', reason: `${quote(text)} cannot be read as a name or a package URL.` }
    : { status: 'not-applicable', reason: `The index does not know ${quote(text)}.` };
}

/** Why an item without a release in the index cannot be judged; undefined if its version can be. */
function explainUnversioned(
  { range, version }: Item,
  matchedVersion: string,
): Rejection | undefined {
  if (version === undefined) {
    const reason =
      range === undefined
        ? 'No version is stated.'
        : `States the range ${quote(range)}, not a version.`;
    return { status: 'unknown', reason };
  }
  if (parseVersion(matchedVersion)) {
    return undefined;
  }

  const reason = `${quote(matchedVersion)} is no version; a tag or a commit may stand for any release.`;
  return { status: 'not-applicable', reason };
}

/** Adds the signed statement about the release, and what differs from its recorded values. */
async function addEvidence(
  scanner: Scanner,
  scans: readonly PolicyResult[],
  item: Item,
  component: OpenedComponent,
  release: PublishedReleaseOn,
): Promise<PolicyResult[]> {
  const { details } = component;

  // Only a release with recorded digests may have statements.
  const statements = release.digests && (await scanner.findStatements(details.component));
  const statement = statements?.get(release.version);
  const attestationUri = statement ? findAddress(item, statement) : null;
  const comparison = compareItem(item, details, release);

  return scans.map(({ policy, scan }) => ({
    policy,
    scan: addComparison({ ...scan, attestationUri }, comparison),
  }));
}

/**
 * The address of a statement by a digest of the item, or else by the strongest digest:
 * `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0%2F2026-01-31`.
 */
function findAddress(
  { purl, name = '', version = '', digests = [] }: Item,
  { subject, predicate }: ReleaseStatement,
): string {
  const recorded = subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
  // A statement has at least one subject.
  const strongest = recorded.toSorted((a, b) => b.length - a.length)[0]!;
  const digest = recorded.find((each) => digests.includes(each)) ?? strongest;

  const { type = 'generic', namespace, name: packageName = name } = purl ?? {};
  const path = [type, namespace, packageName, version].filter((part) => part !== undefined);
  const id = encodeURIComponent(predicate.id);
  return `/packages/${path.map(encodeURIComponent).join('/')}/${digest}/attestations/site/${id}`;
}
