import { findEarliestDay, oldestFirst, type Day } from '../../core/model/dates.ts';
import type { MoveReason } from '../../core/model/move-to.ts';
import { hasEnded } from '../../core/model/phases.ts';
import { findAnswerEnd } from '../answers/verdict-sentences.ts';
import { findRelease } from '../answers/find-release.ts';
import type { AnsweredVersion } from '../answers/version-answer.ts';
import { formatName, type Conflict, type Position } from './pairs.ts';

/** A judged version of a list. */
export interface PlanInput extends AnsweredVersion {
  /** The line in the text, or the place in the list, from 1. */
  readonly line?: number | undefined;
}

/** Two tracks whose ends conflict, though their present versions do not. */
export interface BrokenPair {
  readonly tracks: readonly [Track, Track];
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
  /** Why it cannot go to its preferred goal: the conflicts that the move would make. */
  readonly obstacles?: readonly BrokenPair[] | undefined;
}

/** The track of a version that stays. */
export function createStayingTrack(input: PlanInput): Track {
  const start = { details: input.details, version: input.answer.version };
  return { input, start, end: start, goal: start };
}

/** Whether it has a step: to another version, or to a replacement, whose version may be the same text. */
export function isMoving({ start, end }: Track): boolean {
  return end.version !== start.version || end.details.component !== start.details.component;
}

/** Whether its step ends at a stop on the way to its goal: both are in one component, so their versions tell. */
export function isAtStop({ end, goal }: Track): boolean {
  return end.version !== goal.version;
}

/** The advisories that affect a version when the plan is done and it has reached its goal. */
export function listUnfixed({ goal }: Track): readonly string[] {
  return findRelease(goal.details.releases, goal.version)?.advisories ?? [];
}

type Due = Day | 'now' | 'never';

/** When a move is due for its own reason: never, if it only resolves a conflict. */
export function findOwnDue({ input, reason }: Track): Due {
  return reason === 'conflict' ? 'never' : (input.answer.moveBy ?? 'now');
}

/** The earliest first: now, the days, never. */
export function compareDue(a: Due, b: Due): number {
  return rankDue(a) - rankDue(b) || oldestFirst(a, b);
}

function rankDue(due: Due): number {
  switch (due) {
    case 'now':
      return 0;
    case 'never':
      return 2;
    default:
      return 1;
  }
}

/** Orders tracks by their names, not by their places in the list. */
export function compareNames(one: Track, other: Track): number {
  return oldestFirst(formatName(one.start), formatName(other.start));
}

/**
 * The next day, from `asOf` on, on which support of a version may end once the plan is done, leaving out versions at a stop. Undefined
 * where none is known, and where a step leads to a line whose support may have ended: more may be due at any time.
 */
export function findNextSupportEnd(tracks: readonly Track[], asOf: Day): Day | undefined {
  const ends: (Day | undefined)[] = [];
  for (const track of tracks.filter((each) => !isAtStop(each))) {
    const line = isMoving(track) ? findLineAt(track.end) : undefined;
    if (line?.state === 'may-have-ended') {
      return undefined;
    }

    // A version that stays need not be listed: its answer names the end of its line.
    ends.push(isMoving(track) ? line?.supportedUntil : findAnswerEnd(track.input.answer).until);
  }

  return findEarliestDay(ends.filter((until) => !hasEnded({ until }, asOf)));
}

function findLineAt({ details: { releases, lines }, version }: Position) {
  const release = findRelease(releases, version);
  return lines.find(({ line }) => line === release?.line);
}
