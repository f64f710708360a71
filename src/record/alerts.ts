import { addDays, countDays, type Day } from '../core/day.ts';
import { nameSources } from '../core/schema/names.ts';
import type {
  Event,
  Run,
  Freshness,
  Hold,
  Recorded,
  RecordedRelease,
} from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { formatCount, formatList, formatNumber } from '../core/text.ts';
import { areMissing, describeHold } from './holds.ts';

interface AlertInput {
  day: Day;
  /** The previous run. */
  lastRun: Run | undefined;
  held: readonly Hold[];
  /** The definition of each component. `recorded`: the recorded data of each component. */
  definitions: ReadonlyMap<string, Definition>;
  recorded: ReadonlyMap<string, Recorded>;
  freshness: Freshness;
  staleAfterDays: number;
  /** The events of this run. */
  events: ReadonlyMap<string, readonly Event[]>;
}

interface Alert {
  /** The component or source that the alert is about. */
  subject: string;
  message: string;
  /** Whether the run fails, because a person has to act. */
  isDue: boolean;
  /** The sources that the alert reports, such as `svc (npm:svc)`. */
  sources?: string[];
}

/**
 * Lists the alerts of a run, in this order:
 * - new holds: changes that a person must accept
 * - files that upstream replaced
 * - sources whose lists lack many recorded releases
 * - sources that have failed for too long
 * - holds from earlier runs
 */
export function listAlerts(input: AlertInput): Alert[] {
  const { held, lastRun, recorded } = input;
  const wereHeld = new Set(lastRun?.waits?.map(({ id }) => id));
  const newHolds = held.filter(({ id }) => !wereHeld.has(id));
  const formerHolds = held.filter(({ id }) => wereHeld.has(id));
  return [
    ...newHolds.map((hold) => createAlert(hold, recorded, true)),
    ...listReplaced(input),
    ...listMissing(input),
    ...listSilent(input),
    ...formerHolds.map((hold) =>
      createAlert(hold, recorded, isReminderDue(hold.since, input.day, lastRun)),
    ),
  ];
}

function createAlert(hold: Hold, recorded: ReadonlyMap<string, Recorded>, isDue: boolean): Alert {
  const { component: subject } = hold;
  const present = recorded.get(subject);
  // If upstream no longer lists the versions of this hold, nobody has to decide.
  const isOpen = !areMissing(hold, present);
  return { subject, message: describeHold(hold, present), isDue: isDue && isOpen };
}

interface HostAlert extends Required<Alert> {
  /** The host that fails. If the host is unknown, this is the source. */
  host: string;
}

/**
 * Lists the sources that have not answered for too long. Sources of the same host share an alert, because the host fails for all of them.
 */
function listSilent(input: AlertInput): Alert[] {
  const byHost = Map.groupBy(findSilent(input), ({ host }) => host);
  return Array.from(byHost.values(), joinAlerts);
}

function* findSilent(input: AlertInput): Generator<HostAlert> {
  const { freshness, day, lastRun, staleAfterDays } = input;
  for (const [component, sources] of Object.entries(freshness)) {
    for (const [id, source] of Object.entries(sources)) {
      const { answeredOn, failingSince, leftSince, reason, host } = source;
      const failedFrom = failingSince ?? leftSince;
      if (failedFrom === undefined) {
        continue;
      }

      const silentFrom = answeredOn === undefined ? failedFrom : addDays(answeredOn, 1);
      // A source that has never answered is due at once: its name is probably wrong, or the package is private.
      const hasNever = answeredOn === undefined && failingSince !== undefined;
      const stale = hasNever ? failingSince : addDays(silentFrom, staleAfterDays);
      // If no run asked the source on the days before its first failure, the source may have worked on these days. So the alert is due no
      // earlier than the day after the first failure.
      const second = addDays(failedFrom, 1);
      const since = silentFrom < failedFrom && stale < second ? second : stale;
      if (stale <= day) {
        const subject = `${component} (${id})`;
        const last = answeredOn ? `has not answered since ${answeredOn}` : 'has never answered';
        const isFirst = day < since;
        const message = isFirst
          ? `failed today: ${reason}. No run asked it after ${answeredOn}.`
          : `${last}: ${reason}.`;
        const isDue = !isFirst && isReminderDue(since, day, lastRun);
        yield { subject, message, isDue, sources: [subject], host: host ?? subject };
      }
    }
  }
}

/** Joins the alerts about the sources of one host into one alert, which names these sources. It is due if one of these alerts is due. */
function joinAlerts(alerts: readonly HostAlert[]): Alert {
  // `Map.groupBy` makes no empty group, so there is at least one alert.
  const { subject, message, isDue } = alerts.find((alert) => alert.isDue) ?? alerts[0]!;
  const sources = alerts.map((alert) => alert.subject);
  const others = sources.filter((other) => other !== subject);
  if (others.length === 0) {
    return { subject, message, isDue, sources };
  }

  const verb = others.length === 1 ? 'is' : 'are';
  const count = `${formatCount(others.length, 'more source')} of this host ${verb} silent`;
  const names = formatList(others, 5);
  return { subject, message: `${message} ${count}: ${names}.`, isDue, sources };
}

function* listReplaced({ events }: AlertInput): Generator<Alert> {
  for (const [subject, news] of events) {
    const replaced = news.filter(({ type }) => type === 'republished');
    const versions = replaced.map(({ version = '' }) => version);
    if (versions.length > 0) {
      const message = `upstream replaced the files of ${formatList(versions, 5)}. The recorded digests stay. Ask the maintainers whether they did it.`;
      yield { subject, message, isDue: true };
    }
  }
}

/** If this many releases of a source are missing, a part of the source's list is probably missing. */
const leastPart = 10;

/**
 * Reports a source if its list lacks at least ten recorded releases. At least one of them must be newly missing or withdrawn today.
 *
 * Example: `3 releases are missing today, 15 of its 52 recorded releases in all.`
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
      // A source with `onlyAdds` lists only its newest releases, so it is not reported.
      if (releases.length >= leastPart && news.length > 0 && !onlyAdds) {
        const count = present.releases.filter(isOfSource).length;
        const message = `${news.join(', ')}, ${formatNumber(releases.length)} of its ${formatNumber(count)} recorded releases in all. If its list is broken, report it to its maintainers.`;
        yield { subject: `${component} (${id})`, message, isDue: false };
      }
    }
  }
}

/** Lists the releases that no source lists, except releases whose withdrawal waits for a person's decision. */
function listUnheld({ releases }: Recorded, holds: readonly Hold[]): RecordedRelease[] {
  const waiting = new Set(holds.flatMap(({ taken }) => taken?.withdrawnSince ?? []));
  return releases.filter(
    ({ version, missingSince }) => missingSince !== undefined && !waiting.has(version),
  );
}

/** Returns an array with one text, such as `3 releases are missing today`. Empty if no release is newly missing or withdrawn. */
function describeNews(
  releases: readonly RecordedRelease[],
  state: 'missing' | 'withdrawn',
  isNew: (release: RecordedRelease) => boolean,
): string[] {
  const { length } = releases.filter(isNew);
  const verb = length === 1 ? 'is' : 'are';
  return length > 0 ? [`${formatCount(length, 'release')} ${verb} ${state} today`] : [];
}

/**
 * Tells whether an alert is due: on the first day, and then once a week. If there is no run on the seventh day, the next run reports it.
 */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  const weeks = Math.floor(countDays(since, day) / 7);
  return lastRun === undefined || lastRun.asOf < addDays(since, weeks * 7);
}
