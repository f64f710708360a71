import { listCandidates } from '../../core/model/move-to.ts';
import { findNextStop, resolveStops } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import { findRelease } from '../answers/find-release.ts';
import { findConflict, isBelow, listFittingWith, type Position } from './pairs.ts';
import { compareNames, createStayingTrack, type Track } from './tracks.ts';

/**
 * Gives tracks other goals where their ends are in conflict. Each change is the best one at that moment, so another order could
 * resolve more.
 */
export function resolveConflicts(tracks: readonly Track[]): readonly Track[] {
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
  return candidate ? changeGoal(track, candidate.version) : track;
}

/** A track to another goal that resolves its conflicts, its index, and the number of these conflicts. */
interface Change {
  readonly index: number;
  readonly track: Track;
  readonly conflicts: number;
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
function findBestChange(tracks: readonly Track[], above: Bound): Change | undefined {
  const changes = Array.from(tracks.keys(), (index) => findChange(tracks, index, above));
  return changes
    .filter((change) => change !== undefined)
    .sort((a, b) => b.conflicts - a.conflicts || compareNames(a.track, b.track))[0];
}

/**
 * The change of a track to the greatest goal whose end conflicts with no track, and works with one that the present end conflicts
 * with: as stated, or as newer than a version that is. The end may be a stop before the goal. A replacement may go to any release.
 */
function findChange(tracks: readonly Track[], index: number, above: Bound): Change | undefined {
  const track = tracks[index]!;
  const { start, end, goal } = track;
  const { details } = goal;
  const ends = listEnds(tracks);
  const conflicting = ends.filter((other) => findConflict(end, other));
  if (conflicting.length === 0) {
    return undefined;
  }

  const isReplaced = details !== start.details;
  for (const { version } of listCandidates(details).toReversed()) {
    if (!isReplaced && !isBelow(track[above].version, version)) {
      continue;
    }

    const changed = changeGoal(track, version);
    const { end: newEnd } = changed;
    const isFree = !ends.some((other) => findConflict(newEnd, other));
    const fits = conflicting.some((other) => listFittingWith(details, other).has(newEnd.version));
    if (isFree && fits) {
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
