import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { ReadPolicy } from './scan-policies.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import { formatList, formatNumber } from '../../core/text/wording.ts';
import type { Item } from '../texts/text-entries.ts';
import type { ReleaseScan } from './judge-release.ts';

/*
 * Each result is in one of four sets:
 * - judged: the policy is satisfied or unsatisfied;
 * - excepted: an exception lets it pass;
 * - foreign: the index does not know the name or the package;
 * - unjudged: all others, for missing facts, an unreadable name or version, a tag or a commit.
 *
 * An unwatched result is unjudged only because no source of advisories has answered. With a wrong digest or repository, it is
 * judged; with an exception, excepted.
 */

/** The result of a policy for an item. */
export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly entry: number;
}

/** All results of an entry. */
export type EntryResults = readonly [ScannedItem, ...ScannedItem[]];

export function isJudged({ status }: PolicyScan): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

/** A tag or a commit is not applicable either, but its component is known. */
export function isForeign({ status, details }: PolicyScan): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

function isUnjudged(scan: PolicyScan): boolean {
  return !isJudged(scan) && scan.status !== 'excepted' && !isForeign(scan);
}

export function listUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => isUnjudged(scan));
}

/** All results but those that are unjudged only because no source of advisories has answered. */
export function listWatched(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ isUnwatched, scan }) => !isUnwatched || !isUnjudged(scan));
}

/** The unjudged results that are named one by one. Unwatched ones share a sentence: `describeUnwatched`. */
export function listNamedUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return listWatched(listUnjudged(scanned));
}

/** Maximum number of such results that a person is shown: a document may list hundreds of thousands of entries. */
export const maxNamedUnjudged = 20;

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

/** The greater, the worse. A foreign result says less than any other. */
function rankHarm(scan: PolicyScan): number {
  return isForeign(scan) ? -1 : harmlessFirst.indexOf(scan.status);
}

/** The worst result; the first of several that are equally bad. */
export function findWorst(results: readonly ScannedItem[]): ScannedItem {
  return results.reduce((a, b) => (rankHarm(b.scan) > rankHarm(a.scan) ? b : a));
}

/** The worst result of each policy for an entry, which may have several items. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const groups = Map.groupBy(scanned, ({ entry, policy }) => `${entry} ${policy.name}`);
  return Array.from(groups.values(), findWorst);
}

/** The results of each entry, in the order of the input. */
export function groupByEntry(scanned: readonly ScannedItem[]): EntryResults[] {
  return [...Map.groupBy(scanned, ({ entry }) => entry).values()];
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
 * number of further entries, which are foreign.
 */
export function countEntries(
  entryCount: number,
  scanned: readonly ScannedItem[],
  otherCount: number,
) {
  const resultsByEntry = groupByEntry(scanned);
  const counts = { judged: 0, excepted: 0, foreign: otherCount, unjudged: 0 };
  for (const results of resultsByEntry) {
    counts[classify(results)] += 1;
  }

  return {
    entries: entryCount + otherCount,
    ...counts,
    duplicates: entryCount - resultsByEntry.length,
  };
}

/** The set of an entry. Unwatched results do not keep it from being judged, unless it has no others. */
function classify(results: EntryResults): 'judged' | 'excepted' | 'foreign' | 'unjudged' {
  if (listFailures(results).length > 0) {
    return 'judged';
  }

  const watched = listWatched(results);
  if (watched.length > 0 && watched.every(({ scan }) => isJudged(scan))) {
    return 'judged';
  }
  if (results.some(({ scan }) => scan.status === 'excepted')) {
    return 'excepted';
  }

  return results.every(({ scan }) => isForeign(scan)) ? 'foreign' : 'unjudged';
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function describeAccount(account: Account): string {
  const { entries, judged, excepted, foreign, unjudged, duplicates } = account;
  const counts: [number, string][] = [
    [judged, 'judged'],
    [excepted, 'excepted'],
    [foreign, 'not ours'],
    [unjudged, 'unknown'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
  ];
  const parts = counts.filter(([count, name]) => count > 0 || name === 'judged');
  const texts = parts.map(([count, name]) => `${formatNumber(count)} ${name}`);
  return `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}
