import { addDays, countDays, type Day } from '../core/day.ts';
import type { Run } from '../core/schema/events.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';

/** A problem that needs a person. A run fails if one of its alerts is due. */
export interface Alert {
  subject: string;
  since: Day;
  message: string;
  isDue: boolean;
}

interface AlertInput {
  day: Day;
  /** The day of the run before. */
  lastDay: Day | undefined;
  held: readonly Hold[];
  /** The ids of what waited after the run before. */
  heldBefore: readonly string[];
  freshness: Freshness;
  staleAfterDays: number;
}

/** What waits for a person, and the sources that have failed for too long. */
export function listAlerts({
  day,
  lastDay,
  held,
  heldBefore,
  freshness,
  staleAfterDays,
}: AlertInput): Alert[] {
  const alerts = held.map((hold): Alert => {
    const { id, component, since, reason, versions, command } = hold;
    const examples = versions.slice(0, 5).join(', ');
    const message = `waits since ${since}: ${reason} (${examples}). If this is right: ${command}`;
    const isNew = !heldBefore.includes(id);
    return {
      subject: component,
      since,
      message,
      isDue: isNew || isReminderDue(since, day, lastDay),
    };
  });

  const silent = listSilent(freshness, day, staleAfterDays);
  for (const [cause, group] of Map.groupBy(silent, ({ host, source }) => host ?? source)) {
    const { source, since, message } = group[0]!;
    const more = group.length > 1 ? ` ${group.length - 1} more sources fail with it.` : '';
    const isDue = group.some((each) => isReminderDue(each.since, day, lastDay));
    alerts.push({ subject: cause, since, message: `${source} ${message}.${more}`, isDue });
  }
  return alerts;
}

interface Silent {
  source: string;
  host: string | undefined;
  since: Day;
  message: string;
}

/** The sources that have been without an answer for too long. One host may fail for many. */
function listSilent(freshness: Freshness, day: Day, staleAfterDays: number): Silent[] {
  const silent: Silent[] = [];
  for (const [component, sources] of Object.entries(freshness)) {
    for (const [id, { answeredOn, failingSince, reason, host }] of Object.entries(sources)) {
      // A package that was never listed has a wrong name, or is private.
      const since =
        answeredOn === undefined ? failingSince : addDays(answeredOn, staleAfterDays + 1);
      if (failingSince !== undefined && since !== undefined && since <= day) {
        const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
        silent.push({ source: `${component} (${id})`, host, since, message: `${last}: ${reason}` });
      }
    }
  }
  return silent;
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastDay: Day | undefined): boolean {
  return countWeeks(since, day) > (lastDay === undefined ? 0 : countWeeks(since, lastDay));
}

function countWeeks(since: Day, day: Day): number {
  return day < since ? 0 : 1 + Math.floor(countDays(since, day) / 7);
}

export function listHeldIds(run: Run | undefined): string[] {
  return run?.waits?.map(({ id }) => id) ?? [];
}
