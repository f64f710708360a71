import { oldestFirst, newestFirst } from '../../core/model/dates.ts';
import { listCandidates, type MoveReason } from '../../core/model/move-to.ts';
import { findNextStop, resolveStops } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsOn } from '../answers/component-on.ts';
import { findRelease } from '../answers/find-release.ts';
import {
  formatName,
  findConflict,
  listConflicts,
  isBelow,
  listFittingWith,
  type Conflict,
  type Position,
} from './pairs.ts';

/** A judged version of a list. */
export interface PlanInput {
  /** The line in the text, or the place in the list, from 1. */
  readonly line?: number | undefined;
  readonly answer: VersionAnswer;
  readonly details: DetailsOn;
  /** Whether there is a reason to move, and nothing to move to. */
  readonly isStuck?: true | undefined;
  /** The component that replaces it. */
  readonly replacement?: DetailsOn | undefined;
}

/** Two tracks whose ends conflict, though their present versions do not. */
interface BrokenPair {
  readonly tracks: readonly [Track, Track];
  readonly conflict: Conflict;
}

/** A version of a list, and where it goes. */
export interface Track {
  readonly input: PlanInput;
  /** The present position. */
  readonly start: Position;
  /** The position after its step: the goal, or a stop before it. The present position without a step. */
  readonly end: Position;
  /** The final target; the present position without a step. */
  readonly goal: Position;
  readonly reason?: MoveReason | 'conflict' | undefined;
  /** Its goal in the replacement before other versions are considered; undefined if none replaces it. */
  readonly preferredGoal?: Position | undefined;
  /** Why it cannot go to its preferred goal: the conflicts that the move would make. */
  readonly obstacles?: readonly BrokenPair[] | undefined;
}

/** The track of a version that stays. */
export function createStayingTrack(input: PlanInput): Track {
  const start = { details: input.details, version: input.answer.version };
  return { input, start, end: start, goal: start };
}

/** The track of a version to its preferred goal, whatever the other versions need. */
function createPreferredTrack(input: PlanInput): Track {
  const { answer, details, replacement } = input;
  const { moveTo, moveReason } = answer;
  const track = createStayingTrack(input);
  if (!moveTo) {
    return track;
  }

  const { goal = moveTo } = answer;
  const isReplaced = goal.component !== details.component;
  const goalDetails = isReplaced ? replacement! : details;
  const preferredGoal = { details: goalDetails, version: goal.version };
  return {
    ...track,
    end: { details: goalDetails, version: moveTo.version },
    goal: preferredGoal,
    reason: moveReason,
    preferredGoal: isReplaced ? preferredGoal : undefined,
  };
}

/** Whether it has a step. The end of a staying track is the same object as its start. */
export function isMoving({ start, end }: Track): boolean {
  return end !== start;
}

/** Whether its step ends at a stop on the way to its goal. */
export function isAtStop({ end, goal }: Track): boolean {
  return end.version !== goal.version;
}

/** Orders tracks by their names, not by their places in the list. */
export function compareNames(one: Track, other: Track): number {
  return oldestFirst(formatName(one.start), formatName(other.start));
}

/**
 * The tracks of a list. No move creates a conflict.
 * 1. Each version goes to its preferred goal, and other goals resolve conflicts of the ends.
 * 2. While a pair is broken, one of its versions loses its preferred goal, and step 1 is repeated.
 * 3. Each of these versions gets its preferred goal back, if that breaks no pair by now.
 * 4. The pairs found in step 3 explain why a version does not reach its preferred goal.
 */
export function findTracks(inputs: readonly PlanInput[]): Track[] {
  const obstacles = findObstacles(inputs, findBlockedInputs(inputs));
  const tracks = makeTracks(inputs, new Set(obstacles.keys()));
  return tracks.map((track) => ({ ...track, obstacles: obstacles.get(track.input) }));
}

/** A version without its preferred goal is blocked: it moves only where that resolves a conflict. */
function makeTracks(
  inputs: readonly PlanInput[],
  blocked: ReadonlySet<PlanInput>,
): readonly Track[] {
  const tracks = inputs.map((input) =>
    blocked.has(input) ? createStayingTrack(input) : createPreferredTrack(input),
  );
  return resolveConflicts(tracks);
}

/** The versions that lose their preferred goals until no pair is broken. */
function findBlockedInputs(inputs: readonly PlanInput[]): Set<PlanInput> {
  const blocked = new Set<PlanInput>();
  let pairs: BrokenPair[];
  // Each round holds a further input. A held track moves only to a version without conflicts, so it is in no broken pair.
  do {
    pairs = listBrokenPairs(makeTracks(inputs, blocked));
    for (const track of chooseTracksToHold(pairs)) {
      blocked.add(track.input);
    }
  } while (pairs.length > 0);
  return blocked;
}

/** The versions that stay blocked, each with the pairs that its move would break. */
function findObstacles(
  inputs: readonly PlanInput[],
  blocked: ReadonlySet<PlanInput>,
): Map<PlanInput, readonly BrokenPair[]> {
  const remaining = new Set(blocked);
  const obstacles = new Map<PlanInput, readonly BrokenPair[]>();

  for (const input of blocked) {
    remaining.delete(input);
    const pairs = listBrokenPairs(makeTracks(inputs, remaining));
    if (pairs.length > 0) {
      remaining.add(input);
      obstacles.set(input, pairs);
    }
  }

  return obstacles;
}

