import { addDays, countDays, findEarliest, type Day } from '../core/day.ts';
import type { Event, Run } from '../core/schema/events.ts';
import type { Freshness, Hold, Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';

interface AlertInput {
  day: Day;
  /** The run before. */
  lastRun: Run | undefined;
  held: readonly Hold[];
  /** By component. */
  recorded: ReadonlyMap<string, Recorded>;
  freshness: Freshness;
  staleAfterDays: number;
  /** Of this run. */
  events: ReadonlyMap<string, readonly Event[]>;
}

export interface Alert {
  /** A component or a source. */
  subject: string;
  message: string;
  /** The run fails: somebody has to look. */
  isDue: boolean;
}

/**
 * What waits for a person, the sources that have failed for too long, bytes that somebody has replaced, and parts of lists that are
 * missing.
 */
export function listAlerts(input: AlertInput): Alert[] {
  return [
    ...listWaiting(input),
    ...listSilent(input),
    ...listReplaced(input),
    ...listMissing(input),
  ];
}

function listWaiting({ held, lastRun, day }: AlertInput): Alert[] {
  return held.map(({ id, component: subject, since, reason, versions, command }) => {
    const isNew = !lastRun?.waits?.some((wait) => wait.id === id);
    return {
      subject,
      message: `waits since ${since}: ${reason} (${formatList(versions, 5)}). If this is right: ${command}`,
      isDue: isNew || isReminderDue(since, day, lastRun),
    };
  });
}

/** The sources that have been without an answer for too long. Those of one host are one alert: it fails for all. */
function listSilent({ freshness, day, lastRun, staleAfterDays }: AlertInput): Alert[] {
  const silent: (Alert & { host: string })[] = [];
  for (const [component, sources] of Object.entries(freshness)) {
    for (const [id, { answeredOn, failingSince, reason, host }] of Object.entries(sources)) {
      // A package that was never listed has a wrong name, or is private.
      const since = answeredOn ? addDays(answeredOn, staleAfterDays + 1) : failingSince;
      if (failingSince === undefined || since === undefined || since > day) {
        continue;
      }

      const subject = `${component} (${id})`;
      const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
      const message = `${last}: ${reason}.`;
      const isDue = isReminderDue(since, day, lastRun);
      silent.push({ subject, message, isDue, host: host ?? subject });
    }
  }

  return Array.from(Map.groupBy(silent, ({ host }) => host).values(), (group) => {
    // No group is empty.
    const { host: _, ...alert } = group.find(({ isDue }) => isDue) ?? group[0]!;
    const others = group.map(({ subject }) => subject).filter((each) => each !== alert.subject);
    if (others.length === 0) {
      return alert;
    }

    const count = formatCount(others.length, 'more source');
    return {
      ...alert,
      message: `${alert.message} ${count} of this host: ${formatList(others, 5)}.`,
    };
  });
}

function listReplaced({ events }: AlertInput): Alert[] {
  const replaced = [...events].map(([subject, own]) => {
    const versions = own.filter(({ type }) => type === 'republished');
    return { subject, versions: versions.map(({ version = '' }) => version) };
  });
  return replaced
    .filter(({ versions }) => versions.length > 0)
    .map(({ subject, versions }) => ({
      subject,
      message: `other bytes upstream than recorded: ${formatList(versions, 5)}. The recorded digests stay.`,
      isDue: true,
    }));
}

/** So many releases of a source are a part of its list. */
const leastPart = 10;

/** The parts of lists that are missing, and do not wait. */
function listMissing({ held, recorded }: AlertInput): Alert[] {
  const alerts: Alert[] = [];
  for (const [component, { releases }] of recorded) {
    const holds = held.filter((hold) => hold.component === component);
    const waiting = new Set(holds.flatMap(({ taken }) => taken?.withdrawnSince ?? []));
    for (const id of new Set(releases.flatMap(({ sources }) => sources))) {
      const own = releases.filter(({ sources }) => sources.includes(id));
      const missing = own.filter(
        ({ version, missingSince }) => missingSince !== undefined && !waiting.has(version),
      );
      if (missing.length >= leastPart) {
        const since = findEarliest(missing.map(({ missingSince }) => missingSince));
        alerts.push({
          subject: `${component} (${id})`,
          message: `${missing.length} of ${own.length} recorded releases are missing in its list since ${since}.`,
          isDue: false,
        });
      }
    }
  }
  return alerts;
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  return countWeeks(since, day) > (lastRun ? countWeeks(since, lastRun.asOf) : 0);
}

function countWeeks(since: Day, day: Day): number {
  return day < since ? 0 : 1 + Math.floor(countDays(since, day) / 7);
}
