import { describeUnknownAdvisories } from '../../core/model/words.ts';
import type { PolicyScan } from '../../core/schemas/published/policy-scan.ts';
import type { ReadPolicy } from '../../core/query/query-terms.ts';
import { formatList, formatNumber, formatCount } from '../../core/text/wording.ts';
import type { Item } from '../texts/text-entries.ts';
import type { ReleaseScan } from './judge-release.ts';
import type { PlanMove } from '../../core/schemas/published/plan-answer.ts';

/** The result of a policy for an item. */
export interface ScannedItem extends Pick<ReleaseScan, 'isUnwatched'> {
  readonly item: Item;
  readonly policy: ReadPolicy;
  readonly scan: PolicyScan;
  /** The position of its entry in the input. */
  readonly entry: number;
}

/** Whether the index does not know the name or the package. */
export function isForeign({ status, details }: ReleaseScan): boolean {
  return status === 'not-applicable' && details.component === undefined;
}

/** Whether the index says that the policy is satisfied, or that it is not. */
export function isJudged({ status }: Pick<PolicyScan, 'status'>): boolean {
  return status === 'satisfied' || status === 'unsatisfied';
}

const harmlessFirst: readonly PolicyScan['status'][] = [
  'not-applicable',
  'satisfied',
  'excepted',
  'unknown',
  'unsatisfied',
];

/** The greater, the worse. A name that the index does not know says less than any other result. */
function rankHarm(scan: PolicyScan): number {
  return isForeign(scan) ? -1 : harmlessFirst.indexOf(scan.status);
}

/** Of equally bad results, the first. */
function findWorst(results: readonly ScannedItem[]): ScannedItem {
  return results.reduce((a, b) => (rankHarm(b.scan) > rankHarm(a.scan) ? b : a));
}

/** The worst result of each policy for an entry, which may have several items. */
export function listWorstResults(scanned: readonly ScannedItem[]): ScannedItem[] {
  const groups = Map.groupBy(scanned, ({ entry, policy }) => `${entry} ${policy.name}`);
  return Array.from(groups.values(), findWorst);
}

/** All results of an entry. */
export type EntryResults = readonly [ScannedItem, ...ScannedItem[]];

/** The results of each entry, in the order of the input. */
export function groupByEntry(scanned: readonly ScannedItem[]): EntryResults[] {
  return [...Map.groupBy(scanned, ({ entry }) => entry).values()];
}

/** The number of unjudged results that a person is shown; a document may list hundreds of thousands of entries. */
export const shownUnjudged = 20;

/** The results without a verdict or an exception: unknown ones, and tags and commits of components in the index. */
export function listUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(
    ({ scan }) => !isJudged(scan) && scan.status !== 'excepted' && !isForeign(scan),
  );
}

/** The results to name one by one: a missing source of advisories is named once for its component. */
export function listUnknown(scanned: readonly ScannedItem[]): ScannedItem[] {
  return listUnjudged(scanned).filter(({ isUnwatched }) => !isUnwatched);
}

/** A sentence with the components for which no source of advisories has answered; undefined if there are none. */
export function describeUnwatched(scanned: readonly ScannedItem[]): string | undefined {
  const unwatched = scanned.filter(({ isUnwatched }) => isUnwatched);
  // Only a component of the index can be unwatched.
  const names = [...new Set(unwatched.map(({ scan }) => scan.details.component!))].sort();
  return names.length === 0 ? undefined : describeUnknownAdvisories(formatList(names, 5));
}

/** A result of each entry that an advisory affects although no policy fails. */
export function listVulnerable(scanned: readonly ScannedItem[]): ScannedItem[] {
  const vulnerable: ScannedItem[] = [];
  for (const results of groupByEntry(scanned)) {
    const affected = results.find(({ scan }) => scan.details.advisories);
    if (affected && !results.some(({ scan }) => scan.status === 'unsatisfied')) {
      vulnerable.push(affected);
    }
  }
  return vulnerable;
}

