/**
 * Checks the clock before data is written. With a wrong clock, wrong dates would be recorded for ever. With a slow clock, correct files
 * would be rejected, because their dates are in the future.
 */
import { countDays, msPerDay, today, toDay, type Day } from '../core/day.ts';
import { inputError } from '../core/errors.ts';
import { formatCount } from '../core/text.ts';
import { findMedian } from '../sources/http/offsets.ts';

const advice = 'Nothing was changed. Correct the clock';

/** Throws an `InputError` if the last run is more than a day ahead of the clock. `runs`: the lines of a file in `data/runs/`. */
export function rejectSlowClock(runs: string): void {
  // The line is not parsed by its schema, because the schema rejects a date in the future.
  const [, lastAt = ''] = /"at":"([^"]+)"/.exec(runs.split('\n').at(-2) ?? '') ?? [];
  // An invalid instant is reported later, when the file is parsed.
  if (Date.parse(lastAt) > Date.now() + msPerDay) {
    throw inputError(
      'clock',
      `this machine says ${today()}, but the last run was on ${lastAt.slice(0, 10)}. ${advice} or, if it is right, see "The clock" in the runbook`,
    );
  }
}

interface Doubt {
  day: Day;
  /** The date given by `--as-of`. */
  asOf: Day | undefined;
  /** The date of the last run. */
  lastDay: Day | undefined;
  /** For each host that answered, how many milliseconds the host is ahead of the clock. */
  offsets: readonly number[];
}

/** If no host answered, a run that comes this many days after the last run is rejected. */
const longPause = 60;

/**
 * Throws an `InputError` if the clock is probably wrong:
 * - The median offset of the hosts that answered is more than a day.
 * - The last run was at least 60 days ago, and no host answered.
 *
 * A person can confirm the date of the clock with `--as-of`. Then nothing is thrown.
 */
export function doubtClock({ day, asOf, lastDay, offsets }: Doubt): void {
  const median = findMedian(offsets) ?? 0;
  // If only one host answered, its date may come from a cache. This date is ignored if the last run was yesterday or today, because that
  // run confirms the clock.
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
