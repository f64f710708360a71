import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { ReadPolicy } from './scan-policies.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { formatCount, formatList, formatNumber } from '../../core/text/wording.ts';
import type { Item } from '../texts/text-entries.ts';
import type { ReleaseScan } from './judge-release.ts';

/**
 * The set of a result, in the words of the counts:
 * - judged: the policy is satisfied or unsatisfied;
 * - excepted: an exception lets it pass;
 * - not ours: the index does not know the name or the package;
 * - unknown: all others, for missing facts, an unreadable name or version, a tag or a commit.
 *
 * An unwatched result is unknown only because no source of advisories has answered. With a wrong digest or repository, it is
 * judged; with an exception, excepted.
 */
type ResultSet = 'judged' | 'excepted' | 'not ours' | 'unknown';

/** The result of a policy for an item. */
export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly position: number;
}

/** All results of an entry. */
export type EntryResults = readonly [ScannedItem, ...ScannedItem[]];

function findSet({ status, details }: PolicyScan): ResultSet {
  switch (status) {
    case 'satisfied':
    case 'unsatisfied':
      return 'judged';
    case 'excepted':
    case 'unknown':
      return status;
    case 'not-applicable':
      // A tag or a commit is not applicable either, but its component is known.
      return details.component === undefined ? 'not ours' : 'unknown';
  }
}

/** Whether a policy or an exception decides what becomes of the item. */
export function isDecided(scan: PolicyScan): boolean {
  return ['judged', 'excepted'].includes(findSet(scan));
}

export function listUnknown(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => findSet(scan) === 'unknown');
}

/** All results but those that are unknown only because no source of advisories has answered. */
function listWatched(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ isUnwatched, scan }) => !isUnwatched || findSet(scan) !== 'unknown');
}

/** The unknown results that are named one by one. Unwatched ones share a sentence: `describeUnwatched`. */
export function listNamedUnknown(scanned: readonly ScannedItem[]): ScannedItem[] {
  return listWatched(listUnknown(scanned));
}

/** Maximum number of such results that a person is shown: a document may list hundreds of thousands of entries. */
export const maxNamedUnknown = 20;

/** A sentence with the components for which no source of advisories has answered; undefined if there are none. */
export function describeUnwatched(scanned: readonly ScannedItem[]): string | undefined {
  const unwatched = scanned.filter(({ isUnwatched }) => isUnwatched);
  // Only a component of the index can be unwatched.
  const names = [...new Set(unwatched.map(({ scan }) => scan.details.component!))].sort();
  return names.length === 0 ? undefined : describeUnknownAdvisories(formatList(names, 5));
}

const harmlessFirst: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** The greater, the worse. A result that is not ours says less than any other. */
function rankHarm(scan: PolicyScan): number {
  return findSet(scan) === 'not ours' ? -1 : harmlessFirst.indexOf(scan.status);
}

/** The worst result of each policy for an entry, which may have several items. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const groups = Map.groupBy(scanned, ({ position, policy }) => `${position} ${policy.name}`);
  return Array.from(groups.values(), (results) => listWorst(results)[0]);
}

/** The results that are equally bad, and worse than all others. */
function listWorst(results: EntryResults): EntryResults {
  const groups = Map.groupBy(results, ({ scan }) => rankHarm(scan));
  return groups.get(Math.max(...groups.keys()))!;
}

/** The results that decide about an entry: the worst ones. Unwatched results count only if there are no others. */
export function listDecisive(results: EntryResults): EntryResults {
  const [first, ...further] = listWatched(results);
  return listWorst(first ? [first, ...further] : results);
}

/** The results of each entry, in the order of the input. */
export function groupByEntry(scanned: readonly ScannedItem[]): EntryResults[] {
  return [...Map.groupBy(scanned, ({ position }) => position).values()];
}

export function listFailures(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => scan.status === 'unsatisfied');
}

/** For each entry without a failed policy, its first result with an advisory. */
export function listVulnerable(scanned: readonly ScannedItem[]): ScannedItem[] {
  const vulnerable: ScannedItem[] = [];
  for (const results of groupByEntry(scanned)) {
    const affected = results.find(({ scan }) => scan.details.advisories);
    if (affected && listFailures(results).length === 0) {
      vulnerable.push(affected);
    }
  }
  return vulnerable;
}

/** The number of entries by result. */
export type Account = ReturnType<typeof countEntries>;

/**
 * Counts entries by their results. `entryCount` includes duplicates, which have no results of their own. `otherCount` is the
 * number of further entries, which are not ours.
 */
export function countEntries(
  entryCount: number,
  scanned: readonly ScannedItem[],
  otherCount: number,
) {
  const resultsByEntry = groupByEntry(scanned);
  const counts = { judged: 0, excepted: 0, 'not ours': otherCount, unknown: 0 };
  for (const results of resultsByEntry) {
    counts[findSet(listDecisive(results)[0].scan)] += 1;
  }

  return {
    entries: entryCount + otherCount,
    ...counts,
    duplicates: entryCount - resultsByEntry.length,
  };
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function describeAccount({ entries, duplicates, ...counts }: Account): string {
  const texts = Object.entries(counts)
    .filter(([set, count]) => count > 0 || set === 'judged')
    .map(([set, count]) => `${formatNumber(count)} ${set}`);
  if (duplicates > 0) {
    texts.push(formatCount(duplicates, 'duplicate'));
  }

  return `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}