/** The number of entries by result. */
export interface Account {
  readonly entries: number;
  readonly judged: number;
  /** An exception applies. */
  readonly excepted: number;
  /** The index does not know them. */
  readonly foreign: number;
  /** The index knows them, but cannot judge them, or they are unreadable. */
  readonly unknown: number;
  readonly duplicates: number;
}

/**
 * Counts entries by their results. `entryCount`: with duplicates, which have no results of their own; `otherCount`: of further
 * entries that the index does not know.
 */
export function countEntries(
  entryCount: number,
  scanned: readonly ScannedItem[],
  otherCount: number,
): Account {
  const resultsByEntry = groupByEntry(scanned);
  const counts = { judged: 0, excepted: 0, foreign: otherCount, unknown: 0 };
  for (const results of resultsByEntry) {
    counts[classify(results)] += 1;
  }

  return {
    entries: entryCount + otherCount,
    ...counts,
    duplicates: entryCount - resultsByEntry.length,
  };
}

/** An entry is judged if a policy fails, or if all policies are judged that do not only lack advisories. */
function classify(results: EntryResults): 'judged' | 'excepted' | 'foreign' | 'unknown' {
  const scans = results.map(({ scan }) => scan);
  const watched = results.filter(({ isUnwatched }) => !isUnwatched);
  const isFailed = scans.some(({ status }) => status === 'unsatisfied');
  if (isFailed || (watched.length > 0 && watched.every(({ scan }) => isJudged(scan)))) {
    return 'judged';
  }
  if (scans.some(({ status }) => status === 'excepted')) {
    return 'excepted';
  }

  return scans.every(isForeign) ? 'foreign' : 'unknown';
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function describeAccount(account: Account): string {
  const { entries, judged, excepted, foreign, unknown, duplicates } = account;
  const counts: [number, string][] = [
    [judged, 'judged'],
    [excepted, 'excepted'],
    [foreign, 'not ours'],
    [unknown, 'unknown'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
  ];
  const parts = counts.filter(([count, name]) => count > 0 || name === 'judged');
  const texts = parts.map(([count, name]) => `${formatNumber(count)} ${name}`);
  return `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}

/** `31 releases, 730 days`; empty for the latest. */
export function describeBehind({ releasesBehind, behind }: PolicyScan['details']): string {
  if (releasesBehind === undefined) {
    return '';
  }

  const releases = formatCount(releasesBehind, 'release');
  // Published durations have the form of ISO 8601, here with days only.
  const [, days] = /^P(\d+)D$/.exec(behind ?? '') ?? [];
  return days === undefined ? releases : `${releases}, ${formatCount(Number(days), 'day')}`;
}

/** `CVE-2026-1234 (high)`; empty if no advisory affects the release. */
export function describeAdvisories({ advisories = [], severity }: PolicyScan['details']): string {
  const rating = advisories.length > 0 && severity !== undefined ? ` (${severity})` : '';
  return `${formatList(advisories, 3)}${rating}`;
}

/** The worst status of an entry, and the policies with this status: `unsatisfied (supported)`. */
export function describeStatus(entryResults: EntryResults): string {
  // A note names the components without a source of advisories once, not in each row.
  const watched = entryResults.filter(({ isUnwatched }) => !isUnwatched);
  const results = watched.length > 0 ? watched : entryResults;
  const { status, details } = findWorst(results).scan;
  if (status === 'satisfied' || status === 'not-applicable') {
    return status;
  }

  const until = status === 'excepted' ? ` until ${details.exception?.until}` : '';
  const policies = results
    .filter(({ scan }) => scan.status === status)
    .map(({ policy }) => policy.name);
  return `${status}${until} (${policies.join(', ')})`;
}

/** The version to which the plan moves an entry, else the first that its results recommend; empty if there is none. */
export function describeTarget(results: EntryResults, move: PlanMove | undefined): string {
  const recommended = results.find(({ scan }) => scan.details.moveTo)?.scan.details.moveTo;
  const target = move?.to ?? recommended;
  return target ? [target.component, target.version].filter(Boolean).join(' ') : '';
}
