import { listCandidates, type MovableRelease } from '../../core/model/move-to.ts';
import { findNextStop } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import { openStops } from '../answers/judge-version.ts';
import { findConflict, isBelow, listConflicts, listFittingWith, type Position } from './pairs.ts';
import {
  compareDue,
  compareNames,
  createStayingTrack,
  findOwnDue,
  isMoving,
  type BrokenPair,
  type PlanInput,
  type Track,
} from './tracks.ts';

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

/** The track of a version to its preferred goal, whatever the other versions need. */
function createPreferredTrack(input: PlanInput): Track {
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

/** The versions that lose their preferred goals until no pair is broken. */
function findBlockedInputs(inputs: readonly PlanInput[]): Set<PlanInput> {
  const blocked = new Set<PlanInput>();
  // Each round blocks a further input. A blocked one moves only to a version without conflicts, so it is in no broken pair.
  for (;;) {
    const pairs = listBrokenPairs(makeTracks(inputs, blocked));
    if (pairs.length === 0) {
      return blocked;
    }

    for (const input of chooseInputsToBlock(pairs)) {
      blocked.add(input);
    }
  }
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
  for (const [index, one] of tracks.entries()) {
    for (const other of tracks.slice(index + 1)) {
      const [conflict] = listConflicts([one.end, other.end]);
      if (conflict && !findConflict(one.start, other.start)) {
        pairs.push({ tracks: [one, other], conflict });
      }
    }
  }
  return pairs;
}

/**
 * The version of each broken pair that loses its preferred goal: of the moving ones the one that breaks more pairs, else the one that
 * is due later.
 */
function chooseInputsToBlock(pairs: readonly BrokenPair[]): PlanInput[] {
  const countPairs = (track: Track) => pairs.filter(({ tracks }) => tracks.includes(track)).length;
  const compareTracks = (a: Track, b: Track) =>
    countPairs(b) - countPairs(a) || compareDue(findOwnDue(b), findOwnDue(a)) || compareNames(b, a);

  return pairs.map(({ tracks }) => {
    const [chosen] = tracks.filter(isMoving).sort(compareTracks);
    // One of the two moves: if both stayed, they would be in conflict now.
    return chosen!.input;
  });
}

/**
 * Gives tracks other goals where their ends are in conflict. Each change is the best one at that moment, so another order could
 * resolve more.
 */
function resolveConflicts(tracks: readonly Track[]): readonly Track[] {
  const changed = applyBestChanges(fitReplacements(tracks), 'end');
  // A goal between the present version and the planned end is the last choice.
  return removeNeedless(applyBestChanges(changed, 'start'));
}

/** Gives each replacement its greatest release without a conflict. Later ones see the choices of earlier ones. */
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
  return candidate ? changeGoal(track, candidate) : track;
}

/** The position of a track: only goals above it are tried. */
type Bound = 'start' | 'end';

/** Applies the best change, as long as there is one. */
function applyBestChanges(tracks: readonly Track[], above: Bound): readonly Track[] {
  let changed = tracks;
  for (;;) {
    const change = findBestChange(changed, above);
    if (!change) {
      return changed;
    }

    changed = changed.with(change.index, change.track);
  }
}

/** The change of the track with the most conflicts; of several, the first by name. */
function findBestChange(tracks: readonly Track[], above: Bound) {
  const changes = Array.from(tracks.keys(), (index) => findChange(tracks, index, above));
  return changes
    .filter((change) => change !== undefined)
    .sort((a, b) => b.conflicts - a.conflicts || compareNames(a.track, b.track))[0];
}

/**
 * The change of a track to the greatest goal whose end conflicts with no track, and works with one that the present end conflicts
 * with: as stated, or as newer than a version that is. The end may be a stop before the goal. A replacement may go to any release.
 * `conflicts`: the number of conflicts that this resolves.
 */
function findChange(tracks: readonly Track[], index: number, above: Bound) {
  const track = tracks[index]!;
  const { start, end, goal } = track;
  const { details } = goal;
  const ends = listEnds(tracks);
  const conflicting = ends.filter((other) => findConflict(end, other));
  if (conflicting.length === 0) {
    return undefined;
  }

  const isReplaced = details !== start.details;
  const fitting = conflicting.map((other) => listFittingWith(details, other));
  for (const candidate of listCandidates(details).toReversed()) {
    if (!isReplaced && !isBelow(track[above].version, candidate.version)) {
      continue;
    }

    const changed = changeGoal(track, candidate);
    const fits = fitting.some((versions) => versions.has(changed.end.version));
    if (fits && !ends.some((other) => findConflict(changed.end, other))) {
      return { index, track: changed, conflicts: conflicting.length };
    }
  }

  return undefined;
}

/** Takes back moves for a conflict that the moves of other tracks have made needless. */
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

/** The track to another goal of the same component, with a step that ends at the first of the stops on the way to it. */
function changeGoal(track: Track, candidate: MovableRelease): Track {
  const { start, goal, reason = 'conflict' } = track;
  const { details } = goal;
  const { version } = candidate;
  // A way to a replacement has no stops.
  const stops = details === start.details ? openStops(details) : [];
  // Every version of an answer can be parsed.
  const stop = findNextStop(stops, parseVersion(start.version)!, candidate);

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
