import type { UpgradeStop } from '../schemas/definition/about-component.ts';
import type { Reason } from '../schemas/published/reason.ts';
import type { Day } from './dates.ts';
import { isInForceOn, states, type State } from './states.ts';
import { findNextStop, resolveStops, type ResolvedStop } from './upgrade-stops.ts';
import {
  compareVersions,
  findNewestRelease,
  parseVersion,
  rankKey,
  shorten,
  type Version,
} from './version.ts';

/** Why to move off a version, in order of precedence. */
export const moveReasons = [
  'withdrawn',
  'affected',
  'ended',
  'deprecated',
  'may-have-ended',
  'ends-soon',
] as const;
export type MoveReason = (typeof moveReasons)[number];

/** Reasons for which an older release may be the target: a pulled release leads back. */
export const reasonsToGoBack: readonly MoveReason[] = ['withdrawn', 'affected', 'deprecated'];

/** A release on a day. */
export interface MovableRelease {
  readonly version: string;
  readonly line: string;
  readonly isPrerelease: boolean;
  readonly state: State;
  readonly isDeprecated: boolean;
  readonly withdrawnSince?: Day | undefined;
  /** Whether a known advisory affects it. */
  readonly isVulnerable?: boolean | undefined;
  /** The day by which a fix of what affects it is due. */
  readonly dueBy?: Day | undefined;
  /** Its own reasons, without the reason of its line. */
  readonly reasons?: readonly Reason[] | undefined;
}

/** A release line on a day. */
interface MovableLine {
  readonly line: string;
  readonly state: State;
  /** Its last day with support: exact, or the earliest possible one. */
  readonly supportedUntil?: Day | undefined;
}

/** A component on a day. */
export interface Movable {
  readonly component: string;
  readonly day: Day;
  readonly lines: readonly MovableLine[];
  /** Oldest first. */
  readonly releases: readonly MovableRelease[];
  readonly upgradeStops?: readonly UpgradeStop[] | undefined;
}

export interface MoveTarget {
  readonly component: string;
  readonly version: string;
}

/** The advice for a version in use on a day, and its facts. */
export interface UpgradeAdvice {
  /** Only with `moveTo`. */
  readonly moveReason?: MoveReason | undefined;
  readonly moveTo?: MoveTarget | undefined;
  /** Whether there is a reason to move, and nothing to move to. */
  readonly isStuck?: true | undefined;
  /** The final target, if `moveTo` is a stop. */
  readonly goal?: MoveTarget | undefined;
  /** The day by which to move, where it is ahead. */
  readonly moveBy?: Day | undefined;
  /** The greatest release of its line that is stable and not deprecated, except by the end of the line. */
  readonly latestOfLine?: string | undefined;
  /** The latest version of the component. Published as `newest`. */
  readonly newest?: string | undefined;
}

/** A version in use: a release of the index, or another version of a line. */
interface VersionInUse {
  readonly version: string;
  readonly release?: MovableRelease | undefined;
  /** The name of its line, where it has no release. */
  readonly line?: string | undefined;
}

/**
 * A release line as a version in use: its newest release. The facts of that release are those of the line only if the two have the
 * same name. `releases`: of the line, oldest first.
 */
export function findLineInUse<R extends MovableRelease>(line: string, releases: readonly R[]) {
  const newest = findNewestRelease(releases);
  const isNamed = newest && rankName(newest.version) === rankName(line);
  return { version: newest?.version ?? line, line, release: isNamed ? newest : undefined };
}

/** Equal for `2025.1` and `2025.1.0`. */
function rankName(name: string): string | undefined {
  const version = parseVersion(name);
  return version && rankKey(shorten(version));
}

/**
 * Advises on versions of a component. Only plans choose other targets, for versions in conflict. A version that has no reason to move
 * has no target. For another, it is the first of these that exists:
 *
 * 1. above the version, the greatest candidate of its line, else of the component;
 * 2. for `reasonsToGoBack`, the same below the version;
 * 3. the greatest candidate of the replacement;
 * 4. above the version, the latest release of its line, else of the component, in a better state: an unaffected one first;
 * 5. the latest release of the replacement in a better state, an unaffected one first.
 *
 * `chooseFrom` says what a candidate is. `replacement`: the component that replaces it, on the same day. `stops`: those of the
 * component on that day.
 */
