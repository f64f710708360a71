import { addDays, countDaysBetween, type Day } from '../../core/model/dates.ts';
import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { listRuns } from '../../io/files/recorded-files.ts';
import type { Root } from '../../io/files/root.ts';

/** The runs of earlier days: the alerts of the last of them are not new today. */
export interface EarlierRuns {
  /** The day of the last run; undefined if there was none. */
  lastDay: Day | undefined;
  /** What waited after the last run. */
  lastWaits: readonly Wait[];
  /** What waited after any run. */
  allWaits: readonly Wait[];
}

export function readEarlierRuns(root: Root, day: Day): EarlierRuns {
  const runs = listRuns(root).runs.filter(({ asOf }) => asOf < day);
  const lastRun = runs.at(-1);
  return {
    lastDay: lastRun?.asOf,
    lastWaits: lastRun?.waits ?? [],
    allWaits: runs.flatMap(({ waits = [] }) => waits),
  };
}

/** A short list is reported on the second day: one in four is complete again by then. */
export function isWaitDue({ id, kind, since }: Wait, day: Day, earlier: EarlierRuns): boolean {
  const from = kind === 'list' ? addDays(since, 1) : since;
  const isNew = earlier.lastWaits.every((wait) => wait.id !== id);
  return day >= from && (isNew || isReminderDue(from, day, earlier));
}

/** Whether a reminder of a problem has become due after the last run. */
export function isReminderDue(since: Day, day: Day, { lastDay }: EarlierRuns): boolean {
  return countReminders(since, day) > countReminders(since, lastDay);
}

const daysBetweenReminders = 7;

/** The number of reminders up to a day: one on the first day of a problem, and one each week after it. */
function countReminders(since: Day, day: Day | undefined): number {
  return day === undefined || day < since
    ? 0
    : 1 + Math.floor(countDaysBetween(since, day) / daysBetweenReminders);
}
