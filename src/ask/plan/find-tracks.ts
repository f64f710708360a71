import { newestFirst } from '../../core/model/dates.ts';
import { findConflict, listConflicts } from './pairs.ts';
import { resolveConflicts } from './resolve-conflicts.ts';
import {
  compareNames,
  createOwnTrack,
  createStayingTrack,
  isMoving,
  type BrokenPair,
  type PlanInput,
  type Track,
} from './tracks.ts';

/**
 * The tracks of a list, by which no move breaks a pair:
 * 1. Each version goes to its own goal, and other goals resolve conflicts of the ends.
 * 2. While a pair is broken, one of its versions loses its own goal, and step 1 is repeated.
 * 3. Each of these versions gets its own goal back, if that breaks no pair by now.
 * 4. The tracks that follow from this say which pairs keep a version from its own goal.
 */
export function findTracks(inputs: readonly PlanInput[]): Track[] {
  const obstacles = findObstacles(inputs, chooseWithoutOwnGoal(inputs));
  const tracks = makeTracks(inputs, new Set(obstacles.keys()));
  return tracks.map((track) => ({ ...track, obstacles: obstacles.get(track.input) }));
}

/** A version without its own goal moves only where that resolves a conflict. */
function makeTracks(
  inputs: readonly PlanInput[],
  withoutOwnGoal: ReadonlySet<PlanInput>,
): readonly Track[] {
  const tracks = inputs.map((input) =>
    withoutOwnGoal.has(input) ? createStayingTrack(input) : createOwnTrack(input),
  );
  return resolveConflicts(tracks);
}

/** The versions that lose their own goals until no pair is broken. */
function chooseWithoutOwnGoal(inputs: readonly PlanInput[]): Set<PlanInput> {
  const withoutOwnGoal = new Set<PlanInput>();
  let pairs: BrokenPair[];
  do {
    const tracks = makeTracks(inputs, withoutOwnGoal);
    pairs = listBrokenPairs(tracks);
    for (const { input } of chooseOfPairs(tracks, pairs)) {
      withoutOwnGoal.add(input);
    }
  } while (pairs.length > 0);
  return withoutOwnGoal;
}

/** By version that does not get its own goal back, the pairs that this would break. */
function findObstacles(
  inputs: readonly PlanInput[],
  withoutOwnGoal: ReadonlySet<PlanInput>,
): Map<PlanInput, readonly BrokenPair[]> {
  const remaining = new Set(withoutOwnGoal);
  const obstacles = new Map<PlanInput, readonly BrokenPair[]>();

  for (const input of withoutOwnGoal) {
    remaining.delete(input);
    const pairs = listBrokenPairs(makeTracks(inputs, remaining));
    if (pairs.length > 0) {
      remaining.add(input);
      obstacles.set(input, pairs);
    }
  }

  return obstacles;
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

/** One moving track of each broken pair: the one that breaks more pairs, else the one that is due later. */
function chooseOfPairs(tracks: readonly Track[], pairs: readonly BrokenPair[]): Track[] {
  const broken = pairs.flatMap(({ indexes }) => indexes);
  const countPairs = (track: Track) => broken.filter((index) => tracks[index] === track).length;
  const compareLosses = (a: Track, b: Track) =>
    countPairs(b) - countPairs(a) || newestFirst(readDue(a), readDue(b)) || compareNames(b, a);

  return pairs.map(({ indexes }) => {
    const moving = indexes.map((index) => tracks[index]!).filter(isMoving);
    // One of the two moves: without a move, the pair would be broken now.
    return moving.sort(compareLosses)[0]!;
  });
}

/** The day by which to move. A move without a day is due now: the empty text is before all days. */
function readDue({ input }: Track): string {
  return input.answer.moveBy ?? '';
}
