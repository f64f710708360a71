import type { Phase } from '../schemas/definition/phase.ts';
import type { Reason } from '../schemas/published/reason.ts';
import type { TimestampKind } from '../schemas/recorded/recorded.ts';
import { countDaysBetween, dayAfter, findStatedDay, oldestFirst, type Day } from './dates.ts';
import { hasEnded, findLastFreePhase, findPhaseOn } from './phases.ts';
import { joinInVersionOrder } from './version.ts';

/**
 * The states of a version or a release line on a day. For a version, a state takes precedence over those after it, except that a
 * prerelease which is not withdrawn, ended or deprecated has no promise. The last three are for versions that the index does not list.
 */
export const states = [
  'withdrawn',
  'ended',
  'deprecated',
  'may-have-ended',
  'ends-soon',
  'supported',
  'no-promise',
  'not-listed',
  'not-released',
  'unknown-line',
] as const;
export type State = (typeof states)[number];

/** The states of a component, by the answers of its sources. */
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;
export type FreshnessState = (typeof freshnessStates)[number];

/** The state on a day: `live` becomes `stale` if the last check is older than the site tolerates. */
export function computeFreshness(
  state: FreshnessState,
  lastCheck: Day | undefined,
  day: Day,
  staleAfterDays: number,
): FreshnessState {
  const isCheckOld = countDaysBetween(lastCheck ?? day, day) > staleAfterDays;
  return state === 'live' && isCheckOld ? 'stale' : state;
}

/** The facts that decide the state of a release. They hold on every day. */
export interface ReleaseFacts {
  readonly version: string;
  readonly isPrerelease: boolean;
  readonly releaseTimestamp?: string | undefined;
  readonly timestampKind?: TimestampKind | undefined;
  readonly withdrawnSince?: Day | undefined;
  /** Without the reason of its line. */
  readonly reasons?: readonly Reason[] | undefined;
}

/** The facts about a release line and its releases. */
export interface LineFacts<R = ReleaseFacts> {
  /** Absent or empty without a promise. */
  readonly phases?: readonly Phase[] | undefined;
  /** Why the support policy deprecates its releases. */
  readonly reason?: Reason | undefined;
  /** Oldest first. */
  readonly releases: readonly R[];
}

/** The state of a release on a day. */
interface ReleaseState {
  readonly state: State;
  /** Whether there is certainly a reason to move off it. */
  readonly isDeprecated: boolean;
  /** The reasons that certainly hold, oldest first, with the reason of the line. */
  readonly because: readonly Reason[];
  /** Undefined where unknown. */
  readonly isSupported: boolean | undefined;
  readonly isLatest: boolean;
  /** The greatest stable version of its line that is not deprecated. */
  readonly isLatestOfLine: boolean;
  /** The number of greater stable releases that are not deprecated; undefined for the latest, and without a latest. */
  readonly releasesBehind: number | undefined;
  /** Days from the release to the latest, where upstream states the days of both. */
  readonly daysBehind: number | undefined;
}

/** The state of a release line on a day. */
export interface LineState {
  readonly state: State;
  /** The phase that runs; undefined without one, and where it is unknown. */
  readonly phase: Phase | undefined;
  /** Whether a phase runs that is not paid; undefined where unknown. */
  readonly isSupported: boolean | undefined;
}

export type ReleaseOn<R> = R & ReleaseState;
export type LineOn<L, R> = Omit<L, 'releases'> &
  LineState & { readonly releases: readonly ReleaseOn<R>[] };

/** A component on a day. */
export interface ComponentOn<L, R> {
  readonly day: Day;
  /** Oldest first. */
  readonly lines: readonly LineOn<L, R>[];
  /** Oldest first. */
  readonly releases: readonly ReleaseOn<R>[];
  /** The greatest stable version that is not deprecated. */
  readonly latest?: ReleaseOn<R> | undefined;
  /** The first day after `day` on which a state may change without new data, ignoring `ends-soon`. */
  readonly nextChangeOn?: Day | undefined;
}

