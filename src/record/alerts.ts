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

export type Alert = ReturnType<typeof listAlerts>[number];

/**
 * What waits for a person, the sources that have failed for too long, bytes that somebody has replaced, and parts of lists that are
 * missing. A run fails if one of them is due.
 */
export function listAlerts(input: AlertInput) {
  const { day, lastRun, held, freshness, staleAfterDays, events } = input;
  const waiting = held.map(({ id, component, since, reason, versions, command }) => {
    const waited = lastRun?.waits?.some((wait) => wait.id === id);
    return {
      subject: component,
      message: `waits since ${since}: ${reason} (${formatList(versions, 5)}). If this is right: ${command}`,
      isDue: !waited || isReminderDue(since, day, lastRun),
    };
  });

  const silent = listSilent(freshness, day, staleAfterDays);
  const failing = Array.from(
    Map.groupBy(silent, ({ host, source }) => host ?? source),
    ([host, group]) => {
      const due = group.find(({ since }) => isReminderDue(since, day, lastRun));
      const isDue = due !== undefined;
      // No group is empty.
      const { source, message } = due ?? group[0]!;
      const others = group.map((each) => each.source).filter((each) => each !== source);
      if (others.length === 0) {
        return { subject: source, message: `${message}.`, isDue };
      }

      const more = `${formatCount(others.length, 'more source')} of this host: ${formatList(others, 5)}`;
      return { subject: host, message: `${source} ${message}. ${more}.`, isDue };
    },
  );

  const replaced = Array.from(events).flatMap(([subject, own]) => {
    const versions = own.flatMap(({ type, version = '' }) =>
      type === 'republished' ? version : [],
    );
    const message = `other bytes upstream than recorded: ${formatList(versions, 5)}. The recorded digests stay.`;
    return versions.length > 0 ? [{ subject, message, isDue: true }] : [];
  });
  return [...waiting, ...failing, ...replaced, ...listMissing(input)];
}

/** So many releases of a source are a part of its list. */
const leastPart = 10;

/** The parts of lists that are missing, and do not wait. */
function listMissing({ held, recorded }: AlertInput) {
  const waiting = new Set(
    held.flatMap(({ component, taken }) =>
      (taken?.withdrawnSince ?? []).map((version) => `${component} ${version}`),
    ),
  );
  return Array.from(recorded).flatMap(([component, { releases }]) => {
    const isTold = ({ version, missingSince }: (typeof releases)[number]) =>
      missingSince !== undefined && !waiting.has(`${component} ${version}`);
    const ids = new Set(releases.filter(isTold).flatMap(({ sources }) => sources));
    return Array.from(ids).flatMap((id) => {
      const own = releases.filter(({ sources }) => sources.includes(id));
      const missing = own.filter(isTold);
      const since = findEarliest(missing.map(({ missingSince }) => missingSince));
      const message = `${missing.length} of ${own.length} recorded releases are missing in its list since ${since}.`;
      const subject = `${component} (${id})`;
      return missing.length >= leastPart ? [{ subject, message, isDue: false }] : [];
    });
  });
}

/** The sources that have been without an answer for too long. One host may fail for many. */
function listSilent(freshness: Freshness, day: Day, staleAfterDays: number) {
  return Object.entries(freshness).flatMap(([component, sources]) =>
    Object.entries(sources).flatMap(([id, { answeredOn, failingSince, reason, host }]) => {
      // A package that was never listed has a wrong name, or is private.
      const since = answeredOn ? addDays(answeredOn, staleAfterDays + 1) : failingSince;
      if (failingSince === undefined || since === undefined || since > day) {
        return [];
      }

      const source = `${component} (${id})`;
      const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
      return [{ host, source, since, message: `${last}: ${reason}` }];
    }),
  );
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  return countWeeks(since, day) > (lastRun ? countWeeks(since, lastRun.asOf) : 0);
}

function countWeeks(since: Day, day: Day): number {
  return day < since ? 0 : 1 + Math.floor(countDays(since, day) / 7);
}
