import { oldestFirst, type Day } from '../../core/model/dates.ts';
import { findConflict, listConflicts, formatName, type Conflict, type Position } from './pairs.ts';
import { compareNames, isMoving, type Track } from './tracks.ts';

/** Moves that are done together: one, or several that no order keeps whole. */
export interface StepGroup {
  readonly moves: readonly [Track, ...Track[]];
  /** The last day for it; undefined for now. */
  readonly by: Day | undefined;
  /** The move that needs this step, where that is due earlier than the step itself. */
  readonly before: Track | undefined;
  /** The conflicts that are over from then on. */
  readonly resolved: readonly Conflict[];
}

/** Sorts before all days. */
const dueNow = ' now';
/** Sorts after all days. */
const neverDue = '~ never';
type Due = Day | typeof dueNow | typeof neverDue;

/**
 * Orders the steps so that no step breaks a pair: exploited versions, then what is due now, then the others by day. On one day,
 * the step that resolves more conflicts comes first, then the first by name. A step comes after those that it needs, and passes
 * its earlier day on to them.
 */
export function orderSteps(tracks: readonly Track[]): StepGroup[] {
  const movers = tracks.filter(isMoving).sort(compareNames);
  const needs = new Map(movers.map((track) => [track, listNeeds(track, movers)]));
  const urgent = listUrgent(tracks);
  const readDue = (track: Track) => (urgent.has(track) ? dueNow : findOwnDue(track));
  const positions = new Map(tracks.map((track) => [track, track.start]));

  const groups = groupMoves(movers, needs).map((moves) => {
    const dependents = movers.filter((track) => needs.get(track)!.has(moves[0]));
    const [first] = dependents.toSorted((a, b) => oldestFirst(readDue(a), readDue(b)));
    const due = readDue(first!);
    const isEarlier = moves.every((track) => due < readDue(track));
    return {
      moves,
      due,
      before: isEarlier ? first : undefined,
      isExploited: dependents.some(({ input }) => input.answer.exploitedSince),
      resolves: applyMoves(moves, positions).resolved.length,
    };
  });

  groups.sort(
    (a, b) =>
      Number(b.isExploited) - Number(a.isExploited) ||
      oldestFirst(a.due, b.due) ||
      b.resolves - a.resolves ||
      compareNames(a.moves[0], b.moves[0]),
  );

  const steps: StepGroup[] = [];

  while (groups.length > 0) {
    const remaining = new Set(groups.flatMap(({ moves }) => moves));
    const index = groups.findIndex(({ moves }) => {
      const openNeeds = [...needs.get(moves[0])!].filter((need) => remaining.has(need));
      return openNeeds.every((need) => moves.includes(need));
    });
    const [{ moves, due, before }] = groups.splice(index, 1) as [(typeof groups)[number]];
    const { after, resolved } = applyMoves(moves, positions);
    for (const [track, position] of after) {
      positions.set(track, position);
    }

    steps.push({
      moves,
      by: due === dueNow || due === neverDue ? undefined : due,
      before,
      resolved,
    });
  }

  return steps;
}

/** The day of a move by its own reason. */
function findOwnDue({ input, reason }: Track): Due {
  return reason === 'conflict' ? neverDue : (input.answer.moveBy ?? dueNow);
}

/** The moves that resolve a conflict of today. If two moves do, the one that is due first. */
function listUrgent(tracks: readonly Track[]): Set<Track> {
  const urgent = new Set<Track>();

  for (const one of tracks) {
    for (const other of tracks) {
      const isOver = findConflict(one.start, other.start) && !findConflict(one.end, other.end);
      const movers = isOver ? [one, other] : [];
      const [first] = movers
        .filter((track) => !findConflict(track.end, (track === one ? other : one).start))
        .sort((a, b) => oldestFirst(findOwnDue(a), findOwnDue(b)) || compareNames(a, b));
      for (const track of first ? [first] : movers) {
        urgent.add(track);
      }
    }
  }

  return urgent;
}

type Needs = ReadonlyMap<Track, ReadonlySet<Track>>;

/** All moves that have to be done before another or with it, one through another, and itself. */
function listNeeds(track: Track, movers: readonly Track[]): Set<Track> {
  const needs = new Set([track]);
  for (const { start, end } of needs) {
    for (const other of movers) {
      if (findConflict(end, other.start) && !findConflict(start, other.start)) {
        needs.add(other);
      }
    }
  }
  return needs;
}

/** The moves, together where each needs the other. */
function groupMoves(movers: readonly Track[], needs: Needs): [Track, ...Track[]][] {
  const groups = new Map<Track, [Track, ...Track[]]>();
  for (const track of movers) {
    const first = [...groups.keys()].find(
      (other) => needs.get(track)!.has(other) && needs.get(other)!.has(track),
    );
    if (first) {
      groups.get(first)!.push(track);
    } else {
      groups.set(track, [track]);
    }
  }

  return [...groups.values()];
}

type Positions = ReadonlyMap<Track, Position>;

/** The positions after some moves, and the conflicts that are over with them. */
function applyMoves(moves: readonly Track[], positions: Positions) {
  const after = new Map(positions);
  const resolved: Conflict[] = [];
  for (const move of moves) {
    after.set(move, move.end);
  }

  for (const move of moves) {
    for (const other of positions.keys()) {
      const isOver =
        (!moves.includes(other) || formatName(move.start) < formatName(other.start)) &&
        !findConflict(after.get(move)!, after.get(other)!);
      if (isOver) {
        resolved.push(...listConflicts([positions.get(move)!, positions.get(other)!]));
      }
    }
  }

  return { after, resolved };
}