/** Computes every state of a component on a day. `lines`: oldest first. */
export function computeStates<L extends LineFacts<R>, R extends ReleaseFacts>(
  lines: readonly L[],
  day: Day,
): ComponentOn<L, R> {
  const judgedLines = lines.map((line) => judgeLine<L, R>(line, day));
  const verdicts = joinInVersionOrder(
    judgedLines.map((line) => line.verdicts),
    ({ release }) => release.version,
  );
  const latest = verdicts.findLast(isUsable);
  const newerCounts = countNewer(verdicts);

  const linesOn = judgedLines.map((line) => createLineOn(line, latest, newerCounts));
  const releases = joinInVersionOrder(
    linesOn.map((line) => line.releases),
    ({ version }) => version,
  );
  return {
    day,
    lines: linesOn,
    releases,
    latest: releases.find(({ isLatest }) => isLatest),
    nextChangeOn: findEarliestChange(judgedLines, day),
  };
}

/** The states of a release that follow from its own facts and its line. */
interface Verdict<R = ReleaseFacts> extends Pick<
  ReleaseState,
  'state' | 'isDeprecated' | 'because'
> {
  readonly release: R;
}

interface LineVerdicts<L = LineFacts, R = ReleaseFacts> {
  readonly line: L;
  /** Regardless of the releases. */
  readonly support: LineState;
  /** One for each release, oldest first. */
  readonly verdicts: readonly Verdict<R>[];
}

function judgeLine<L extends LineFacts<R>, R extends ReleaseFacts>(
  line: L,
  day: Day,
): LineVerdicts<L, R> {
  const support = computeSupportOn(line, day);
  const verdicts = line.releases.map((release): Verdict<R> => {
    const inForce = listReasons(release, line).filter((reason) => isInForceOn(reason, day));
    const isDeprecated = inForce.length > 0;
    const state = findStateOfRelease(release, support.state, isDeprecated, day);
    return { release, state, isDeprecated, because: sortReasons(inForce) };
  });
  return { line, support, verdicts };
}

/** The reasons to move off a release, with the reason of its line. */
function listReasons({ reasons = [] }: ReleaseFacts, { reason }: LineFacts): readonly Reason[] {
  return reason ? [reason, ...reasons] : reasons;
}

function findStateOfRelease(
  release: ReleaseFacts,
  lineState: State,
  isDeprecated: boolean,
  day: Day,
): State {
  if (isWithdrawnOn(release, day)) {
    return 'withdrawn';
  }
  if (lineState === 'ended') {
    return 'ended';
  }
  if (isDeprecated) {
    return 'deprecated';
  }

  return release.isPrerelease ? 'no-promise' : lineState;
}

export function isWithdrawnOn(
  { withdrawnSince }: Pick<ReleaseFacts, 'withdrawnSince'>,
  day: Day,
): boolean {
  return withdrawnSince !== undefined && withdrawnSince <= day;
}

/** Whether a release may be the latest. */
function isUsable({ release, isDeprecated }: Verdict): boolean {
  return !isDeprecated && !release.isPrerelease;
}

/** The number of usable releases above each release. `verdicts`: oldest first. */
function countNewer(verdicts: readonly Verdict[]): ReadonlyMap<Verdict, number> {
  const counts = new Map<Verdict, number>();
  let newerCount = 0;

  for (const verdict of verdicts.toReversed()) {
    counts.set(verdict, newerCount);
    newerCount += Number(isUsable(verdict));
  }

  return counts;
}

