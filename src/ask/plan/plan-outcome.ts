import { findEarliestDay, type Day } from '../../core/model/dates.ts';
import { hasEnded } from '../../core/model/phases.ts';
import type {
  Plan,
  PlanItem,
  PlanMove,
  PlanStep,
} from '../../core/schemas/published/plan-answer.ts';
import { findRelease } from '../answers/find-release.ts';
import { findConflict, listGoodWith, type Position } from './pairs.ts';
import type { PlanInput } from './tracks.ts';

/** A version of a list, and its positions before and after the plan. */
export interface Outcome {
  readonly input: PlanInput;
  readonly start: Position;
  readonly item: PlanItem;
  readonly step: PlanStep | undefined;
  readonly move: PlanMove | undefined;
  readonly end: Position;
}

/** The moves of a step: one, or several that are done together. */
export function listMoves(step: PlanStep): readonly PlanMove[] {
  return 'together' in step ? step.together : [step];
}

/** The step that moves a version, and its move. */
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

  return { step: undefined, move: undefined };
}

/** The position of each version of a list after the plan, in the order of the list. */
export function listOutcomes({ items, steps }: Plan, inputs: readonly PlanInput[]): Outcome[] {
  return inputs.map((input, position) => {
    const { answer, details, replacement } = input;
    const { step, move } = findMove(steps, answer);
    const { component, version } = move?.to ?? answer;
    const start = { details, version: answer.version };
    const isReplaced = component === replacement?.component;
    const end = { details: isReplaced ? replacement : details, version };
    // A plan has an item for each input, in the same order.
    return { input, start, item: items[position]!, step, move, end };
  });
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

/** The greatest release of a component that is stated to work with any of the others, and to conflict with none of them. */
export function findGreatestTogether(
  position: Position,
  others: readonly Position[],
): string | undefined {
  const { details } = position;
  const good = new Set(others.flatMap((other) => listGoodWith(details, other)));
  const greatest = details.releases.findLast(
    ({ version }) =>
      good.has(version) && !others.some((other) => findConflict({ details, version }, other)),
  );
  return greatest?.version;
}

/** The last day on which a version may have support before the plan: of a range of days the last one. */
export function findEnd({ input: { answer } }: Outcome): Day | undefined {
  return answer.supportedUntilAtMost ?? answer.supportedUntil;
}

/**
 * The first end of support of the versions that has not passed. Of a range of days it takes the first one, since support may end on
 * it. An end with only a last possible day has no first one, and is left out.
 */
export function findNextEnd(positions: readonly Position[], asOf: Day): Day | undefined {
  const ends = positions.map(({ details, version }) => {
    const release = findRelease(details.releases, version);
    return details.lines.find(({ line }) => line === release?.line)?.supportedUntil;
  });
  return findEarliestDay(...ends.filter((until) => !hasEnded({ until }, asOf)));
}
