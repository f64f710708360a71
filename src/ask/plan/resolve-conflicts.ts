import { listCandidates } from '../../core/model/move-to.ts';
import { findNextStop, resolveStops } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import { findRelease } from '../answers/find-release.ts';
import { findConflict, isBelow, listFittingWith, type Position } from './pairs.ts';
import { compareNames, createStayingTrack, type Track } from './tracks.ts';

/**
 * The tracks with other goals where ends are in conflict. Each change is the best one at that moment, so another order could resolve
 * more.
 */
export function resolveConflicts(tracks: readonly Track[]): readonly Track[] {
  const fitted = fitReplacements(tracks);
  // A goal between the present position and the own goal is the last choice.
  const raised = raiseGoals(raiseGoals(fitted, 'end'), 'start');
  return removeNeedless(raised);
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

/** The position of a track above which a goal is searched. */
type Floor = 'end' | 'start';

/** A track to a greater version, its index, and the number of its conflicts before. */
interface Raise {
  readonly index: number;
  readonly track: Track;
  readonly conflicts: number;
}

/** Takes the best raise, as long as there is one. */
function raiseGoals(tracks: readonly Track[], floor: Floor): readonly Track[] {
  let raised = tracks;
  let raise = findBestRaise(raised, floor);
  while (raise) {
    raised = raised.with(raise.index, raise.track);
    raise = findBestRaise(raised, floor);
  }

  return raised;
}

/** The raise of the track with the most conflicts; of several, the first by name. */
function findBestRaise(tracks: readonly Track[], floor: Floor): Raise | undefined {
  const raises = Array.from(tracks.keys(), (index) => findRaise(tracks, index, floor));
  return raises
    .filter((raise) => raise !== undefined)
    .sort((a, b) => b.conflicts - a.conflicts || compareNames(a.track, b.track))[0];
}

/** The raise to the greatest goal that goes with one of the ends in conflict, and has no conflict with any. */
function findRaise(tracks: readonly Track[], index: number, floor: Floor): Raise | undefined {
  const track = tracks[index]!;
  const ends = listEnds(tracks);
  const conflicting = ends.filter((end) => findConflict(track.end, end));
  const fitting = conflicting.map((end) => listFittingWith(track.goal.details, end));

  const raised = listHigher(track, floor).findLast(
    ({ end }) =>
      fitting.some((versions) => versions.has(end.version)) &&
      !ends.some((other) => findConflict(end, other)),
  );
  return raised && { index, track: raised, conflicts: conflicting.length };
}

/** The track to each goal above the floor without a reason to move off it, the lowest first. */
function listHigher(track: Track, floor: Floor): Track[] {
  return listCandidates(track.goal.details)
    .filter(({ version }) => isAbove(track, floor, version))
    .map(({ version }) => changeGoal(track, version));
}

/** Whether a version is above a position of a track. Every version of a replacement is above the start. */
function isAbove(track: Track, floor: Floor, version: string): boolean {
  const { start, goal } = track;
  const isReplaced = floor === 'start' && goal.details !== start.details;
  return isReplaced || isBelow(track[floor].version, version);
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

function listEnds(tracks: readonly Track[]): Position[] {
  return tracks.map(({ end }) => end);
}