/** Completes the states of a line and of its releases, which depend on the other releases. `latest`: of the component. */
function createLineOn<L, R extends ReleaseFacts>(
  { line, support, verdicts }: LineVerdicts<L, R>,
  latest: Verdict<R> | undefined,
  newerCounts: ReadonlyMap<Verdict, number>,
): LineOn<L, R> {
  const latestOfLine = verdicts.findLast(isUsable);

  const releases = verdicts.map((verdict): ReleaseOn<R> => {
    const { release, ...ownStates } = verdict;
    const isBehind = latest !== undefined && verdict !== latest;
    return {
      ...release,
      ...ownStates,
      isSupported: isReleaseSupported(verdict, support.isSupported),
      isLatest: verdict === latest,
      isLatestOfLine: verdict === latestOfLine,
      releasesBehind: isBehind ? newerCounts.get(verdict) : undefined,
      daysBehind: isBehind ? countDaysBehind(release, latest.release) : undefined,
    };
  });

  return { ...line, ...support, state: findStateOfLine(support.state, verdicts), releases };
}

/** A prerelease has no support of its own, but ends with its line. */
function isReleaseSupported(
  { release, state }: Verdict,
  isLineSupported: boolean | undefined,
): boolean | undefined {
  if (state === 'withdrawn') {
    return false;
  }

  return release.isPrerelease && isLineSupported ? undefined : isLineSupported;
}

function countDaysBehind(release: ReleaseFacts, latest: ReleaseFacts): number | undefined {
  const from = findStatedDay(release);
  const to = findStatedDay(latest);
  return from === undefined || to === undefined || from > to
    ? undefined
    : countDaysBetween(from, to);
}

/** A line is deprecated if all its releases are, and it has any. */
function findStateOfLine(lineState: State, verdicts: readonly Verdict[]): State {
  if (
    lineState === 'ended' ||
    verdicts.length === 0 ||
    verdicts.some(({ isDeprecated }) => !isDeprecated)
  ) {
    return lineState;
  }

  return verdicts.every(({ state }) => state === 'withdrawn') ? 'withdrawn' : 'deprecated';
}

/** The first day after `day` on which a phase has ended, or a reason deprecates a release. */
function findEarliestChange(judgedLines: readonly LineVerdicts[], day: Day): Day | undefined {
  const days: (Day | undefined)[] = [];

  for (const { line, verdicts } of judgedLines) {
    for (const { until, untilAtMost } of line.phases ?? []) {
      days.push(dayAfter(until), dayAfter(untilAtMost));
    }

    for (const { release, isDeprecated } of verdicts) {
      if (!isDeprecated) {
        days.push(...listReasons(release, line).map(findCertainDay));
      }
    }
  }

  return days.filter((change) => change !== undefined && change > day).sort()[0];
}

/** The support of a line on a day, regardless of its releases. */
export function computeSupportOn({ phases }: Pick<LineFacts, 'phases'>, day: Day): LineState {
  const end = findLastFreePhase(phases);
  const phase = findPhaseOn(phases, day);
  if (!end) {
    return { state: 'no-promise', phase, isSupported: undefined };
  }

  const isOver = hasEnded(end, day);
  if (isOver === undefined) {
    return { state: 'may-have-ended', phase, isSupported: undefined };
  }
  if (isOver) {
    return { state: 'ended', phase, isSupported: false };
  }

  const { until } = end;
  const state = until !== undefined && isSoon(day, until) ? 'ends-soon' : 'supported';
  return { state, phase, isSupported: true };
}

/** The days before its end during which a line is `ends-soon`. */
const soonDays = 90;

/** Whether an end of support that is not over is near enough to be marked. */
function isSoon(day: Day, end: Day): boolean {
  return countDaysBetween(day, end) <= soonDays;
}

/** A reason without a day has always held; with two bounds, it holds from the later one on. */
export function isInForceOn(reason: Reason, day: Day): boolean {
  const certainDay = findCertainDay(reason);
  return certainDay === undefined || certainDay <= day;
}

/** The day from which a reason certainly holds; undefined where it has always held. */
export function findCertainDay({ from, fromAtMost }: Reason): Day | undefined {
  return fromAtMost ?? from;
}

/** Sorts reasons in place, the oldest first. A reason without a day has always held, so it comes before all others. */
export function sortReasons(reasons: Reason[]): Reason[] {
  return reasons.sort((a, b) => oldestFirst(findCertainDay(a) ?? '', findCertainDay(b) ?? ''));
}
