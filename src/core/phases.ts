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

/** The phase of a line on a day: the first that is not over. Undefined without any, and where it has one alone: that has no name. */
export function phaseOn<P extends Phase>(phases: readonly P[] | undefined, day: Day): P | undefined {
  return phases && phases.length > 1 ? phases.find((phase) => !isPhaseOver(phase, day)) : undefined;
}

/** The last phase that everybody has: support ends with it. */
export function lastFreePhase<P extends Phase>(phases: readonly P[]): P | undefined {
  return phases.findLast(({ paid }) => !paid);
}

/** `security`, `extended (paid)`. */
export function phaseLabel({ name, paid }: Pick<Phase, 'name' | 'paid'>): string {
  return paid ? `${name} (paid)` : name;
}

/** `security until 2026-10-08, extended (paid) until 2029-10-08`: the phases of a line that are not over; empty where it has one. */
export function phasesAhead(phases: readonly Phase[] | undefined, day: Day): string {
  if (phases === undefined || phases.length < 2) return '';
  const ahead = phases.filter((phase) => !isPhaseOver(phase, day));
  return ahead
    .map((phase) => `${phaseLabel(phase)}${phase.until === undefined ? '' : endOf(phase)}`)
    .join(', ');
}

function endOf({ until, untilKind }: Phase): string {
  return ` until ${until}${untilKind ? ' at the latest' : ''}`;
}