function listBrokenPairs(tracks: readonly Track[]): BrokenPair[] {
  const pairs: BrokenPair[] = [];

  for (const [first, one] of tracks.entries()) {
    for (const [second, other] of tracks.entries()) {
      const mayBreak = first < second && !findConflict(one.start, other.start);
      const [conflict] = mayBreak ? listConflicts([one.end, other.end]) : [];
      if (conflict) {
        pairs.push({ tracks: [one, other], conflict });
      }
    }
  }

  return pairs;
}

/**
 * The track of each broken pair that loses its preferred goal: of the moving ones the one that breaks more pairs, else the one that
 * is due later.
 */
function chooseTracksToHold(pairs: readonly BrokenPair[]): Track[] {
  const countPairs = (track: Track) => pairs.filter(({ tracks }) => tracks.includes(track)).length;
  const compareLosses = (a: Track, b: Track) =>
    countPairs(b) - countPairs(a) || newestFirst(readDue(a), readDue(b)) || compareNames(b, a);

  return pairs.map(({ tracks }) => {
    const [chosen] = tracks.filter(isMoving).sort(compareLosses);
    // One of the two moves: if both stayed, they would be in conflict now.
    return chosen!;
  });
}

/** The day by which to move. A move without a day is due now: the empty text is before all days. */
function readDue({ input }: Track): string {
  return input.answer.moveBy ?? '';
}

/**
 * The tracks with other goals where ends are in conflict. Each change is the best one at that moment, so another order could resolve
 * more.
 */
function resolveConflicts(tracks: readonly Track[]): readonly Track[] {
  const changed = applyBestChanges(fitReplacements(tracks), 'end');
  // A goal between the present position and the preferred goal is the last choice.
  return removeNeedless(applyBestChanges(changed, 'start'));
}

/** Replacements have the greatest release that has no conflict with the ends of all others, as they are by then. */
function fitReplacements(tracks: readonly Track[]): readonly Track[] {
  let fitted = tracks;
  for (const [index, track] of tracks.entries()) {
    fitted = fitted.with(index, fitReplacement(track, listEnds(fitted)));
  }

  return fitted;
}

function fitReplacement(track: Track, ends: readonly Position[]): Track {
  const { goal, start } = track;
  const { details } = goal;
  if (details === start.details) {
    return track;
  }

  const candidate = listCandidates(details).findLast(
    ({ version }) => !ends.some((end) => findConflict({ details, version }, end)),
  );
  return candidate ? changeGoal(track, candidate.version) : track;
}

/** The position of a track above which other goals are searched, unless they are in a replacement. */
type Floor = 'start' | 'end';

/** A track to another goal that resolves its conflicts, its index, and the number of these conflicts. */
interface Change {
  readonly index: number;
  readonly track: Track;
  readonly conflicts: number;
}

/** Applies the best change, as long as there is one. */
function applyBestChanges(tracks: readonly Track[], floor: Floor): readonly Track[] {
  let changed = tracks;
  let change = findBestChange(changed, floor);
  while (change) {
    changed = changed.with(change.index, change.track);
    change = findBestChange(changed, floor);
  }

  return changed;
}

/** The change of the track with the most conflicts; of several, the first by name. */
function findBestChange(tracks: readonly Track[], floor: Floor): Change | undefined {
  const changes = Array.from(tracks.keys(), (index) => findChange(tracks, index, floor));
  return changes
    .filter((change) => change !== undefined)
    .sort((a, b) => b.conflicts - a.conflicts || compareNames(a.track, b.track))[0];
}

/** The change to the greatest goal that goes with one of the ends in conflict, and has no conflict with any. */
function findChange(tracks: readonly Track[], index: number, floor: Floor): Change | undefined {
  const track = tracks[index]!;
  const ends = listEnds(tracks);
  const conflicting = ends.filter((end) => findConflict(track.end, end));
  const fitting = conflicting.map((end) => listFittingWith(track.goal.details, end));

  const changed = listPossibleTracks(track, track[floor]).findLast(
    ({ end }) =>
      fitting.some((versions) => versions.has(end.version)) &&
      !ends.some((other) => findConflict(end, other)),
  );
  return changed && { index, track: changed, conflicts: conflicting.length };
}

/**
 * The track to each release without a reason to move off it, the oldest first: in a replacement to any, else to those above a
 * position.
 */
function listPossibleTracks(track: Track, { version: floor }: Position): Track[] {
  const { start, goal } = track;
  const isReplaced = goal.details !== start.details;
  return listCandidates(goal.details)
    .filter(({ version }) => isReplaced || isBelow(floor, version))
    .map(({ version }) => changeGoal(track, version));
}

/** A version that moves only for a conflict stays, if another track has resolved it. */
function removeNeedless(tracks: readonly Track[]): readonly Track[] {
  let needed = tracks;
  for (const [index, { start, reason, input }] of tracks.entries()) {
    const isNeeded = listEnds(needed).some((end) => findConflict(start, end));
    if (reason === 'conflict' && !isNeeded) {
      needed = needed.with(index, createStayingTrack(input));
    }
  }

  return needed;
}

/** The track with another goal of the same component, and the stop on the way to it. A way to a replacement has no stops. */
function changeGoal(track: Track, version: string): Track {
  const { start, goal, reason = 'conflict' } = track;
  const { details } = goal;
  const from = details === start.details ? parseVersion(start.version) : undefined;
  const stops = resolveStops(details.upgradeStops, details.releases);
  const stop = from && findNextStop(stops, from, findRelease(details.releases, version)!);

  return {
    ...track,
    goal: { details, version },
    end: { details, version: stop?.release.version ?? version },
    reason,
  };
}

function listEnds(tracks: readonly Track[]): Position[] {
  return tracks.map(({ end }) => end);
}
