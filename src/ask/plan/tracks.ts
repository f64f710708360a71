import { oldestFirst, type Day } from '../../core/model/dates.ts';
import type { MoveReason } from '../../core/model/move-to.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsOn } from '../answers/component-on.ts';
import { formatName, type Conflict, type Position } from './pairs.ts';

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
  /** The goal before other versions are considered, if it is in its replacement. */
  readonly preferredReplacement?: Position | undefined;
  /** Why it cannot go to its preferred goal: the conflicts that the move would make. */
  readonly obstacles?: readonly BrokenPair[] | undefined;
}

/** The track of a version that stays. */
export function createStayingTrack(input: PlanInput): Track {
  const start = { details: input.details, version: input.answer.version };
  return { input, start, end: start, goal: start };
}

/** Whether it has a step. The end of a staying track is the same object as its start. */
export function isMoving({ start, end }: Pick<Track, 'start' | 'end'>): boolean {
  return end !== start;
}

/** Whether its step ends at a stop on the way to its goal: both are in one component, so their versions tell. */
export function isAtStop({ end, goal }: Track): boolean {
  return end.version !== goal.version;
}

/** When a move is due for its own reason: never, if it only resolves a conflict. */
type Due = Day | 'now' | 'never';

export function findOwnDue({ input, reason }: Track): Due {
  return reason === 'conflict' ? 'never' : (input.answer.moveBy ?? 'now');
}

/** The earliest first: now, the days, never. */
export function compareDue(a: Due, b: Due): number {
  if (a === 'now' || b === 'now') {
    return Number(b === 'now') - Number(a === 'now');
  }

  // As texts, the days come before `never`.
  return oldestFirst(a, b);
}

/** Orders tracks by their names, not by their places in the list. */
export function compareNames(one: Track, other: Track): number {
  return oldestFirst(formatName(one.start), formatName(other.start));
}
