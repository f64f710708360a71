/** Lists what a run reports to the operator of an index, in the order in which it is printed. */
import { addDays, countDays, type Day } from '../core/day.ts';
import { asWarnings, isError, type Problem } from '../core/errors.ts';
import { formatSource, nameSources } from '../core/schema/names.ts';
import type { Freshness, Hold, Recorded, RecordedRelease, Run } from '../core/schema/recorded.ts';
import { formatCount, formatList, formatNumber } from '../core/text.ts';
import type { ComposedDay } from './compose-day.ts';
import type { Trouble } from './gather.ts';
import { areMissing, describeHold } from './holds.ts';
import { listIgnoredDays } from './ignored-days.ts';
import { listLaterEnds } from './later-ends.ts';
import { listOtherDays } from './listed-days.ts';
import { listOtherSpellings } from './other-spellings.ts';

/**
 * Lists the problems of a day. An error means that a person has to act. The order is:
 * - new holds: changes that a person must accept
 * - files that upstream replaced
 * - sources whose lists lack many recorded releases
 * - silent sources, which have failed for too long
 * - holds from earlier runs
 * - ignored release dates, other dates in own lists, and other spellings
 * - `ended` policies whose day has not come
 * - other sources that failed, notes on answers, and other sources that were postponed
 */
export function listDayProblems(composed: ComposedDay): Problem[] {
  const { run, lastRun, held, notes } = composed;
  const wereHeld = new Set(lastRun?.waits?.map(({ id }) => id));
  const newHolds = held.filter(({ id }) => !wereHeld.has(id));
  const formerHolds = held.filter(({ id }) => wereHeld.has(id));
  const silent = findSilent(composed);
  const names = new Set(silent.map(({ subject }) => subject));
  const isOther = ({ component, source }: Trouble) => !names.has(formatSource(component, source));
  return [
    ...newHolds.map((hold) => describeHeld(hold, composed, true)),
    ...listReplaced(composed),
    ...listMissing(composed),
    ...joinHosts(silent),
    ...formerHolds.map((hold) =>
      describeHeld(hold, composed, isReminderDue(hold.since, run.asOf, lastRun)),
    ),
    ...listChangeWarnings(composed),
    ...asWarnings(
      [...composed.definitions].flatMap(([name, each]) => listLaterEnds(name, each, run.asOf)),
    ),
    ...composed.failed.filter(isOther).map(describeFailed),
    ...limitNotes(notes),
    ...listPostponed(composed.postponed.filter(isOther)),
  ];
}

/** Lists the problems of a gathering, except failures and notes. `gather` prints a table of failures, and the number of notes. */
export function listGatheringProblems(composed: ComposedDay): Problem[] {
  return [
    ...composed.held.map((hold) => describeHeld(hold, composed, false)),
    ...listUnread(composed),
    ...listPostponed(composed.postponed),
    ...listChangeWarnings(composed),
  ];
}

function describeHeld(hold: Hold, { recorded }: ComposedDay, isDue: boolean): Problem {
  const { component: subject } = hold;
  const present = recorded.get(subject);
  // If the hold probably ends by itself on the next day, nobody has to decide.
  const endsAlone = areMissing(hold, present) || hold.isReturn === true;
  const level = isDue && !endsAlone ? undefined : 'warning';
  return { subject, message: describeHold(hold, present), level };
}

/** Warns about ignored release dates, other dates in own lists, and other spellings. The next run does not repeat these warnings. */
function listChangeWarnings({ changed, run }: ComposedDay): Problem[] {
  return changed.flatMap(({ component, former, recorded }) => [
    ...listIgnoredDays(component, former, recorded),
    ...listOtherDays(component, former, recorded),
    ...listOtherSpellings(component, recorded, run.asOf),
  ]);
}

interface SilentSource extends Problem {
  /** The host that fails. If the host is unknown, this is the source. */
  host: string;
}

/** Finds the sources that have not answered for too long. */
function findSilent({ freshness, run, lastRun, staleAfterDays }: ComposedDay): SilentSource[] {
  const day = run.asOf;
  return Object.entries(freshness).flatMap(([component, sources]) =>
    Object.entries(sources).flatMap(([id, source]) => {
      const silence = findSilence(source, staleAfterDays);
      if (silence === undefined || day < silence.reportedFrom) {
        return [];
      }

      const subject = formatSource(component, id);
      const isDue = day >= silence.errorFrom && isReminderDue(silence.errorFrom, day, lastRun);
      const message = describeSilence(source, day < silence.errorFrom);
      const { host = subject } = source;
      return { subject, message, level: isDue ? undefined : 'warning', host };
    }),
  );
}

type Source = Freshness[string][string];

/**
 * Finds the first day on which a silent source is reported, and the first day on which its silence is an error. Undefined if the source
 * answered when it was last asked. With `staleAfterDays` 3:
 *
 * | last answer | fails from | reported from | error from |                                                              |
 * | ----------- | ---------- | ------------- | ---------- | ------------------------------------------------------------ |
 * | 1 June      | 2 June     | 5 June        | 5 June     |                                                              |
 * | never       | 2 June     | 2 June        | 2 June     | its name is probably wrong, or the package is private        |
 * | 1 June      | 9 June     | 9 June        | 10 June    | no run asked it from 2 to 8 June, when it may have worked    |
 */
