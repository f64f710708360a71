/** Finds the days on which releases came out, as exactly as they are known. */
import { createRange, findEarliest, type Day, type DayRange } from '../core/day.ts';
import type { Listed } from './listed-releases.ts';

/**
 * Returns the release day. If no date is given, the release came out after the source's last answer that did not list it, and not later
 * than the first answer that did. For example, if a source lists 1.2 on 9 March, but did not list it on 7 March, 1.2 came out between these
 * two days.
 */
export function findReleaseDay({ day, recorded }: Listed): DayRange {
  if (day !== undefined && recorded.timestampKind !== 'observed') {
    return { from: day };
  }

  const atMost = day ?? recorded.firstSeen;
  return atMost === undefined ? {} : { from: recorded.notBefore, atMost };
}

/**
 * Returns the date that a source gave and that was ignored. Undefined if no date was ignored, or if another date has been accepted since.
 */
export function findIgnoredDay({ recorded }: Listed): Day | undefined {
  return recorded.timestampKind === 'observed' ? recorded.ignoredDay : undefined;
}

/**
 * Returns the first release day. `days` are in version order. A release without an exact day may be older than all releases after it. For
 * example, if 1.1.0 came out on 9 March at the latest, and 1.1.1 on 5 March, the first day is 5 March at the latest.
 */
export function findFirstDay(days: readonly DayRange[]): DayRange {
  const earliest = findEarliest(days.map(({ from, atMost = from }) => atMost));
  const first = days.find((range) => !isExact(range) || range.from === earliest);
  return first && isExact(first) ? first : { from: days[0]?.from, atMost: earliest };
}

export function isExact({ from, atMost }: DayRange): boolean {
  return from !== undefined && atMost === undefined;
}

/** Returns a range that begins at the latest of several bounds and ends on a given day. Bounds after that day are ignored. */
export function narrow(bounds: readonly (Day | undefined)[], atMost: Day | undefined): DayRange {
  const proven = bounds.filter((day) => day !== undefined && atMost && day <= atMost);
  return createRange(proven.sort().at(-1), atMost);
}
