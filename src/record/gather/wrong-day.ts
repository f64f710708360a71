import { addDays, latestDay, type Day } from '../../core/model/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { Freshness } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';

/** A component with its recorded releases and freshness. */
export interface RecordedComponent {
  component: string;
  recorded: readonly RecordedRelease[];
  freshness: Freshness;
}

/**
 * Rejects a run for a wrong day, because its entries would stay forever: future releases become observed, observed days too early.
 * `today`: the day of the clock, which may be wrong itself.
 */
export function wrongDay(
  components: readonly RecordedComponent[],
  day: Day,
  today: Day,
): Finding | undefined {
  const consequence = 'No source was asked, nothing recorded.';
  if (day > today) {
    return problem('clock', `expected a day up to today, ${today}; got ${day}. ${consequence}`);
  }

  const recordedDays = components.flatMap(({ component, recorded, freshness }) => [
    ...recorded.map(({ firstSeen }) => ({ on: firstSeen, file: `data/${component}.json` })),
    ...Object.values(freshness.sources).map(({ answeredOn }) => ({
      on: answeredOn,
      file: `data/freshness/${component}.json`,
    })),
  ]);

  let latest = { on: day, file: '' };
  for (const { on = '', file } of recordedDays) {
    if (on > latest.on) {
      latest = { on, file };
    }
  }
  if (latest.file === '') {
    return undefined;
  }

  const message =
    `expected a day from ${latest.on} on, which is recorded in ${latest.file}; got ${day}. ${consequence} ` +
    'Correct the clock or --as-of, or that file if it was recorded with a wrong clock.';
  return problem('clock', message);
}

/**
 * A clock that is ahead would publish verdicts of future days, and prevent later runs from recording. Compares it with upstreams
 * and the last commit. `statedOn`: the day that upstreams state; without it, nothing contradicts the clock.
 */
export function wrongClock(
  day: Day,
  statedOn: Day | undefined,
  committedOn: Day | undefined,
): Finding | undefined {
  if (statedOn === undefined) {
    return undefined;
  }
  if (day <= addDays(latestDay(statedOn, committedOn ?? ''), 1)) {
    return undefined;
  }

  const commit = committedOn === undefined ? '' : `, and the last commit is of ${committedOn}`;
  const message = `is ahead: it shows ${day}, upstreams state ${statedOn}${commit}. Nothing was recorded. Correct it, or name the day: --as-of ${statedOn}`;
  return problem('clock', message);
}