export function createAdviser(
  movable: Movable,
  replacement?: Movable,
  stops = resolveStops<MovableRelease>(movable),
): (inUse: VersionInUse) => UpgradeAdvice {
  // A table asks for each release, so the choices are found once.
  const prepared = prepare(movable, replacement, stops);
  return (inUse) => adviseOn(inUse, prepared);
}

type Prepared = ReturnType<typeof prepare>;

/** A component, with the releases that its versions can move to. */
function prepare(
  movable: Movable,
  replacement: Movable | undefined,
  stops: readonly ResolvedStop<{ readonly version: string }>[],
) {
  const successor = replacement && chooseFrom(replacement);
  return {
    movable,
    lines: mapByLine(movable.lines),
    choices: chooseFrom(movable, successor?.hasSafe),
    /** The choices of the replacement. */
    successor,
    stops,
  };
}

/** By line. Undefined is the key of no line. */
type ByLine<T> = ReadonlyMap<string | undefined, T>;

/** The last item of each line. */
function mapByLine<T extends { readonly line: string }>(items: readonly T[]): ByLine<T> {
  return new Map(items.map((item) => [item.line, item]));
}

type Choices = ReturnType<typeof chooseFrom>;

/**
 * The releases of a component to choose from. A release is intact if it is stable and not deprecated, except by the end of its line;
 * usable, if it is not deprecated at all; unaffected, if moreover no advisory is a reason to move off it; and a candidate, if nothing is.
 * An advisory is a reason only while a usable release of the component or of its replacement is free of advisories.
 * `isReplacementSafe`: whether one of its replacement is.
 */
function chooseFrom({ component, releases, day }: Movable, isReplacementSafe = false) {
  const intact = releases.filter(
    ({ isPrerelease, state, reasons = [] }) =>
      !isPrerelease &&
      state !== 'withdrawn' &&
      state !== 'deprecated' &&
      !reasons.some((reason) => isInForceOn(reason, day)),
  );
  const usable = intact.filter(({ isDeprecated }) => !isDeprecated);
  const hasSafe = isReplacementSafe || usable.some(({ isVulnerable }) => isVulnerable !== true);
  const unaffected = usable.filter((release) => !needsFix(release, hasSafe));
  const candidates = unaffected.filter(({ state }) => !findReason(state, false));
  return {
    component,
    // Each map has the greatest release of each line. `latest`, `unaffected` and `candidate` are the greatest of all lines.
    intactOfLine: mapByLine(intact),
    usableOfLine: mapByLine(usable),
    /** The latest version of the component. */
    latest: usable.at(-1),
    unaffectedOfLine: mapByLine(unaffected),
    unaffected: unaffected.at(-1),
    /** Oldest first. */
    candidates,
    candidateOfLine: mapByLine(candidates),
    candidate: candidates.at(-1),
    /** Whether a usable release of the component or of its replacement is free of advisories. */
    hasSafe,
  };
}

function adviseOn(inUse: VersionInUse, prepared: Prepared): UpgradeAdvice {
  const { movable, lines, choices } = prepared;
  const { release } = inUse;
  const line = lines.get(release?.line ?? inUse.line);
  const state = release?.state ?? line?.state;
  const reason = findReason(state, needsFix(release, choices.hasSafe));
  const facts = {
    latestOfLine: choices.intactOfLine.get(line?.line)?.version,
    newest: choices.latest?.version,
  };
  if (!state || !reason) {
    return facts;
  }

  const version = parseVersion(inUse.version);
  const target = findTarget({ version, line: line?.line, state, reason }, prepared);
  if (!target) {
    return { ...facts, isStuck: true };
  }

  const { component } = movable;
  const goal = { component: target.component, version: target.release.version };
  const deadline = findDeadline(reason, inUse, line, movable);
  const moveBy = deadline !== undefined && deadline >= movable.day ? deadline : undefined;
  const advice = { ...facts, moveReason: reason, moveBy };
  const stops = target.component === component ? prepared.stops : [];
  const stop = version && findNextStop(stops, version, target.release);
  return stop
    ? { ...advice, moveTo: { component, version: stop.release.version }, goal }
    : { ...advice, moveTo: goal };
}

