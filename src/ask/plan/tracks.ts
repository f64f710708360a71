import { candidatesIn, type MoveReason, type MoveTarget } from '../../core/model/move-to.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { nextStop, resolveStops } from '../../core/model/upgrade-stops.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { DetailsOn } from '../answers/details-on.ts';
import { findRelease } from '../answers/find-release.ts';
import { conflictBetween, fittingWith, isBelow, type Position } from './pairs.ts';

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

/** A version of a list, and where it goes. */
export interface Track {
  readonly input: PlanInput;
  /** The present position. */
  readonly start: Position;
  /** The target; the present position if there is no reason to move. */
  readonly goal: Position;
  readonly reason?: MoveReason | 'conflict' | undefined;
  readonly to?: MoveTarget | undefined;
}

/** The goal of each version by itself. */
function trackOf(input: PlanInput): Track {
  const { answer, details, replacement } = input;
  const { moveTo, goal = moveTo, moveReason } = answer;
  const start = { details, version: answer.version };

  if (!goal) {
    return { input, start, goal: start };
  }

  const goalDetails = goal.component === details.component ? details : replacement!;

  return {
    input,
    start,
    goal: { details: goalDetails, version: goal.version },
    reason: moveReason,
    to: moveTo,
  };
}

/** The tracks of a list: each to its own goal, then up where two goals do not work together. */
export function tracksOf(inputs: readonly PlanInput[]): Track[] {
  const tracks = inputs.map(trackOf);

  for (;;) {
    const raise = bestRaise(tracks);

    if (!raise) {
      return tracks;
    }

    tracks[raise.place] = raised(tracks[raise.place]!, raise.version);
  }
}

/** A way up for one track that resolves conflicts and makes none. */
interface Raise {
  readonly place: number;
  readonly version: string;
  /** The number of conflicts that it resolves. */
  readonly resolves: number;
}

/** The way up that resolves the most conflicts. */
function bestRaise(tracks: readonly Track[]): Raise | undefined {
  let best: Raise | undefined;

  for (const place of byName(tracks)) {
    const raise = raiseOf(tracks, place);

    if (raise && (!best || raise.resolves > best.resolves)) {
      best = raise;
    }
  }

  return best;
}

function byName(tracks: readonly Track[]): number[] {
  const nameOf = (place: number) => tracks[place]!.goal.details.component;
  return [...tracks.keys()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : a - b));
}

/**
 * The greatest release above the goal of a track without a reason to move off it, that goes with one of the goals that conflict with
 * it, and conflicts with none.
 */
function raiseOf(tracks: readonly Track[], place: number): Raise | undefined {
  const { goal } = tracks[place]!;
  const { details } = goal;
  const others = tracks.filter((_, index) => index !== place).map((track) => track.goal);
  const conflicting = others.filter((other) => conflictBetween(goal, other));

  if (conflicting.length === 0) {
    return undefined;
  }

  const fitting = conflicting.map((other) => fittingWith(details, other));

  const candidate = candidatesIn(details).findLast(
    ({ version }) =>
      isBelow(goal.version, version) &&
      fitting.some((versions) => versions.has(version)) &&
      !others.some((other) => conflictBetween({ details, version }, other)),
  );

  return candidate && { place, version: candidate.version, resolves: conflicting.length };
}

/** The track with a greater goal, and the stop on the way to it. */
function raised(track: Track, version: string): Track {
  const { start, goal, reason = 'conflict' } = track;
  const { details } = goal;
  const { component, releases } = details;
  const target = { component, version };
  const isOwn = component === start.details.component;
  const from = isOwn ? parseVersion(start.version) : undefined;
  const release = findRelease(releases, version);
  const stops = resolveStops(details.upgradeStops, releases);
  const stop = from && release && nextStop(stops, from, release);

  return {
    ...track,
    goal: { details, version },
    reason,
    to: stop ? { component, version: stop.release.version } : target,
  };
}
