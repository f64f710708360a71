/** Checks the clock before data is written, because a fact that is recorded on a wrong day stays, and a slow clock makes correct files look wrong. */
import { countDays, msPerDay, today, toDay, type Day } from '../core/day.ts';
import { inputError } from '../core/errors.ts';
import { formatCount } from '../core/text.ts';
import { findMedian } from '../sources/http/offsets.ts';

const advice = 'Nothing was changed. Correct the clock';

/** Throws an `InputError` if the last of these runs is over a day after the clock. The reader of the file reports invalid instants. */
export function rejectSlowClock(runs: string): void {
  // Not parsed by its schema, which rejects a day in the future.
  const [, lastAt = ''] = /"at":"([^"]+)"/.exec(runs.split('\n').at(-2) ?? '') ?? [];
  if (Date.parse(lastAt) > Date.now() + msPerDay) {
    throw inputError(
      'clock',
      `this machine says ${today()}, but the last run was on ${lastAt.slice(0, 10)}. ${advice} or, if it is right, see "The clock" in the runbook`,
    );
  }
}

interface Doubt {
  day: Day;
  /** The day of `--as-of`. */
  asOf: Day | undefined;
  /** The day of the last run. */
  lastDay: Day | undefined;
  /** How far each host that answered is ahead of the clock, in milliseconds. */
  offsets: readonly number[];
}

/** If no host answered, a run so many days after the last one is rejected. */
const longPause = 60;

/**
 * Throws an `InputError` if the median of the hosts that answered is over a day off, unless `--as-of` is today; or if no host answered after
 * a long pause, unless `--as-of` names any day. A single host may be a cache, so it cannot overrule a last run of today or yesterday.
 */
export function doubtClock({ day, asOf, lastDay, offsets }: Doubt): void {
  const median = findMedian(offsets) ?? 0;
  const isConfirmed =
    offsets.length === 1 && lastDay !== undefined && countDays(lastDay, today()) <= 1;
  if (Math.abs(median) > msPerDay && asOf !== today() && !isConfirmed) {
    const stated = toDay(new Date(Date.now() + median));
    const hosts = `${formatCount(offsets.length, 'host')} ${offsets.length === 1 ? 'says' : 'say'}`;
    throw inputError(
      'clock',
      `this machine says ${today()}, but ${hosts} ${stated}. ${advice} or, if it is right, pass --as-of ${today()}`,
    );
  }

  const pause = lastDay === undefined ? 0 : countDays(lastDay, day);
  if (offsets.length === 0 && pause >= longPause && asOf === undefined) {
    throw inputError(
      'clock',
      `this machine says ${day}, ${pause} days after the last run, and no host answered to confirm it. ${advice} or, if it is right, pass --as-of ${day}`,
    );
  }
}