/** The reason to move off a version in a state; undefined if there is none. */
function findReason(state: State | undefined, isAffected: boolean): MoveReason | undefined {
  if (isAffected && state !== 'withdrawn') {
    return 'affected';
  }

  return moveReasons.find((reason) => reason === state);
}

/** Whether an advisory is a reason to move: where no release to move to is safe, a move would not help. */
function needsFix(release: MovableRelease | undefined, hasSafe: boolean): boolean {
  return release?.isVulnerable === true && hasSafe;
}

/** The day by which a reason asks for a move, also if it has passed; undefined if it asks for it now. */
function findDeadline(
  reason: MoveReason,
  inUse: VersionInUse,
  line: MovableLine | undefined,
  movable: Movable,
): Day | undefined {
  switch (reason) {
    case 'affected':
      return inUse.release?.dueBy;
    case 'ends-soon':
      return line?.supportedUntil;
    case 'deprecated':
      return hasOwnReason(inUse, movable) ? undefined : line?.supportedUntil;
    default:
      return undefined;
  }
}

/** Whether the release itself is deprecated, and not only its line. */
function hasOwnReason({ version, release }: VersionInUse, { day, releases }: Movable): boolean {
  // Advice for a line is asked for without its release.
  const { reasons = [] } = release ?? releases.find((each) => each.version === version) ?? {};
  return reasons.some((reason) => isInForceOn(reason, day));
}

/** A version to move off. */
interface Start {
  readonly version: Version | undefined;
  readonly line: string | undefined;
  readonly state: State;
  readonly reason: MoveReason;
}

/** A release to move to, and its component: that of the version, or its replacement. */
function findTarget(start: Start, { choices, successor }: Prepared) {
  const candidate = findCandidate(start, choices);
  if (candidate) {
    return { component: choices.component, release: candidate };
  }
  if (successor?.candidate) {
    return { component: successor.component, release: successor.candidate };
  }

  // Without a candidate above the version, a release in a better state has to do.
  const better = listLatest(start, choices).find((release) => isAbove(release, start.version));
  if (better) {
    return { component: choices.component, release: better };
  }

  // A line of the replacement may have the same name, and is another one.
  const [release] = successor ? listLatest({ ...start, line: undefined }, successor) : [];
  return successor && release && { component: successor.component, release };
}

/** The candidate of the line, else of the component, that is above the version. For some reasons it may be below. */
function findCandidate(
  { version, line, reason }: Start,
  { candidateOfLine, candidate }: Choices,
): MovableRelease | undefined {
  const candidates = [candidateOfLine.get(line), candidate];
  const newer = candidates.find((release) => release && isAbove(release, version));
  return newer ?? (reasonsToGoBack.includes(reason) ? candidates.find(Boolean) : undefined);
}

/**
 * The latest releases of the line and of the component that are in a better state than a version, the unaffected first. Nobody leaves
 * an unaffected version with support for an affected one.
 */
function listLatest(
  { line, state, reason }: Start,
  { unaffectedOfLine, unaffected, usableOfLine, latest }: Choices,
): MovableRelease[] {
  const affected = reason === 'ends-soon' ? [] : [usableOfLine.get(line), latest];
  // The states are in order of precedence, so a later one is better.
  return [unaffectedOfLine.get(line), unaffected, ...affected]
    .filter((release) => release !== undefined)
    .filter((release) => states.indexOf(release.state) > states.indexOf(state));
}

/** Whether a release is above a version; one that cannot be read is below all. Each release of an index can be read. */
function isAbove(release: MovableRelease, start: Version | undefined): boolean {
  return !start || compareVersions(parseVersion(release.version)!, start) > 0;
}

/** The releases of a component, whatever replaces it, without a reason to move off them. Oldest first. */
export function listCandidates(movable: Movable): readonly MovableRelease[] {
  return chooseFrom(movable).candidates;
}

/** The greatest release of a component without a reason to move off it, else its latest. */
export function findGreatestCandidate(movable: Movable): MovableRelease | undefined {
  const { candidate, latest } = chooseFrom(movable);
  return candidate ?? latest;
}
