import { addDays, countDays, findEarliest, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Event, Run } from '../core/schema/events.ts';
import { nameSources } from '../core/schema/names.ts';
import type { Freshness, Hold, Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';

interface AlertInput {
  day: Day;
  /** The run before. */
  lastRun: Run | undefined;
  held: readonly Hold[];
  /** By component. */
  definitions: ReadonlyMap<string, Definition>;
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
  return held.map((hold) => {
    const isNew = !lastRun?.waits?.some(({ id }) => id === hold.id);
    return {
      subject: hold.component,
      message: describeHold(hold),
      isDue: isNew || isReminderDue(hold.since, day, lastRun),
    };
  });
}

export function describeHold({ since, reason, versions, command }: Hold): string {
  return `waits since ${since}: ${reason} (${formatList(versions, 5)}). If this is right: ${command}`;
}

interface HostAlert extends Alert {
  /** The host that fails; of an unknown one, the source itself. */
  host: string;
}

/** The sources that have been without an answer for too long. Those of one host are one alert: it fails for all. */
function listSilent(input: AlertInput): Alert[] {
  const byHost = Map.groupBy(findSilent(input), ({ host }) => host);
  return Array.from(byHost.values(), joinAlerts);
}

function* findSilent(input: AlertInput): Generator<HostAlert> {
  const { freshness, day, lastRun, staleAfterDays } = input;
  for (const [component, sources] of Object.entries(freshness)) {
    for (const [id, { answeredOn, failingSince, reason, host }] of Object.entries(sources)) {
      // A package that was never listed has a wrong name, or is private.
      const since = answeredOn ? addDays(answeredOn, staleAfterDays + 1) : failingSince;
      if (failingSince !== undefined && since !== undefined && since <= day) {
        const subject = `${component} (${id})`;
        const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
        const isDue = isReminderDue(since, day, lastRun);
        yield { subject, message: `${last}: ${reason}.`, isDue, host: host ?? subject };
      }
    }
  }
}

/** One that is due, if any is, with the names of the other sources. */
function joinAlerts(alerts: readonly HostAlert[]): Alert {
  // No host has none.
  const { subject, message, isDue } = alerts.find((alert) => alert.isDue) ?? alerts[0]!;
  const others = alerts.map((alert) => alert.subject).filter((other) => other !== subject);
  if (others.length === 0) {
    return { subject, message, isDue };
  }

  const count = formatCount(others.length, 'more source');
  const names = formatList(others, 5);
  return { subject, message: `${message} ${count} of this host: ${names}.`, isDue };
}

function* listReplaced({ events }: AlertInput): Generator<Alert> {
  for (const [subject, news] of events) {
    const replaced = news.filter(({ type }) => type === 'republished');
    if (replaced.length > 0) {
      const versions = formatList(
        replaced.map(({ version = '' }) => version),
        5,
      );
      const message = `other bytes upstream than recorded: ${versions}. The recorded digests stay.`;
      yield { subject, message, isDue: true };
    }
  }
}

/** So many releases of a source are a part of its list. */
const leastPart = 10;

/** The parts of lists that are missing, and do not wait; not of lists that are cut as a habit. */
function* listMissing({ definitions, held, recorded }: AlertInput): Generator<Alert> {
  for (const [component, { releases }] of recorded) {
    const named = nameSources(definitions.get(component)?.sources ?? []);
    const holds = held.filter((hold) => hold.component === component);
    const waiting = new Set(holds.flatMap(({ taken }) => taken?.withdrawnSince ?? []));
    for (const id of new Set(releases.flatMap(({ sources }) => sources))) {
      const listed = releases.filter(({ sources }) => sources.includes(id));
      const missing = listed.filter(
        ({ version, missingSince }) => missingSince !== undefined && !waiting.has(version),
      );
      if (missing.length >= leastPart && !named.get(id)?.onlyAdds) {
        const since = findEarliest(missing.map(({ missingSince }) => missingSince));
        const message = `${missing.length} of ${listed.length} recorded releases are missing in its list since ${since}.`;
        yield { subject: `${component} (${id})`, message, isDue: false };
      }
    }
  }
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  const weeks = Math.floor(countDays(since, day) / 7);
  return lastRun === undefined || lastRun.asOf < addDays(since, weeks * 7);
}
