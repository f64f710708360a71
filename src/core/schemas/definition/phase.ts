import * as z from 'zod';
import { DaySchema, documented, Flag, HttpsUrl, Line } from '../scalars.ts';

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

/** The end of a single line. It takes precedence over the rule for all lines. */
export const OwnEnd = z.strictObject({
  until: documented(DaySchema, 'Its last day with support.', '2026-12-31'),
  reason: documented(Line.optional(), 'Why, in a sentence for readers.', 'The move takes longer.'),
  url: documented(HttpsUrl.optional(), 'Where it is stated.', 'https://example.com/news'),
});
export type OwnEnd = z.infer<typeof OwnEnd>;
