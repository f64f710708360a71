import { grouped } from '../../core/text.ts';
import type { Entry } from './items.ts';
import { isForeign, isJudged, type ScannedItem } from './scan-items.ts';

/** As many as a person reads; a document may list hundreds of thousands of things. */
export const shownUnjudged = 20;

/** What the index knows, or cannot read, and cannot judge. */
export function listUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => !isJudged(scan) && scan.status !== 'excepted' && !isForeign(scan));
}

/** How many entries of the input came to what. */
export interface Account {
  readonly entries: number;
  readonly judged: number;
  /** An exception lets them pass. */
  readonly excepted: number;
  /** The index does not know them. */
  readonly foreign: number;
  /** The index knows them, but cannot judge them, or they cannot be read. */
  readonly unknown: number;
  readonly duplicates: number;
  /** Entries without a result, of which there are none unless the program is wrong. */
  readonly missing: number;
}

/** Counted from the results, so that no entry gets lost on the way to them. The worst result of an entry counts. */
export function accountFor(
  entries: readonly Entry[],
  unique: readonly Entry[],
  scanned: readonly ScannedItem[],
): Account {
  const byItem = Map.groupBy(scanned, ({ item }) => item);
  const counts = { judged: 0, excepted: 0, foreign: 0, unknown: 0 };
  for (const entry of unique) {
    const scans = entry.flatMap((item) => byItem.get(item) ?? []).map(({ scan }) => scan);
    if (scans.length === 0) continue;
    const isFailed = scans.some(({ status }) => status === 'unsatisfied');
    if (isFailed || scans.every(isJudged)) counts.judged += 1;
    else if (scans.some(({ status }) => status === 'excepted')) counts.excepted += 1;
    else if (scans.every(isForeign)) counts.foreign += 1;
    else counts.unknown += 1;
  }
  const found = counts.judged + counts.excepted + counts.foreign + counts.unknown;
  const duplicates = entries.length - unique.length;
  return { entries: entries.length, ...counts, duplicates, missing: unique.length - found };
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function accountSentence(account: Account): string {
  const { entries, judged, excepted, foreign, unknown, duplicates, missing } = account;
  const counts: [number, string][] = [
    [judged, 'judged'],
    [excepted, 'excepted'],
    [foreign, 'not ours'],
    [unknown, 'unknown'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [missing, 'without a result'],
  ];
  const parts = counts.filter(([count, name]) => count > 0 || name === 'judged');
  const texts = parts.map(([count, name]) => `${grouped(count)} ${name}`);
  return `${grouped(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}
