/** The clock is doubted before the data: what is recorded on a wrong day stays, and a slow clock makes sound files look wrong. */
import { countDays, msPerDay, today, toDay, type Day } from '../core/day.ts';
import { inputError } from '../core/errors.ts';
import { formatCount } from '../core/text.ts';
import { findMedian } from '../sources/http/offsets.ts';

const advice = 'Nothing was changed. Correct the clock';

/** Throws an `InputError` where the last of these runs is over a day after the clock. What is no instant is for its reader to tell. */
export function rejectSlowClock(runs: string): void {
  // Not by its schema, which refuses a day to come.
  const [, lastAt = ''] = /"at":"([^"]+)".*\n$/.exec(runs) ?? [];
  if (Date.parse(lastAt) > Date.now() + msPerDay) {
    throw inputError(
      'clock',
      `says ${today()}, and the last run was on ${lastAt.slice(0, 10)}. ${advice}; if it is right, see "A wrong day" in the runbook`,
    );
  }
}

interface Doubt {
  day: Day;
  /** The day that somebody asked for. */
  asOf: Day | undefined;
  /** That of the last run. */
  lastDay: Day | undefined;
  /** What each host that answered says, in milliseconds after the clock. */
  offsets: readonly number[];
}

/** Without an answer, a run so many days after the last one is doubted. */
const longPause = 60;

/**
 * Throws an `InputError` where the hosts that answered are more than a day off, by their median, unless somebody asked for today, or
 * where none answered after a long pause, unless somebody asked for any day. A single host may be a cache: it counts for less than a
 * last run of today or yesterday.
 */
export function doubtClock({ day, asOf, lastDay, offsets }: Doubt): void {
  const median = findMedian(offsets) ?? 0;
  const isConfirmed =
    offsets.length === 1 && lastDay !== undefined && countDays(lastDay, today()) <= 1;
  if (Math.abs(median) > msPerDay && asOf !== today() && !isConfirmed) {
    const stated = toDay(new Date(Date.now() + median));
    throw inputError(
      'clock',
      `says ${today()}, but by the answers of ${formatCount(offsets.length, 'host')} it is ${stated}. ${advice}; if it is right: --as-of ${today()}`,
    );
  }

  const pause = lastDay === undefined ? 0 : countDays(lastDay, day);
  if (offsets.length === 0 && pause >= longPause && asOf === undefined) {
    throw inputError(
      'clock',
      `says ${day}, ${pause} days after the last run, and no host answered that could confirm it. ${advice}; if it is right: --as-of ${day}`,
    );
  }
}
