import type { Day } from '../../core/model/dates.ts';
import { findConflict, listConflicts, formatName, type Conflict, type Position } from './pairs.ts';
import { compareDue, compareNames, findOwnDue, isMoving, type Track } from './tracks.ts';

/** Moves that are done together: one, or several of which each order would break a pair in between. */
export interface StepGroup {
  readonly moves: readonly [Track, ...Track[]];
  /** The last day for it; undefined for now. */
  readonly by: Day | undefined;
  /** The move that needs this step, if the step has its earlier day from it. */
  readonly before: Track | undefined;
  /** The conflicts that the step resolves. */
  readonly resolved: readonly Conflict[];
}

type Positions = ReadonlyMap<Track, Position>;

/** By move, the moves that have to be done before it or with it, and itself. */
type Needs = ReadonlyMap<Track, ReadonlySet<Track>>;

/**
 * Orders the steps so that no step breaks a pair: exploited versions, then what is due now, then the others by day. On one day,
 * the step that resolves more conflicts comes first, then the first by name. A step comes after those that it needs, and passes
 * its earlier day on to them.
 */
export function orderSteps(tracks: readonly Track[]): StepGroup[] {
  const movers = tracks.filter(isMoving).sort(compareNames);
  const needs = new Map(movers.map((track) => [track, listNeeds(track, movers)]));
  let remaining = rankGroups(tracks, movers, needs).sort(compareGroups);
  let positions: Positions = new Map(tracks.map((track) => [track, track.start]));
  const steps: StepGroup[] = [];

  while (remaining.length > 0) {
    const group = findNextGroup(remaining, needs);
    const { moves, before, due } = group;
    const { after, resolved } = applyMoves(moves, positions);
    // A move that resolves a conflict, and is due by no day, is done now.
    const by = due === 'now' || due === 'never' ? undefined : due;
    steps.push({ moves, by, before, resolved });
    remaining = remaining.filter((each) => each !== group);
    positions = after;
  }

  return steps;
}

type RankedGroup = ReturnType<typeof rankGroups>[number];

/** The groups of moves, each with the facts that decide its place in the order. */
function rankGroups(tracks: readonly Track[], movers: readonly Track[], needs: Needs) {
  const urgent = listUrgent(tracks);
  const readDue = (track: Track) => (urgent.has(track) ? 'now' : findOwnDue(track));
  const positions = new Map(tracks.map((track) => [track, track.start]));

  return groupMoves(movers, needs).map((moves) => {
    const dependents = movers.filter((track) => needs.get(track)!.has(moves[0]));
    const [earliest] = dependents.toSorted((a, b) => compareDue(readDue(a), readDue(b)));
    // A move needs itself, so there is always one.
    const due = readDue(earliest!);
    const isPassedOn = moves.every((track) => compareDue(due, readDue(track)) < 0);
    return {
      moves,
      due,
      before: isPassedOn ? earliest : undefined,
      isExploited: dependents.some(({ input }) => input.answer.exploitedSince),
      // As the first step.
      resolvedCount: applyMoves(moves, positions).resolved.length,
    };
  });
}

function compareGroups(a: RankedGroup, b: RankedGroup): number {
  return (
    Number(b.isExploited) - Number(a.isExploited) ||
    compareDue(a.due, b.due) ||
    b.resolvedCount - a.resolvedCount ||
    compareNames(a.moves[0], b.moves[0])
  );
}

/** The first group that needs no move of another. There is one, since moves that need each other are one group. */
function findNextGroup(groups: readonly RankedGroup[], needs: Needs): RankedGroup {
  const movers = groups.flatMap(({ moves }) => moves);
  return groups.find(({ moves }) =>
    movers.every((track) => moves.includes(track) || !needs.get(moves[0])!.has(track)),
  )!;
}

/** The moves that resolve a conflict of today. */
function listUrgent(tracks: readonly Track[]): Set<Track> {
  const urgent = new Set<Track>();
  for (const one of tracks) {
    for (const other of tracks) {
      if (findConflict(one.start, other.start) && !findConflict(one.end, other.end)) {
        for (const track of listResolving(one, other)) {
          urgent.add(track);
        }
      }
    }
  }
  return urgent;
}

/** The move that resolves the conflict of two versions by itself, of two such moves the one that is due first; else both moves. */
function listResolving(one: Track, other: Track): Track[] {
  const resolving: Track[] = [];
  if (!findConflict(one.end, other.start)) {
    resolving.push(one);
  }
  if (!findConflict(other.end, one.start)) {
    resolving.push(other);
  }

  const [earliest] = resolving.sort(
    (a, b) => compareDue(findOwnDue(a), findOwnDue(b)) || compareNames(a, b),
  );
  return earliest ? [earliest] : [one, other];
}

/** The moves that have to be done before a move or with it, also because another of them needs them, and itself. */
function listNeeds(track: Track, movers: readonly Track[]): Set<Track> {
  const needs = new Set([track]);
  // The loop also goes over what it adds.
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
function groupMoves(movers: readonly Track[], needs: Needs) {
  // A move needs itself, so the first move of a group is the key for all of it.
  const groups = Map.groupBy(movers, (track) =>
    movers.find((other) => needs.get(track)!.has(other) && needs.get(other)!.has(track)),
  );
  return [...groups.values()];
}

/** The positions after some moves, and the conflicts that the moves resolve. */
function applyMoves(moves: readonly Track[], positions: Positions) {
  const after = new Map(positions);
  for (const move of moves) {
    after.set(move, move.end);
  }

  const resolved: Conflict[] = [];

  for (const move of moves) {
    for (const other of positions.keys()) {
      // Two of the moves resolve their conflict once.
      const isFirst = !moves.includes(other) || formatName(move.start) < formatName(other.start);
      if (isFirst && !findConflict(after.get(move)!, after.get(other)!)) {
        resolved.push(...listConflicts([positions.get(move)!, positions.get(other)!]));
      }
    }
  }

  return { after, resolved };
}
