import type { Day } from '../../core/model/dates.ts';
import { findConflict, listConflicts, type Conflict, type Position } from './pairs.ts';
import { compareDue, compareNames, findOwnDue, isMoving, type Track } from './tracks.ts';

/** Tracks that move together: one, or several of which each order would break a pair in between. */
export interface StepGroup {
  readonly tracks: readonly [Track, ...Track[]];
  /** The last day for it; undefined for now, and for a step that only resolves a conflict. */
  readonly dueDay: Day | undefined;
  /** The track that needs this step, if the step has its earlier day from it. */
  readonly neededBy: Track | undefined;
  /** The conflicts that the step resolves. */
  readonly resolved: readonly Conflict[];
}

type Positions = ReadonlyMap<Track, Position>;

/** By moving track, the tracks that have to move before it or with it, and itself. */
type Needs = ReadonlyMap<Track, ReadonlySet<Track>>;

/**
 * Orders the steps so that no step breaks a pair: exploited versions, then what is due now, then by day, then what has no day. On one
 * day, the step that resolves more conflicts comes first, then the first by name. A step comes after those that it needs, and passes
 * its earlier day on to them.
 */
export function orderSteps(tracks: readonly Track[]): StepGroup[] {
  let remaining = rankGroups(tracks).sort(compareGroups);
  let positions = listStarts(tracks);
  const steps: StepGroup[] = [];

  while (remaining.length > 0) {
    const group = findNextGroup(remaining);
    const { tracks: moved, neededBy, due } = group;
    const { newPositions, resolved } = moveTracks(moved, positions);
    const dueDay = due === 'now' || due === 'never' ? undefined : due;
    steps.push({ tracks: moved, dueDay, neededBy, resolved });
    remaining = remaining.filter((each) => each !== group);
    positions = newPositions;
  }

  return steps;
}

type RankedGroup = ReturnType<typeof rankGroups>[number];

/** Tracks that move together, with the facts that decide their place in the order. */
function rankGroups(tracks: readonly Track[]) {
  const moving = tracks.filter(isMoving).sort(compareNames);
  const needs: Needs = new Map(moving.map((track) => [track, listNeeds(track, moving)]));
  const urgent = listUrgent(tracks);
  const readDue = (track: Track) => (urgent.has(track) ? 'now' : findOwnDue(track));
  const positions = listStarts(tracks);

  return groupTracks(moving, needs).map((group) => {
    const [first] = group;
    const dependents = moving.filter((track) => needs.get(track)!.has(first));
    const [earliest] = dependents.toSorted((a, b) => compareDue(readDue(a), readDue(b)));
    // A track needs itself, so there is always one.
    const due = readDue(earliest!);
    const isPassedOn = group.every((track) => compareDue(due, readDue(track)) < 0);
    return {
      tracks: group,
      /** The same for all tracks of a group, as they need each other. */
      needs: needs.get(first)!,
      /** The earliest day of a track that needs the group. */
      due,
      neededBy: isPassedOn ? earliest : undefined,
      /** Whether such a track has an exploited version. */
      isExploited: dependents.some(({ input }) => input.answer.exploitedSince !== undefined),
      /** The number of conflicts that the group resolves if it moves first. */
      resolvedCount: moveTracks(group, positions).resolved.length,
    };
  });
}

function compareGroups(a: RankedGroup, b: RankedGroup): number {
  return (
    Number(b.isExploited) - Number(a.isExploited) ||
    compareDue(a.due, b.due) ||
    b.resolvedCount - a.resolvedCount ||
    compareNames(a.tracks[0], b.tracks[0])
  );
}

/** The first group that needs no other. There is one, since tracks that need each other are one group. */
function findNextGroup(groups: readonly RankedGroup[]): RankedGroup {
  const needsOther = (group: RankedGroup) =>
    groups.some((other) => other !== group && group.needs.has(other.tracks[0]));
  return groups.find((group) => !needsOther(group))!;
}

/** The tracks that resolve a conflict of today. */
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

/** The tracks that resolve the conflict of two versions: one that suffices alone (of two, the one that is due first), else both. */
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

/** The tracks that have to move before a track or with it, also because another of them needs them, and itself. */
function listNeeds(track: Track, moving: readonly Track[]): Set<Track> {
  const needs = new Set([track]);
  // The loop also goes over what it adds.
  for (const { start, end } of needs) {
    for (const other of moving) {
      if (findConflict(end, other.start) && !findConflict(start, other.start)) {
        needs.add(other);
      }
    }
  }
  return needs;
}

/** The tracks, together where each needs the other. */
function groupTracks(moving: readonly Track[], needs: Needs) {
  // The key is the first track that needs the track and is needed by it: for the first of a group, itself.
  const groups = Map.groupBy(moving, (track) =>
    moving.find((other) => needs.get(track)!.has(other) && needs.get(other)!.has(track)),
  );
  return [...groups.values()];
}

/** The present positions. */
function listStarts(tracks: readonly Track[]): Positions {
  return new Map(tracks.map((track) => [track, track.start]));
}

/** The positions after some tracks have moved, and the conflicts that this resolves. */
function moveTracks(tracks: readonly Track[], positions: Positions) {
  const newPositions = new Map(positions);
  for (const track of tracks) {
    newPositions.set(track, track.end);
  }

  const resolved: Conflict[] = [];
  const compared = new Set<Track>();
  for (const track of tracks) {
    compared.add(track);
    for (const [other, position] of newPositions) {
      // A conflict of two moved tracks is resolved once.
      if (!compared.has(other) && !findConflict(track.end, position)) {
        resolved.push(...listConflicts([positions.get(track)!, positions.get(other)!]));
      }
    }
  }

  return { newPositions, resolved };
}
