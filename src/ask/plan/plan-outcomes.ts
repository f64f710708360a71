import type { PlanItem, PlanMove, PlanStep } from '../../core/schemas/published/plan-answer.ts';
import type { Position } from './pairs.ts';
import type { Track } from './tracks.ts';

/** A version of a list, with its positions before and after the plan and its step. */
export interface Outcome extends Pick<Track, 'input' | 'start' | 'end'> {
  readonly item: PlanItem;
  /** The step that moves it, and its part of that step. */
  readonly step?: PlanStep | undefined;
  readonly move?: PlanMove | undefined;
}

/** The moves of a step: one, or several that are done together. */
export function listMoves(step: PlanStep): readonly PlanMove[] {
  return 'together' in step ? step.together : [step];
}

/** The step that moves a version, and its move; empty for a version that stays. */
export function findMove(
  steps: readonly PlanStep[],
  { component, version }: { component?: string | undefined; version?: string | undefined },
): Pick<Outcome, 'step' | 'move'> {
  const moves = steps.flatMap((step) => listMoves(step).map((move) => ({ step, move })));
  return moves.find(({ move }) => move.component === component && move.from === version) ?? {};
}

/** The positions of all versions of a list once some steps are done. */
export function computePositionsAfter(
  outcomes: readonly Outcome[],
  doneSteps: readonly PlanStep[],
): ReadonlyMap<Outcome, Position> {
  return new Map(
    outcomes.map((outcome) => {
      const isDone = !outcome.step || doneSteps.includes(outcome.step);
      return [outcome, isDone ? outcome.end : outcome.start];
    }),
  );
}