function findSilence(
  { answeredOn, failingSince, leftSince }: Source,
  staleAfterDays: number,
): { reportedFrom: Day; errorFrom: Day } | undefined {
  const failedFrom = failingSince ?? leftSince;
  if (failedFrom === undefined) {
    return undefined;
  }
  if (answeredOn === undefined) {
    const from = failingSince ?? addDays(failedFrom, staleAfterDays);
    return { reportedFrom: from, errorFrom: from };
  }

  const silentFrom = addDays(answeredOn, 1);
  const staleFrom = addDays(silentFrom, staleAfterDays);
  const reportedFrom = staleFrom < failedFrom ? failedFrom : staleFrom;
  const secondDay = addDays(failedFrom, 1);
  const isAsked = silentFrom === failedFrom;
  return { reportedFrom, errorFrom: isAsked || staleFrom > secondDay ? staleFrom : secondDay };
}

function describeSilence({ answeredOn, reason }: Source, isFirst: boolean): string {
  if (answeredOn === undefined) {
    return `has never answered: ${reason}.`;
  }
  return isFirst
    ? `failed today: ${reason}. No run asked it after ${answeredOn}.`
    : `has not answered since ${answeredOn}: ${reason}.`;
}

/** Joins the silent sources of each host into one problem, because the host fails for all of them. It is an error if one of them is. */
function joinHosts(silent: readonly SilentSource[]): Problem[] {
  const byHost = Map.groupBy(silent, ({ host }) => host);
  return Array.from(byHost.values(), joinSources);
}

function joinSources(silent: readonly SilentSource[]): Problem {
  // `Map.groupBy` makes no empty group, so there is at least one source.
  const { subject, message, level } = silent.find(isError) ?? silent[0]!;
  const others = silent.map((source) => source.subject).filter((other) => other !== subject);
  if (others.length === 0) {
    return { subject, message, level };
  }

  const verb = others.length === 1 ? 'is' : 'are';
  const count = `${formatCount(others.length, 'more source')} of this host ${verb} silent`;
  const names = formatList(others, 5);
  return { subject, message: `${message} ${count}: ${names}.`, level };
}

function* listReplaced({ events }: ComposedDay): Generator<Problem> {
  for (const [subject, news] of events) {
    const replaced = news.filter(({ type }) => type === 'republished');
    const versions = replaced.map(({ version = '' }) => version);
    if (versions.length > 0) {
      const message = `upstream replaced the files of ${formatList(versions, 5)}. The recorded digests stay. Ask the maintainers whether they did it.`;
      yield { subject, message };
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
function* listMissing({ definitions, held, recorded, run }: ComposedDay): Generator<Problem> {
  const day = run.asOf;
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
        yield { subject: formatSource(component, id), message, level: 'warning' };
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
 * Tells whether a reminder is due: on the first day, and then once a week. If there is no run on the seventh day, the next run reports it.
 */
function isReminderDue(since: Day, day: Day, lastRun: Run | undefined): boolean {
  const weeks = Math.floor(countDays(since, day) / 7);
  return lastRun === undefined || lastRun.asOf < addDays(since, weeks * 7);
}

/** Warns about the failed sources from which nothing is recorded. */
function listUnread(composed: ComposedDay): Problem[] {
  const unread = findUnread(composed, composed.failed);
  if (unread.length === 0) {
    return [];
  }

  const sources = unread.map(({ component, source }) => formatSource(component, source));
  const message = `never answered, so nothing is recorded from them: ${formatList(sources, 5)}`;
  return [{ subject: 'sources', message, level: 'warning' }];
}

/** Finds the sources from which nothing is recorded, because they have never answered. */
export function findUnread(
  { freshness, recorded }: ComposedDay,
  troubles: readonly Trouble[],
): Trouble[] {
  return troubles.filter(({ component, source }) => {
    const releases = recorded.get(component)?.releases ?? [];
    // Releases with empty `sources` were entered by a person. They count as recorded, too. After an incomplete first answer, `answeredOn`
    // is still absent, so the recorded releases are also tested.
    const isRecorded = releases.some(
      ({ sources }) => sources.length === 0 || sources.includes(source),
    );
    return !isRecorded && !freshness[component]?.[source]?.answeredOn;
  });
}

function describeFailed({ component, source, reason }: Trouble): Problem {
  const message = `${reason}. Recorded data stays.`;
  return { subject: formatSource(component, source), message, level: 'notice' };
}

/** Counts the postponed sources of each host whose rate limit is used up. */
function listPostponed(postponed: readonly Trouble[]): Problem[] {
  const byHost = Map.groupBy(postponed, ({ host = 'sources' }) => host);
  return Array.from(byHost, ([subject, sources]) => {
    const count = formatCount(sources.length, 'source');
    const message = `postponed ${count}, which the next run asks first: ${sources[0]!.reason}.`;
    return { subject, message, level: 'warning' };
  });
}

/** The number of notes that are shown for each source. */
const shownNotes = 5;

/** Lists the first notes on each source, and says how many more there are. */
export function limitNotes(notes: readonly Problem[]): Problem[] {
  const bySource = Map.groupBy(notes, ({ subject }) => subject);
  return [...bySource].flatMap(([subject, own]) => {
    const more = own.length - shownNotes;
    const message = `and ${formatCount(more, 'more note')}`;
    const rest: Problem[] = more > 0 ? [{ subject, message, level: 'notice' }] : [];
    return [...own.slice(0, shownNotes), ...rest];
  });
}
