import type { Phase } from '../schemas/definition/phase.ts';
import type { Reason } from '../schemas/published/reason.ts';
import type { TimestampKind } from '../schemas/recorded/recorded.ts';
import { dayAfter, cutDay, countDaysBetween, hasCome, oldestFirst, type Day } from './dates.ts';
import { hasEnded, findLastFreePhase, findPhaseOn } from './phases.ts';

/**
 * The states of a version on a day, in order of precedence. The last three are for versions that the index does not list.
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

/** The days before its end during which a line is `ends-soon`. */
export const soonDays = 90;

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
interface LineFacts<R extends ReleaseFacts> {
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
  /** Whether a reason to move off it certainly holds. */
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
  /** Days from its day to the day of the latest, where upstream states both. */
  readonly daysBehind: number | undefined;
}

/** The state of a release line on a day. */
export interface LineState {
  readonly state: State;
  /** Undefined where no phase runs or the phase is unknown. */
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
  /** The next day on which a state may change without new data, ignoring `ends-soon`. */
  readonly nextChangeOn?: Day | undefined;
}

/** Computes every state of a component on a day. `lines`: oldest first. */
export function computeStates<R extends ReleaseFacts, L extends LineFacts<R>>(
  lines: readonly L[],
  day: Day,
): ComponentOn<L, R> {
  const judgedLines = lines.map((line) => {
    const support = computeSupportOn(line, day);
    const verdicts = line.releases.map((release) =>
      judgeRelease(release, line, support.state, day),
    );
    return { line, support, verdicts };
  });

  const isUsable = ({ release, isDeprecated }: Verdict<R>) =>
    !isDeprecated && !release.isPrerelease;
  let latest: Verdict<R> | undefined;
  let newerCount = 0;

  for (const { verdicts } of judgedLines) {
    for (const verdict of verdicts) {
      if (isUsable(verdict)) {
        latest = verdict;
        newerCount += 1;
      }
    }
  }

  const latestDay = latest && findStatedDay(latest.release);

  const linesOn = judgedLines.map(({ line, support, verdicts }): LineOn<L, R> => {
    const latestOfLine = verdicts.findLast(isUsable);

    const releases = verdicts.map((verdict): ReleaseOn<R> => {
      const { release, state, isDeprecated, because } = verdict;

      if (isUsable(verdict)) {
        newerCount -= 1;
      }

      const isBehind = latest !== undefined && verdict !== latest;

      return {
        ...release,
        state,
        isDeprecated,
        because,
        isSupported: isReleaseSupported(release, state, support.isSupported),
        isLatest: verdict === latest,
        isLatestOfLine: verdict === latestOfLine,
        releasesBehind: isBehind ? newerCount : undefined,
        daysBehind: isBehind ? countDaysBehind(release, latestDay) : undefined,
      };
    });

    return { ...line, ...support, state: findStateOfLine(support.state, verdicts), releases };
  });

  const releasesOn = linesOn.flatMap(({ releases }) => releases);
  return {
    day,
    lines: linesOn,
    releases: releasesOn,
    latest: releasesOn.find(({ isLatest }) => isLatest),
    nextChangeOn: findEarliestChange(judgedLines, day),
  };
}

/** A reason without a day has always held; with two bounds, it holds from the later one on. */
export function isInForceOn({ from, fromAtMost }: Reason, day: Day): boolean {
  return (
    (from === undefined && fromAtMost === undefined) || hasCome(from, fromAtMost, day) === true
  );
}

/** The day from which a reason certainly holds; undefined where it has always held. */
export function findCertainDay({ from, fromAtMost }: Reason): Day | undefined {
  return fromAtMost ?? from;
}

/** Whether a line has long-term support on a day. */
export function isLtsOn(
  { isLts, ltsFrom }: { isLts?: true | undefined; ltsFrom?: Day | undefined },
  day: Day,
): boolean {
  return isLts === true && (ltsFrom === undefined || ltsFrom <= day);
}

/** The support of a line on a day, regardless of its releases. */
export function computeSupportOn(
  { phases }: Pick<LineFacts<never>, 'phases'>,
  day: Day,
): LineState {
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

  const endsSoon = countDaysBetween(day, end.until!) <= soonDays;
  return { state: endsSoon ? 'ends-soon' : 'supported', phase, isSupported: true };
}

/** Sorts reasons in place, the oldest first. */
export function sortReasons(reasons: Reason[]): Reason[] {
  return reasons.sort((a, b) => oldestFirst(findCertainDay(a) ?? '', findCertainDay(b) ?? ''));
}

/** A prerelease has no support of its own, but ends with its line. */
function isReleaseSupported(
  { isPrerelease }: ReleaseFacts,
  state: State,
  isLineSupported: boolean | undefined,
): boolean | undefined {
  if (state === 'withdrawn') {
    return false;
  }

  return isPrerelease && isLineSupported ? undefined : isLineSupported;
}

interface Verdict<R> extends Pick<ReleaseState, 'state' | 'isDeprecated' | 'because'> {
  readonly release: R;
}

function judgeRelease<R extends ReleaseFacts>(
  release: R,
  { reason }: Pick<LineFacts<never>, 'reason'>,
  lineState: State,
  day: Day,
): Verdict<R> {
  const { reasons = [], withdrawnSince = '9999' } = release;
  const allReasons = reason ? [reason, ...reasons] : reasons;
  const because = sortReasons(allReasons.filter((each) => isInForceOn(each, day)));
  const isDeprecated = because.length > 0;

  const findState = () => {
    if (withdrawnSince <= day) {
      return 'withdrawn';
    }
    if (isDeprecated && lineState !== 'ended') {
      return 'deprecated';
    }

    return release.isPrerelease && lineState !== 'ended' ? 'no-promise' : lineState;
  };

  return { release, state: findState(), isDeprecated, because };
}

/** A line is deprecated if all its releases are, and it has any. */
function findStateOfLine(
  lineState: State,
  verdicts: readonly { state: State; isDeprecated: boolean }[],
): State {
  if (
    lineState === 'ended' ||
    verdicts.length === 0 ||
    verdicts.some(({ isDeprecated }) => !isDeprecated)
  ) {
    return lineState;
  }

  return verdicts.every(({ state }) => state === 'withdrawn') ? 'withdrawn' : 'deprecated';
}

function countDaysBehind(release: ReleaseFacts, latestDay: Day | undefined): number | undefined {
  const from = findStatedDay(release);
  return from === undefined || latestDay === undefined || from > latestDay
    ? undefined
    : countDaysBetween(from, latestDay);
}

function findStatedDay({ releaseTimestamp, timestampKind }: ReleaseFacts): Day | undefined {
  return releaseTimestamp === undefined || timestampKind === 'observed'
    ? undefined
    : cutDay(releaseTimestamp);
}

interface JudgedLine {
  readonly line: Pick<LineFacts<ReleaseFacts>, 'phases' | 'reason'>;
  readonly verdicts: readonly Verdict<ReleaseFacts>[];
}

function findEarliestChange(lines: readonly JudgedLine[], day: Day): Day | undefined {
  const days = lines.flatMap(({ line: { phases = [], reason }, verdicts }) => [
    ...phases.flatMap(({ until, untilAtMost }) => [dayAfter(until), dayAfter(untilAtMost)]),
    ...verdicts
      .filter(({ isDeprecated }) => !isDeprecated)
      .flatMap(({ release: { reasons = [] } }) => [reason, ...reasons])
      .map((each) => each && findCertainDay(each)),
  ]);
  return days.filter((on = '') => on > day).sort()[0];
}
