import * as z from 'zod';
import { instantOf, listOf, PositiveCount, Text } from '../scalars.ts';

/** Date and time of ISO 8601 in UTC. */
const Instant = instantOf(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/,
  'expected an instant in UTC',
);

const common = {
  id: PositiveCount.describe('Counts up in the order of publication.'),
  effective: Instant.describe('From when on it holds.'),
  published: Instant.describe('When it was published.'),
  description: Text.optional(),
  references: listOf(z.url()),
};
const versions = z.array(z.strictObject({ version: Text })).min(1);

export const CleEvent = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('released'),
    version: Text,
    license: Text.optional(),
  }),
  z.strictObject({
    ...common,
    type: z.enum(['endOfDevelopment', 'endOfSupport']),
    versions,
    supportId: Text.describe('The id of a policy in definitions.support.'),
  }),
  z.strictObject({ ...common, type: z.literal('endOfLife'), versions }),
  z.strictObject({
    ...common,
    type: z.literal('supersededBy'),
    supersededByVersion: Text,
    versions: versions.optional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal('componentRenamed'),
    identifiers: z.array(z.strictObject({ type: z.literal('PURL'), value: Text })).min(1),
  }),
  z.strictObject({
    ...common,
    type: z.literal('withdrawn'),
    eventId: PositiveCount.describe('The event that no longer holds.'),
    reason: Text.optional(),
  }),
]);
export type CleEvent = z.infer<typeof CleEvent>;

/** `cle/<component>.json`: Common Lifecycle Enumeration 1.0.0, ECMA-428. */
export const CleFile = z
  .strictObject({
    $schema: z.url().describe('The schema that it satisfies.'),
    identifier: z.union([Text, z.array(Text).min(1)]).describe('Package URL of the component.'),
    updatedAt: Instant.describe('When its newest event was published.'),
    definitions: z
      .strictObject({
        support: z
          .array(
            z.strictObject({
              id: Text.describe('The name of it in events. Its meaning never changes.'),
              description: Text.describe('Its promise.'),
              url: z.url().optional().describe('An address to read more.'),
            }),
          )
          .min(1)
          .describe('The kinds of support.'),
      })
      .optional()
      .describe('The meaning of the ids in events.'),
    events: z.array(CleEvent).describe('Newest first, by descending id.'),
  })
  .describe('The lifecycle of a component as a Common Lifecycle Enumeration document.');
export type CleFile = z.infer<typeof CleFile>;
