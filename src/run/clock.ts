import { addDays, findLatestDay, type Day } from '../core/model/dates.ts';
import { problem, type Finding } from '../core/schemas/finding.ts';
import { listRuns } from '../io/files/recorded-files.ts';
import type { Root } from '../io/files/root.ts';

/**
 * The error of a day for which nothing may be recorded: one after `today`, the day of the clock, or before the last run. Entries of a
 * wrong day would stay forever.
 */
export function findWrongDay(root: Root, day: Day, today: Day): Finding[] {
  if (day > today) {
    const message = `expected a day up to today, ${today}; got ${day}. Nothing was recorded.`;
    return [problem('clock', message)];
  }

  const lastDay = listRuns(root).runs.at(-1)?.asOf;
  if (lastDay === undefined || day >= lastDay) {
    return [];
  }

  const message =
    `expected a day from ${lastDay} on, that of the last run; got ${day}. Nothing was recorded. ` +
    'Correct the clock or --as-of. If the last run had a wrong clock: git revert its commit';
  return [problem('clock', message)];
}

/**
 * The error of a clock that is more than a day ahead of both the day that upstreams state and the last commit. It is not judged if
 * upstreams state no day. A run with such a clock would publish verdicts of future days, and prevent later runs from recording.
 */
export function findClockAhead(
  day: Day,
  statedOn: Day | undefined,
  committedOn: Day | undefined,
): Finding | undefined {
  if (statedOn === undefined || day <= addDays(findLatestDay(statedOn, committedOn), 1)) {
    return undefined;
  }

  const commit = committedOn === undefined ? '' : `, and the last commit is of ${committedOn}`;
  const message = `is ahead: it shows ${day}, upstreams state ${statedOn}${commit}. Nothing was recorded. Correct it, or name the day: --as-of ${statedOn}`;
  return problem('clock', message);
}
