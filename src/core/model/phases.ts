import { hasCome, type Day } from './dates.ts';
import type { Phase } from '../schemas/definition/phase.ts';

/** The one phase of a line whose support policy names a single end. */
export const onlyPhase = 'support';

/** Whether a phase is over on a day; undefined where unknown. */
export function isPhaseOver({ until, untilAtMost, isOver }: Phase, day: Day): boolean | undefined {
  if (until === undefined && untilAtMost === undefined) {
    return isOver === true;
  }

  return hasCome(until, untilAtMost, day);
}

/** The phases of a line with several; else none, because an only phase is shown without its name. */
export function severalPhases<P extends Phase>(phases: readonly P[] = []): readonly P[] {
  return phases.length > 1 ? phases : [];
}

/** The phase of a line on a day; undefined where all are over or the phase is unknown. */
export function phaseOn<P extends Phase>(phases: readonly P[] = [], day: Day): P | undefined {
  const first = phases.find((phase) => isPhaseOver(phase, day) !== true);
  return first && isPhaseOver(first, day) === false ? first : undefined;
}

/** The last phase that is not paid: support ends with it. */
export function lastFreePhase<P extends Phase>(phases: readonly P[] = []): P | undefined {
  return phases.findLast(({ paid }) => !paid);
}
