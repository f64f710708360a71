import { oldestFirst } from '../../core/model/dates.ts';
import { listCandidates, type MoveReason } from '../../core/model/move-to.ts';
import { findNextStop, resolveStops } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsOn } from '../answers/details-on.ts';
import { findRelease } from '../answers/find-release.ts';
import {
  findConflict,
  listConflicts,
  formatName,
  listFittingWith,
  isBelow,
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

/** A pair that a plan would break, and the indexes of its tracks. */
interface BrokenPair {
  readonly indexes: readonly [number, number];
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
  /** The newest release of its replacement, where the goal is another. */
  readonly newest?: Position | undefined;
  /** Why it cannot go to its own goal: the conflicts that the move would make. */
  readonly obstacles?: readonly BrokenPair[] | undefined;
}

export function isMoving({ start, end }: Track): boolean {
  return end !== start;
}

/** Orders tracks by their names, not by their places in the list. */
export function compareNames(one: Track, other: Track): number {
  return oldestFirst(formatName(one.start), formatName(other.start));
}

/** Whether its step ends at a stop on the way to its goal. */
export function isAtStop({ end, goal }: Track): boolean {
  return end.version !== goal.version;
}

/**
 * The tracks of a list: each to its own goal, then up where two ends do not work together. A goal that would break a pair for which
 * nothing goes up is no step.
 */
export function findTracks(inputs: readonly PlanInput[]): Track[] {
  const staying = findStaying(inputs);
  const obstacles = new Map<number, readonly BrokenPair[]>();

  // A version stays only while its move would break a pair, now that others stay, too.
  for (const index of [...staying]) {
    staying.delete(index);
    const pairs = listBrokenPairs(resolveTracks(inputs, staying));
    if (pairs.length > 0) {
      staying.add(index);
      obstacles.set(index, pairs);
    }
  }

  return resolveTracks(inputs, staying).map((track, index) => ({
    ...track,
    obstacles: obstacles.get(index),
  }));
}

/** The indexes of enough versions to stay that no move of another breaks a pair. */
function findStaying(inputs: readonly PlanInput[]): Set<number> {
  const staying = new Set<number>();
  let added: ReadonlySet<number>;
  do {
    added = chooseStaying(resolveTracks(inputs, staying));
    for (const index of added) {
      staying.add(index);
    }
  } while (added.size > 0);
  return staying;
}

/** The tracks with as few conflicts as possible, of which those with the indexes in `staying` stay. */
function resolveTracks(inputs: readonly PlanInput[], staying: ReadonlySet<number>): Track[] {
  const tracks = inputs.map((input, index) =>
    staying.has(index) ? createStayingTrack(input) : makeTrack(input),
  );
  for (const [index, track] of tracks.entries()) {
    tracks[index] = fitReplacement(track, listEnds(tracks));
  }

  raiseGoals(tracks);

  for (const [index, track] of tracks.entries()) {
    const isNeeded = listEnds(tracks).some((end) => findConflict(track.start, end));
    if (track.reason === 'conflict' && !isNeeded) {
      tracks[index] = createStayingTrack(track.input);
    }
  }

  return tracks;
}

/** Replaces tracks in conflict by tracks to a greater version, as long as one resolves a conflict. */
function raiseGoals(tracks: Track[]): void {
  // A goal between the present position and the own goal is the last choice.
  for (const from of ['end', 'start'] as const) {
    let raise = findBestRaise(tracks, from);
    while (raise) {
      tracks[raise.index] = raise.track;
      raise = findBestRaise(tracks, from);
    }
  }
}

/** The track of a version that stays. */
export function createStayingTrack(input: PlanInput): Track {
  const start = { details: input.details, version: input.answer.version };
  return { input, start, end: start, goal: start };
}

/** The goal of each version by itself. */
function makeTrack(input: PlanInput): Track {
  const { answer, details, replacement } = input;
  const { moveTo, moveReason } = answer;
  const track = createStayingTrack(input);
  if (!moveTo) {
    return track;
  }

  const { goal = moveTo } = answer;
  const goalDetails = goal.component === details.component ? details : replacement!;
  return {
    ...track,
    end: { details: goalDetails, version: moveTo.version },
    goal: { details: goalDetails, version: goal.version },
    reason: moveReason,
  };
}

function listEnds(tracks: readonly Track[]): Position[] {
  return tracks.map(({ end }) => end);
}

/** The track with the greatest release of its replacement that goes with all others. */
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

/** Whether a version is above a position of a track. Every version of a replacement is above the start. */
function isAbove(from: Floor, track: Track, version: string): boolean {
  const { start, goal } = track;
  const isReplaced = from === 'start' && goal.details !== start.details;
  return isReplaced || isBelow(track[from].version, version);
}

/** A track to a greater version, and the number of conflicts that it resolves. `index`: of the track in the list. */
interface Raise {
  readonly index: number;
  readonly track: Track;
  readonly resolves: number;
}

/** The position of a track above which a greater version is searched. */
type Floor = 'end' | 'start';

/** The raise that resolves the most conflicts; of several, the first by name. */
function findBestRaise(tracks: readonly Track[], from: Floor): Raise | undefined {
  const raises = Array.from(tracks.keys(), (index) => findRaise(tracks, index, from));
  return raises
    .filter((raise) => raise !== undefined)
    .sort((a, b) => b.resolves - a.resolves || compareNames(a.track, b.track))[0];
}

/** The greatest goal without a reason to move off it that goes with one of the ends in conflict, and conflicts with none. */
function findRaise(tracks: readonly Track[], index: number, from: Floor): Raise | undefined {
  const track = tracks[index]!;
  const { details } = track.goal;
  const ends = listEnds(tracks);
  const conflicting = ends.filter((end) => findConflict(track.end, end));
  const fitting = conflicting.map((other) => listFittingWith(details, other));
  for (const { version } of listCandidates(details).toReversed()) {
    const raised = changeGoal(track, version);
    if (
      isAbove(from, track, version) &&
      fitting.some((versions) => versions.has(raised.end.version)) &&
      !ends.some((end) => findConflict(raised.end, end))
    ) {
      return { index, track: raised, resolves: conflicting.length };
    }
  }

  return undefined;
}

/** The track with another goal of the same component, and the stop on the way to it. */
function changeGoal(track: Track, version: string): Track {
  const { start, goal, reason = 'conflict' } = track;
  const { details } = goal;
  const isOwn = details === start.details;
  const from = isOwn ? parseVersion(start.version) : undefined;
  const stops = resolveStops(details.upgradeStops, details.releases);
  const stop = from && findNextStop(stops, from, findRelease(details.releases, version)!);
  const newest = track.newest ?? goal;

  return {
    ...track,
    goal: { details, version },
    end: { details, version: stop?.release.version ?? version },
    reason,
    newest: isOwn || newest.version === version ? undefined : newest,
  };
}

/** The pairs that do not work together after the plan, and are not stated so now. */
function listBrokenPairs(tracks: readonly Track[]): BrokenPair[] {
  const pairs: BrokenPair[] = [];

  for (const [first, one] of tracks.entries()) {
    for (const [second, other] of tracks.entries()) {
      const isNew = first < second && !findConflict(one.start, other.start);
      const [conflict] = isNew ? listConflicts([one.end, other.end]) : [];
      if (conflict) {
        pairs.push({ indexes: [first, second], conflict });
      }
    }
  }

  return pairs;
}

/** One track of each broken pair, to stay: the one with more broken pairs, else the one that is due later. */
function chooseStaying(tracks: readonly Track[]): Set<number> {
  const pairs = listBrokenPairs(tracks);
  const broken = pairs.flatMap(({ indexes }) => indexes);
  const countBroken = (index: number) => broken.filter((each) => each === index).length;
  const readDue = (index: number) => tracks[index]!.input.answer.moveBy ?? '';
  const staying = new Set<number>();

  for (const { indexes } of pairs) {
    const [worst] = indexes
      .filter((index) => isMoving(tracks[index]!))
      .sort(
        (a, b) =>
          countBroken(b) - countBroken(a) ||
          oldestFirst(readDue(b), readDue(a)) ||
          compareNames(tracks[b]!, tracks[a]!),
      );
    // One of the two moves: without a move, the pair would be broken now.
    staying.add(worst!);
  }

  return staying;
}
