import * as z from 'zod';
import { HttpsUrl } from '../definition/links.ts';
import { DaySchema, Text } from '../scalars.ts';

/** Why a release is deprecated from some day on. */
export const PublishedReason = z.strictObject({
  rule: z
    .enum(['support policy', 'definition', 'upstream', 'withdrawn'])
    .describe('Which kind of rule says so.'),
  text: Text.describe('Why, in a sentence.'),
  from: DaySchema.optional().describe(
    'First day on which it holds: exact, or with fromAtMost the earliest possible day. Absent where it has always held.',
  ),
  fromAtMost: DaySchema.optional().describe(
    'The latest possible first day, where the exact day is unknown.',
  ),
  url: HttpsUrl.optional().describe('An address to read more.'),
});

export type Reason = z.infer<typeof PublishedReason>;
