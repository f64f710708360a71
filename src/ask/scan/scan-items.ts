import { formatPurl } from '../../core/model/purl.ts';
import { parseVersion } from '../../core/model/version.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { ReadPolicy } from './scan-policies.ts';
import type { ReleaseStatement } from '../../core/schemas/published/statement.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { IndexNames } from '../answers/match-names.ts';
import { keepPromises } from '../answers/memory.ts';
import type { PublishedIndex } from '../answers/published-index.ts';
import { answerResolved } from '../answers/version-answer.ts';
import { findOwners, matchOwner } from '../texts/identify.ts';
import type { Entry, Item } from '../texts/text-entries.ts';
import { addComparison, compareItem } from './compare-item.ts';
import {
  createResult,
  judgeByPolicy,
  openRows,
  type ScannedVersion,
  type ReleaseScan,
} from './judge-release.ts';
import type { ScannedItem } from './scan-results.ts';

/** The results for each item of each entry, in their order, by each policy. */
export async function scanEntries(
  entries: readonly Entry[],
  policies: readonly ReadPolicy[],
  index: PublishedIndex,
): Promise<ScannedItem[]> {
  const scanner = await openScanner(index);
  const scanned: ScannedItem[] = [];

  for (const [position, entry] of entries.entries()) {
    for (const item of entry) {
      const { text, purl, file, line } = item;
      const facts = { thing: text, purl: purl && formatPurl(purl), file, line };
      const resolved = await resolveItem(scanner, item);
      for (const policy of policies) {
        const { isUnwatched, ...scan } = judgeItem(resolved, policy);
        scanned.push({ item, policy, position, isUnwatched, scan: { ...facts, ...scan } });
      }
    }
  }

  return scanned;
}

/** The index in which the items of a scan are looked up, with its names and rows. Keeps what it reads: a scan has many items of few components. */
async function openScanner(source: PublishedIndex) {
  const index = {
    ...source,
    details: keepPromises(source.details),
    statements: keepPromises(source.statements),
  };
  return { index, names: await index.names(), listRows: await openRows(index) };
}

/** The version of an item with what all policies see of it. */
interface ResolvedItem extends ScannedVersion {
  /** The address of the signed statement about the release. */
  readonly attestationUri: string | null;
  readonly comparison: ReturnType<typeof compareItem>;
}

/** Why an item is not judged. */
interface Rejection extends Pick<ReleaseScan['details'], 'component' | 'version' | 'reason'> {
  readonly status: ReleaseScan['status'];
}

async function resolveItem(
  { index, names, listRows }: Awaited<ReturnType<typeof openScanner>>,
  item: Item,
): Promise<ResolvedItem | Rejection> {
  const match = await matchItem(item, names, index);
  if (!match) {
    return { version: item.version, ...explainUnmatched(item) };
  }

  const { details, version, release } = match;
  const { component } = details;
  const unjudged = release ? undefined : explainUnjudged(item, version);
  if (unjudged) {
    return { version: item.version, component, ...unjudged };
  }

  const { answer } = await answerResolved(index, { details, version });
  // Only a release with recorded digests may have statements, the newest of which is the last.
  const statements = release?.digests ? await index.statements(component) : [];
  const newest = statements.findLast(({ statement }) => statement.predicate.version === version);
  return {
    rows: listRows(details),
    release,
    answer,
    attestationUri: newest ? findAddress(item, newest.statement) : null,
    comparison: release && compareItem(item, details, release),
  };
}

function judgeItem(resolved: ResolvedItem | Rejection, policy: ReadPolicy): ReleaseScan {
  if ('status' in resolved) {
    const { status, ...details } = resolved;
    return createResult(policy, status, details);
  }

  const { attestationUri, comparison } = resolved;
  return addComparison({ ...judgeByPolicy(policy, resolved), attestationUri }, comparison);
}

/** Why no component has the name or the package of an item. */
function explainUnmatched({ text, name, purl }: Item): Rejection {
  return (name ?? purl) === undefined
    ? { status: 'unknown', reason: `${quote(text)} cannot be read as a name or a package URL.` }
    : { status: 'not-applicable', reason: `The index does not know ${quote(text)}.` };
}

/** Why an item without a release in the index cannot be judged; undefined if its version can be. */
function explainUnjudged({ range, version }: Item, matchedVersion: string): Rejection | undefined {
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

/**
 * The address of a statement by a digest of the item, or else by the strongest digest, which is the longest:
 * `/packages/npm/%40example/agent/1.0/sha512:0f1e…/attestations/site/agent%2F1.0%2F2026-01-31`.
 */
function findAddress(
  { purl, version = '', digests = [] }: Item,
  statement: ReleaseStatement,
): string {
  const recorded = listStatedDigests(statement);
  // A statement has at least one subject.
  const strongest = recorded.toSorted((a, b) => b.length - a.length)[0]!;
  const digest = recorded.find((each) => digests.includes(each)) ?? strongest;

  const { id, component, version: listedVersion } = statement.predicate;
  // The address has no qualifiers, in which an OCI package URL names its repository: it names the component then.
  const path =
    purl && purl.type !== 'oci'
      ? [purl.type, purl.namespace, purl.name, version]
      : ['generic', component, listedVersion];
  const segments = path.filter((part) => part !== undefined).map(encodeURIComponent);
  return `/packages/${segments.join('/')}/${digest}/attestations/site/${encodeURIComponent(id)}`;
}

/** The digests of the artifacts that a statement is about, such as `sha256:73f4…`. */
export function listStatedDigests({ subject }: ReleaseStatement): string[] {
  return subject.flatMap(({ digest }) =>
    Object.entries(digest).map(([algorithm, value]) => `${algorithm}:${value}`),
  );
}

/** Without a version, an item has a component, but no release. */
function matchItem(item: Item, names: IndexNames, index: PublishedIndex) {
  return matchOwner(findOwners(item, names), item.version ?? '', index);
}

/**
 * The component and the version of the release that an item names, for the address of its statements. Throws a `QuestionError` if
 * the index lists none.
 */
export async function findItemRelease(index: PublishedIndex, item: Item) {
  const match = await matchItem(item, await index.names(), index);
  if (!match?.release) {
    throw new QuestionError('unknown', `The index lists no release ${quote(item.text)}.`);
  }

  return { component: match.details.component, version: match.release.version };
}
