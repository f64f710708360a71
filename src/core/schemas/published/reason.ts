import * as z from 'zod';
import { optionalKey } from '../keys.ts';
import { DaySchema, Text } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';

/** Why a release is deprecated from some day on. */
export const PublishedReason = z.strictObject({
  rule: z
    .enum(['support policy', 'definition', 'upstream', 'withdrawn'])
    .describe('The kind of rule.'),
  text: Text.describe('The reason, in a sentence.'),
  from: optionalKey(
    DaySchema,
    'The first day of the deprecation: exact, or with fromAtMost the earliest possible day. Absent where it has always been deprecated.',
  ),
  fromAtMost: optionalKey(
    DaySchema,
    'The latest possible first day, where the exact day is unknown.',
  ),
  url: optionalKey(HttpsUrl, 'The address of further information.'),
});

export type Reason = z.infer<typeof PublishedReason>;
