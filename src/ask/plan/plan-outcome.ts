import { findEarliestDay, type Day } from '../../core/model/dates.ts';
import { hasEnded } from '../../core/model/phases.ts';
import type { PlanItem, PlanMove, PlanStep } from '../../core/schemas/published/plan-answer.ts';
import { findRelease } from '../answers/find-release.ts';
import type { Position } from './pairs.ts';
import { isMoving, type Track } from './tracks.ts';

/** A version of a list, and its positions before and after a plan. */
type PlannedVersion = Pick<Track, 'input' | 'start' | 'end'>;

/** A version of a list, with its step in the plan. */
export interface Outcome extends PlannedVersion {
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
  for (const step of steps) {
    const move = listMoves(step).find(
      (each) => each.component === component && each.from === version,
    );
    if (move) {
      return { step, move };
    }
  }

  return {};
}

/** The positions of all versions of a list once some steps are done. */
export function computePositionsAfter(
  outcomes: readonly Outcome[],
  doneSteps: readonly PlanStep[],
): ReadonlyMap<Outcome, Position> {
  return new Map(
    outcomes.map((outcome) => {
      const { start, step, end } = outcome;
      return [outcome, step && !doneSteps.includes(step) ? start : end];
    }),
  );
}

/**
 * The next day, from `asOf` on, on which support of a version may end once the plan is done. Undefined where none is known, and where a
 * step leads to a line whose support may have ended: more may be due at any time.
 */
export function findNextSupportEnd(
  versions: readonly PlannedVersion[],
  asOf: Day,
): Day | undefined {
  const linesAfterMoves = versions.filter(isMoving).map(({ end }) => findLineAt(end));
  if (linesAfterMoves.some((line) => line?.state === 'may-have-ended')) {
    return undefined;
  }

  // A version that stays need not be listed: its answer names the end of its line.
  const staying = versions.filter((version) => !isMoving(version));
  const answers = staying.map(({ input }) => input.answer);
  const ends = [...linesAfterMoves, ...answers].map((each) => each?.supportedUntil);
  return findEarliestDay(...ends.filter((until) => !hasEnded({ until }, asOf)));
}

function findLineAt({ details: { releases, lines }, version }: Position) {
  const release = findRelease(releases, version);
  return lines.find(({ line }) => line === release?.line);
}
