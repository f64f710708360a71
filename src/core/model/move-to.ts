import type { UpgradeStop } from '../schemas/definition/upgrade-stop.ts';
import type { Reason } from '../schemas/published/reason.ts';
import type { Day } from './dates.ts';
import { isInForceOn, states, type State } from './states.ts';
import { findNextStop, resolveStops, type ResolvedStop } from './upgrade-stops.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

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

/** Reasons for which an older release may be the goal: a pulled release leads back. */
export const reasonsToGoBack: readonly MoveReason[] = ['withdrawn', 'affected', 'deprecated'];

/** A release on a day. */
export interface MovableRelease {
  readonly version: string;
  readonly line: string;
  readonly isPrerelease: boolean;
  readonly state: State;
  readonly isDeprecated: boolean;
  /** Whether a known advisory affects it. */
  readonly isVulnerable?: boolean | undefined;
  /** The day by which a fix of what affects it is due. */
  readonly dueBy?: Day | undefined;
  readonly withdrawnSince?: Day | undefined;
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
export interface Movable<Release extends MovableRelease = MovableRelease> {
  readonly component: string;
  readonly day: Day;
  readonly lines: readonly MovableLine[];
  /** Oldest first. */
  readonly releases: readonly Release[];
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
  /** The greatest release of its line that is stable, listed and not deprecated. */
  readonly latestOfLine?: string | undefined;
  /** The latest version of the component. */
  readonly newest?: string | undefined;
}

/** A version in use: a listed release, or a version of a line. */
export interface VersionInUse {
  readonly version: string;
  readonly release?: MovableRelease | undefined;
  readonly line?: MovableLine | undefined;
}

/**
 * The only rule for move targets. There is a goal only where there is a reason to move: the greatest release of the line, else of
 * the component, else of its replacement, that has no reason itself. `replacement`: the component that replaces it, on the same
 * day.
 */
export function openMoves(
  movable: Movable,
  replacement?: Movable,
): (inUse: VersionInUse) => UpgradeAdvice {
  const targets = listTargets(movable, replacement);
  return (inUse) => adviseOn(inUse, targets);
}

type Targets = ReturnType<typeof listTargets>;

/** The releases that versions of a component can move to. A table asks for each release, so they are found once. */
function listTargets(movable: Movable, replacement: Movable | undefined) {
  const successor = replacement && {
    component: replacement.component,
    ...findGreatestChoices(replacement),
  };
  return {
    movable,
    successor,
    choices: findGreatestChoices(movable, successor),
    stops: resolveStops(movable.upgradeStops, movable.releases),
    lines: new Map(movable.lines.map((line) => [line.line, line])),
  };
}

function adviseOn(inUse: VersionInUse, targets: Targets): UpgradeAdvice {
  const { movable, choices, lines } = targets;
  const { release } = inUse;
  const line = inUse.line ?? lines.get(release?.line ?? '');
  const state = release?.state ?? line?.state;
  const isAffected = release?.isVulnerable === true && choices.hasSafe;
  const reason = findReason(state, isAffected);
  const latestOfLine = choices.listedOfLine.get(line?.line ?? '')?.release.version;
  const facts = { latestOfLine, newest: choices.latest?.release.version };
  if (!state || !reason) {
    return facts;
  }

  const version = parseVersion(inUse.version);
  const target = findGoal({ version, line: line?.line, state, reason }, targets);
  if (!target) {
    return { ...facts, isStuck: true };
  }

  const isReasonOfLine = reason === 'deprecated' && !hasOwnReason(inUse, movable);
  const dueBy = reason === 'affected' ? release?.dueBy : undefined;
  const deadline = isReasonOfLine || reason === 'ends-soon' ? line?.supportedUntil : dueBy;
  const moveBy = deadline !== undefined && deadline >= movable.day ? deadline : undefined;
  const stop = version && findStopBefore(target, version, targets);
  const advice = { ...facts, moveReason: reason, moveBy };
  return stop
    ? { ...advice, moveTo: createTarget(stop, movable), goal: target }
    : { ...advice, moveTo: target };
}

/** Whether the release itself is deprecated: the move is then due now, even if its line ends later. */
function hasOwnReason({ version, release }: VersionInUse, { day, releases }: Movable): boolean {
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

function findGoal(start: Start, { movable, successor, choices }: Targets): MoveTarget | undefined {
  const { version, line, state, reason } = start;
  const candidates = [choices.candidateOfLine.get(line ?? ''), choices.candidate];
  const candidate =
    candidates.find((choice) => choice && isAbove(choice, version)) ??
    (reasonsToGoBack.includes(reason) ? candidates.find(Boolean) : undefined);
  if (candidate) {
    return createTarget(candidate, movable);
  }
  if (successor?.candidate) {
    return createTarget(successor.candidate, successor);
  }

  // Else the first of the latest releases whose state is better than that of the version.
  const isBetter = ({ release }: Choice) => states.indexOf(release.state) > states.indexOf(state);
  const better = [choices.latestOfLine.get(line ?? ''), choices.latest].find(
    (choice) => choice && isBetter(choice) && isAbove(choice, version),
  );
  if (better) {
    return createTarget(better, movable);
  }

  return successor?.latest && isBetter(successor.latest)
    ? createTarget(successor.latest, successor)
    : undefined;
}

function findStopBefore(
  target: MoveTarget,
  start: Version,
  { movable, stops }: Targets,
): ResolvedStop<MovableRelease> | undefined {
  const release =
    target.component === movable.component
      ? movable.releases.find(({ version }) => version === target.version)
      : undefined;
  return release && findNextStop(stops, start, release);
}

function createTarget(
  { release }: Pick<Choice, 'release'>,
  { component }: Pick<Movable, 'component'>,
): MoveTarget {
  return { component, version: release.version };
}

/** The reason to move off a version in a state; undefined if there is none. */
function findReason(state: State | undefined, isAffected: boolean): MoveReason | undefined {
  if (isAffected && state !== 'withdrawn') {
    return 'affected';
  }

  return moveReasons.find((reason) => reason === state);
}

/** The releases of a component without a reason to move off them, oldest first. */
export function listCandidates(movable: Movable): MovableRelease[] {
  return chooseFrom(movable).candidates;
}

/** The greatest release of a component without a reason to move off it, else its latest. */
export function findGreatestCandidate(movable: Movable): MovableRelease | undefined {
  const { candidates, usable } = chooseFrom(movable);
  return candidates.at(-1) ?? usable.at(-1);
}

interface Choice {
  readonly release: MovableRelease;
  readonly version: Version;
}

/** The releases to choose from, oldest first. */
function chooseFrom({ releases, day }: Movable, replacement?: { hasSafe: boolean }) {
  /** Stable releases that are listed and have no reason of their own against them. */
  const listed = releases.filter(
    (release) =>
      !release.isPrerelease &&
      release.state !== 'withdrawn' &&
      release.state !== 'deprecated' &&
      !release.reasons?.some((reason) => isInForceOn(reason, day)),
  );

  /** The listed releases that are not deprecated at all. */
  const usable = listed.filter(({ isDeprecated }) => !isDeprecated);

  /** Whether some usable release, here or of the replacement, is free of advisories. */
  const hasSafe = replacement?.hasSafe || usable.some(({ isVulnerable }) => isVulnerable !== true);

  /** The usable releases without a reason to move off them. */
  const candidates = usable.filter(
    ({ isVulnerable, state }) => !findReason(state, isVulnerable === true && hasSafe),
  );
  return { listed, usable, candidates, hasSafe };
}

/** The greatest releases to choose from. */
function findGreatestChoices(movable: Movable, replacement?: { hasSafe: boolean }) {
  const { listed, usable, candidates, hasSafe } = chooseFrom(movable, replacement);
  const latest = usable.at(-1);
  const candidate = candidates.at(-1);
  return {
    hasSafe,
    latest: latest && createChoice(latest),
    candidate: candidate && createChoice(candidate),
    listedOfLine: findGreatestByLine(listed),
    latestOfLine: findGreatestByLine(usable),
    candidateOfLine: findGreatestByLine(candidates),
  };
}

/** `releases`: oldest first. */
function findGreatestByLine(releases: readonly MovableRelease[]): ReadonlyMap<string, Choice> {
  const greatest = new Map(releases.map((release) => [release.line, release]));
  return new Map(Array.from(greatest, ([line, release]) => [line, createChoice(release)]));
}

function createChoice(release: MovableRelease): Choice {
  return { release, version: parseVersion(release.version)! };
}

function isAbove({ version }: Choice, start: Version | undefined): boolean {
  return !start || compareVersions(version, start) > 0;
}

/** The newest stable release of a line, else its newest prerelease. Undefined for a line without releases. */
export function findNewestRelease<R extends { isPrerelease: boolean }>(
  releases: readonly R[],
): R | undefined {
  return releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1);
}
