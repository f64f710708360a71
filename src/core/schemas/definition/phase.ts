import * as z from 'zod';
import { DaySchema, Flag } from '../scalars.ts';

/** The name of a phase, which is part of permanent ids. */
export const PhaseName = z.string().regex(/^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
  error: 'expected the name of a phase: lower-case letters, digits and hyphens, at most 40',
});

/** A phase of the support of a release line. The first begins with the line; each later one begins as the previous one ends. */
export const Phase = z.strictObject({
  name: PhaseName.describe('The name of the phase, for instance security.'),
  until: DaySchema.optional().describe(
    'Its last day, past or future: exact, or with untilAtMost the earliest possible one.',
  ),
  untilAtMost: DaySchema.optional().describe(
    'Its latest possible last day, where the exact day is unknown.',
  ),
  paid: Flag.describe(
    'Present if the phase is only for paying customers, which does not count as support.',
  ),
  isOver: Flag.describe('Present if the phase ended on an unknown day.'),
});
export type Phase = z.infer<typeof Phase>;
