/** Finds the days on which releases came out, as exactly as they are known. */
import { createRange, findEarliest, type Day, type DayRange } from '../core/day.ts';
import type { Listed } from './listed-releases.ts';

/**
 * Returns the release day. If no date is given, this is a range between two answers of the source. For example, the answer of 7 March did
 * not list 1.2, and the answer of 9 March did.
 */
export function findReleaseDay({ day, recorded }: Listed): DayRange {
  if (day !== undefined && recorded.timestampKind !== 'observed') {
    return { from: day };
  }

  const atMost = day ?? recorded.firstSeen;
  return atMost === undefined ? {} : { from: recorded.notBefore, atMost };
}

/** Returns a release date that was ignored. Undefined if another date has been accepted since. */
export function findIgnoredDay({ recorded }: Listed): Day | undefined {
  return recorded.timestampKind === 'observed' ? recorded.ignoredDay : undefined;
}

/**
 * Returns the first release day. `days`: in version order. A release without an exact day may be older than the releases after it. For
 * example, 1.1.0 came out by 9 March, and 1.1.1 on 5 March. Then the first day is 5 March at the latest.
 */
export function findFirstDay(days: readonly DayRange[]): DayRange {
  const earliest = findEarliest(days.map(({ from, atMost = from }) => atMost));
  const first = days.find((range) => !isExact(range) || range.from === earliest);
  return first && isExact(first) ? first : { from: days[0]?.from, atMost: earliest };
}

export function isExact({ from, atMost }: DayRange): boolean {
  return from !== undefined && atMost === undefined;
}

/** Returns a range that ends on `atMost` and begins at the latest of `bounds`. Bounds after `atMost` are ignored. */
export function narrow(bounds: readonly (Day | undefined)[], atMost: Day | undefined): DayRange {
  const proven = bounds.filter((day) => day !== undefined && atMost && day <= atMost);
  return createRange(proven.sort().at(-1), atMost);
}
