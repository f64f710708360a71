import { addDays, countDays, type Day } from '../core/day.ts';
import type { Event, Run } from '../core/schema/events.ts';
import type { Freshness, Hold } from '../core/schema/recorded.ts';
import { formatList } from '../core/text.ts';

/** A problem that needs a person. A run fails if one of its alerts is due. */
export interface Alert {
  subject: string;
  message: string;
  isDue: boolean;
}

interface AlertInput {
  day: Day;
  /** The run before. */
  lastRun: Run | undefined;
  held: readonly Hold[];
  freshness: Freshness;
  staleAfterDays: number;
}

/** What waits for a person, and the sources that have failed for too long. */
export function listAlerts({ day, lastRun, held, freshness, staleAfterDays }: AlertInput): Alert[] {
  const heldBefore = lastRun?.waits?.map(({ id }) => id);
  const alerts = held.map(({ id, component, since, reason, versions, command }): Alert => {
    const examples = formatList(versions, 5);
    return {
      subject: component,
      message: `waits since ${since}: ${reason} (${examples}). If this is right: ${command}`,
      isDue: !heldBefore?.includes(id) || isReminderDue(since, day, lastRun),
    };
  });

  const silent = listSilent(freshness, day, staleAfterDays);
  for (const [subject, group] of Map.groupBy(silent, ({ cause }) => cause)) {
    const more = group.length > 1 ? ` ${group.length - 1} more sources fail with it.` : '';
    const due = group.find(({ since }) => isReminderDue(since, day, lastRun));
    const { message } = due ?? group[0]!;
    alerts.push({ subject, message: `${message}.${more}`, isDue: due !== undefined });
  }
  return alerts;
}

/** Somebody has replaced bytes that readers may have. */
export function listRepublished(events: ReadonlyMap<string, readonly Event[]>): Alert[] {
  return [...events].flatMap(([subject, own]) => {
    const versions = own.flatMap(({ type, version = '' }) =>
      type === 'republished' ? version : [],
    );
    const message = `other bytes upstream than recorded: ${formatList(versions, 5)}. The recorded digests stay.`;
    return versions.length > 0 ? [{ subject, message, isDue: true }] : [];
  });
}

/** The sources that have been without an answer for too long. One host may fail for many. */
function listSilent(freshness: Freshness, day: Day, staleAfterDays: number) {
  const sources = Object.entries(freshness).flatMap(([component, own]) =>
    Object.entries(own).map(([id, facts]) => ({ source: `${component} (${id})`, ...facts })),
  );
  return sources.flatMap(({ source, answeredOn, failingSince, reason, host }) => {
    // A package that was never listed has a wrong name, or is private.
    const since = answeredOn === undefined ? failingSince : addDays(answeredOn, staleAfterDays + 1);
    if (failingSince === undefined || since === undefined || since > day) {
      return [];
    }

    const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
    return [
      { cause: host ?? source, since, message: `${host ? `${source} ` : ''}${last}: ${reason}` },
    ];
  });
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  return countWeeks(since, day) > (lastRun ? countWeeks(since, lastRun.asOf) : 0);
}

function countWeeks(since: Day, day: Day): number {
  return day < since ? 0 : 1 + Math.floor(countDays(since, day) / 7);
}
