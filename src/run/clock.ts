import { addDays, findLatestDay, type Day } from '../core/model/dates.ts';
import { problem, type Finding } from '../core/schemas/finding.ts';
import { readFreshness, readRecordedData } from '../io/files/recorded-files.ts';
import type { Root } from '../io/files/root.ts';

/**
 * The reason why nothing may be recorded for a day: it is later than `today`, the day of the clock, or earlier than a recorded day.
 * Entries of a wrong day would stay forever.
 */
export function findWrongDay(
  root: Root,
  components: readonly string[],
  day: Day,
  today: Day,
): Finding | undefined {
  const consequence = 'No source was asked, nothing recorded.';
  if (day > today) {
    return problem('clock', `expected a day up to today, ${today}; got ${day}. ${consequence}`);
  }

  let latestDay = day;
  let latestFile: string | undefined;
  for (const component of components) {
    const data = readRecordedData(root, component).value;
    const freshness = readFreshness(root, component).value;
    // A malformed file is reported when its component is gathered.
    if (!data || !freshness) {
      continue;
    }

    for (const { firstSeen } of data.releases) {
      if (firstSeen !== undefined && firstSeen > latestDay) {
        latestDay = firstSeen;
        latestFile = `data/${component}.json`;
      }
    }
    for (const { answeredOn } of Object.values(freshness.sources)) {
      if (answeredOn !== undefined && answeredOn > latestDay) {
        latestDay = answeredOn;
        latestFile = `data/freshness/${component}.json`;
      }
    }
  }
  if (latestFile === undefined) {
    return undefined;
  }

  const message =
    `expected a day from ${latestDay} on, which is recorded in ${latestFile}; got ${day}. ${consequence} ` +
    'Correct the clock or --as-of, or that file if it was recorded with a wrong clock.';
  return problem('clock', message);
}

/**
 * The error of a clock that is more than a day ahead of the day that upstreams state and of the last commit; undefined also where
 * upstreams state no day. A clock that is ahead would publish verdicts of future days, and prevent later runs from recording.
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
