import type { Phase } from '../schemas/definition/phase.ts';
import { addDays, hasCome, type Day } from './dates.ts';

/** The kinds of support policies, which give release lines their phases. */
export const supportPolicies = [
  'none',
  'ended',
  'term',
  'latest-lines',
  'dated',
  'stated',
] as const;

/** The facts of a line on the end of its support, which every answer for programs has. */
export const endFacts = [
  'supportedUntil',
  'supportedUntilAtMost',
  'inferred',
  'undatedEnd',
] as const;

/** The one phase of a line whose support policy names a single end. */
export const onlyPhase = 'support';

/**
 * Whether a phase has ended on a day. It has not on its last day; between the earliest and the latest possible last day, it is
 * unknown. Without a day, a phase that is known to be over has ended.
 */
export function hasEnded(
  { until, untilAtMost, isOver }: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>,
  day: Day,
): boolean | undefined {
  if (until === undefined && untilAtMost === undefined) {
    return isOver === true;
  }

  return hasCome(until, untilAtMost, addDays(day, -1));
}

/** The phases that are shown by name: those of a line with several. */
export function listNamedPhases<P extends Phase>(phases: readonly P[] = []): readonly P[] {
  return phases.length > 1 ? phases : [];
}

/** The phase of a line on a day; undefined where all are over or the phase is unknown. */
export function findPhaseOn<P extends Phase>(phases: readonly P[] = [], day: Day): P | undefined {
  const first = phases.find((phase) => hasEnded(phase, day) !== true);
  return first && hasEnded(first, day) === false ? first : undefined;
}

/** The last phase that is not paid: support ends with it. */
export function findLastFreePhase<P extends Phase>(phases: readonly P[] = []): P | undefined {
  return phases.findLast(({ paid }) => !paid);
}

/** Whether a line is one of long-term support by a day, even if its support has ended since. */
export function isLtsOn(
  { isLts, ltsFrom }: { isLts?: true | undefined; ltsFrom?: Day | undefined },
  day: Day,
): boolean {
  return isLts === true && (ltsFrom === undefined || ltsFrom <= day);
}
