import { findConflict, listConflicts } from './pairs.ts';
import { resolveConflicts } from './resolve-conflicts.ts';
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
  const isReplaced = goal.component !== details.component;
  const goalDetails = isReplaced ? replacement! : details;
  const preferredGoal = { details: goalDetails, version: goal.version };
  return {
    ...track,
    end: { details: goalDetails, version: moveTo.version },
    goal: preferredGoal,
    reason: moveReason,
    preferredReplacement: isReplaced ? preferredGoal : undefined,
  };
}

/** The versions that lose their preferred goals until no pair is broken. */
function findBlockedInputs(inputs: readonly PlanInput[]): Set<PlanInput> {
  const blocked = new Set<PlanInput>();
  let pairs: BrokenPair[];
  // Each round blocks a further input. A blocked one moves only to a version without conflicts, so it is in no broken pair.
  do {
    pairs = listBrokenPairs(makeTracks(inputs, blocked));
    for (const input of chooseInputsToBlock(pairs)) {
      blocked.add(input);
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
