import { formatNumber } from '../../core/text/wording.ts';
import type { Entry } from '../texts/text-entries.ts';
import {
  groupItems,
  isForeign,
  isJudged,
  type ItemResults,
  type ScannedItem,
} from './scan-results.ts';

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
  /** Entries without a result: always 0, unless the program has an error. */
  readonly missing: number;
}

/**
 * Counts entries by their results. `unique`: the entries that were scanned, to notice those without a result; `others`: how many
 * more are not of the index.
 */
export function countEntries(
  entries: readonly Entry[],
  unique: readonly Entry[],
  scanned: readonly ScannedItem[],
  others = 0,
): Account {
  const items = groupItems(scanned);
  const counts = { judged: 0, excepted: 0, foreign: others, unknown: 0 };
  for (const results of items) {
    counts[classify(results)] += 1;
  }

  return {
    entries: entries.length + others,
    ...counts,
    duplicates: entries.length - unique.length,
    missing: unique.length - items.length,
  };
}

function classify(results: ItemResults): 'judged' | 'excepted' | 'foreign' | 'unknown' {
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
  const texts = parts.map(([count, name]) => `${formatNumber(count)} ${name}`);
  return `${formatNumber(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}
