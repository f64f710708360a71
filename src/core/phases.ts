import * as z from 'zod';
import type { Day } from './dates.ts';
import { DaySchema } from './schemas/scalars.ts';

/** The name of a phase. It is a part of ids, which readers remember. */
export const PhaseName = z.string().regex(/^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
  error: 'expected the name of a phase: lower-case letters, digits and hyphens, at most 40',
});

/** The one phase of a line whose support policy names a single end. */
export const onlyPhase = 'support';

/** A phase of the support of a release line. The first begins with the line; each other one where the one before it ends. */
export const Phase = z.strictObject({
  name: PhaseName.meta({ description: 'Its name, for instance security.' }),
  until: DaySchema.optional().meta({
    description: 'The first day after it, past or future; absent where nobody has stated it.',
  }),
  untilKind: z.literal('observed').optional().meta({
    description: 'observed where that day is an upper bound: the phase ends no later than that.',
  }),
  paid: z.literal(true).optional().meta({
    description: 'Present where only those have it who pay for it. It does not count as support.',
  }),
  isOver: z.literal(true).optional().meta({
    description: 'Present where it is over, and nobody knows since when.',
  }),
});
export type Phase = z.infer<typeof Phase>;

export function isPhaseOver({ until, isOver }: Phase, day: Day): boolean {
  return until === undefined ? isOver === true : until <= day;
}

/** Those of a line that has several; else none, as the only phase of a line is not named. */
export function severalPhases<P extends Phase>(phases: readonly P[] = []): readonly P[] {
  return phases.length > 1 ? phases : [];
}

/** The phase of a line on a day: the first that is not over. Undefined where none is left, or it has one alone. */
export function phaseOn<P extends Phase>(phases: readonly P[] | undefined, day: Day): P | undefined {
  return severalPhases(phases).find((phase) => !isPhaseOver(phase, day));
}

/** The last phase that everybody has: support ends with it. */
export function lastFreePhase<P extends Phase>(phases: readonly P[]): P | undefined {
  return phases.findLast(({ paid }) => !paid);
}

/** `security`, `extended (paid)`. */
export function phaseLabel({ name, paid }: Pick<Phase, 'name' | 'paid'>): string {
  return paid ? `${name} (paid)` : name;
}

/** `active until 2026-04-08, security until 2026-10-08`: the phases of a line with their ends; empty where it has one alone. */
export function phaseList(phases: readonly Phase[] | undefined): string {
  return severalPhases(phases).map(phaseWithEnd).join(', ');
}

/** `security until 2026-10-08`. */
export function phaseWithEnd(phase: Phase): string {
  const { until, untilKind } = phase;
  const end = until === undefined ? '' : ` until ${until}${untilKind ? ' at the latest' : ''}`;
  return phaseLabel(phase) + end;
}

/** `, in phase active until 2026-04-08`, behind words on the end of support of a line; empty without a present phase. */
export function inPhase(phase: Phase | undefined): string {
  if (!phase) return '';
  return `, ${phase.paid ? 'except in' : 'in'} phase ${phaseWithEnd(phase)}`;
}
