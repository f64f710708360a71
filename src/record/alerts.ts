import { addDays, countDays, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/written.ts';
import type {
  Event,
  Run,
  Freshness,
  Hold,
  Recorded,
  RecordedRelease,
} from '../core/schema/recorded.ts';
import { nameSources } from '../core/schema/names.ts';
import { formatCount, formatList } from '../core/text.ts';
import { describeHold } from './holds.ts';

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

interface Alert {
  /** A component or a source. */
  subject: string;
  message: string;
  /** The run fails: somebody has to look. */
  isDue: boolean;
  /** The sources that it reports, as `svc (npm:svc)`. */
  sources?: string[];
}

/**
 * What waits for a person, the sources that have failed for too long, bytes that somebody has replaced, and parts of lists that are
 * missing. What is new comes first.
 */
export function listAlerts(input: AlertInput): Alert[] {
  const { held, lastRun } = input;
  const wereHeld = new Set(lastRun?.waits?.map(({ id }) => id));
  const newHolds = held.filter(({ id }) => !wereHeld.has(id));
  const formerHolds = held.filter(({ id }) => wereHeld.has(id));
  return [
    ...newHolds.map((hold) => createAlert(hold, true)),
    ...listReplaced(input),
    ...listMissing(input),
    ...listSilent(input),
    ...formerHolds.map((hold) => createAlert(hold, isReminderDue(hold.since, input.day, lastRun))),
  ];
}

function createAlert(hold: Hold, isDue: boolean): Alert {
  return { subject: hold.component, message: describeHold(hold), isDue };
}

interface HostAlert extends Required<Alert> {
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
    for (const [id, source] of Object.entries(sources)) {
      const { answeredOn, failingSince, leftSince, reason, host } = source;
      const silentFrom = answeredOn === undefined ? leftSince : addDays(answeredOn, 1);
      // A package that was asked for and never listed has a wrong name, or is private.
      const hasFailed = answeredOn === undefined && failingSince !== undefined;
      const since = hasFailed ? failingSince : silentFrom && addDays(silentFrom, staleAfterDays);
      const isSilent = failingSince !== undefined || leftSince !== undefined;
      if (isSilent && since !== undefined && since <= day) {
        const subject = `${component} (${id})`;
        const last = answeredOn ? `last answered on ${answeredOn}` : 'has never answered';
        const isDue = isReminderDue(since, day, lastRun);
        const message = `${last}: ${reason}.`;
        yield { subject, message, isDue, sources: [subject], host: host ?? subject };
      }
    }
  }
}

/** One that is due, if any is, with the names of the other sources. */
function joinAlerts(alerts: readonly HostAlert[]): Alert {
  // No host has none.
  const { subject, message, isDue } = alerts.find((alert) => alert.isDue) ?? alerts[0]!;
  const sources = alerts.map((alert) => alert.subject);
  const others = sources.filter((other) => other !== subject);
  if (others.length === 0) {
    return { subject, message, isDue, sources };
  }

  const count = formatCount(others.length, 'more source');
  const names = formatList(others, 5);
  return { subject, message: `${message} ${count} of this host: ${names}.`, isDue, sources };
}

function* listReplaced({ events }: AlertInput): Generator<Alert> {
  for (const [subject, news] of events) {
    const replaced = news.filter(({ type }) => type === 'republished');
    const versions = replaced.map(({ version = '' }) => version);
    if (versions.length > 0) {
      const message = `other bytes upstream than recorded: ${formatList(versions, 5)}. The recorded digests stay.`;
      yield { subject, message, isDue: true };
    }
  }
}

/** So many releases of a source are a part of its list. */
const leastPart = 10;

/**
 * The parts of lists that are missing and do not wait, each on a day on which more releases go missing or are withdrawn. Not of lists that
 * are cut as a habit. For example, 12 of 52 releases are missing, and 3 more from today on: "3 releases are missing today, 15 of 52 in all."
 */
function* listMissing(input: AlertInput): Generator<Alert> {
  const { definitions, held, recorded, day } = input;
  for (const [component, present] of recorded) {
    const holds = held.filter((hold) => hold.component === component);
    const missing = listUnheld(present, holds);
    for (const [id, { onlyAdds }] of nameSources(definitions.get(component)?.sources ?? [])) {
      const isOfSource = ({ sources }: RecordedRelease) => sources.includes(id);
      const releases = missing.filter(isOfSource);
      const news = [
        ...describeNews(releases, 'missing', ({ missingSince }) => missingSince === day),
        ...describeNews(releases, 'withdrawn', ({ withdrawnSince }) => withdrawnSince === day),
      ];
      if (releases.length >= leastPart && news.length > 0 && !onlyAdds) {
        const count = present.releases.filter(isOfSource).length;
        const message = `${news.join(', ')}, ${releases.length} of ${count} in all.`;
        yield { subject: `${component} (${id})`, message, isDue: false };
      }
    }
  }
}

/** The releases that no source lists, without those that wait. */
function listUnheld({ releases }: Recorded, holds: readonly Hold[]): RecordedRelease[] {
  const waiting = new Set(holds.flatMap(({ taken }) => taken?.withdrawnSince ?? []));
  return releases.filter(
    ({ version, missingSince }) => missingSince !== undefined && !waiting.has(version),
  );
}

/** `3 releases are missing today`, if there are any. */
function describeNews(
  releases: readonly RecordedRelease[],
  state: 'missing' | 'withdrawn',
  isNew: (release: RecordedRelease) => boolean,
): string[] {
  const { length } = releases.filter(isNew);
  const verb = length === 1 ? 'is' : 'are';
  return length > 0 ? [`${formatCount(length, 'release')} ${verb} ${state} today`] : [];
}

/** On the first day, and in every week after it: also if no run was on that day itself. */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  const weeks = Math.floor(countDays(since, day) / 7);
  return lastRun === undefined || lastRun.asOf < addDays(since, weeks * 7);
}
