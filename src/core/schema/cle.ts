/** CLE 1.0.0, the Common Lifecycle Enumeration (ECMA-428): as much of it as this index tells. */
import * as z from 'zod';
import { Instant, OneLine, VersionText } from './scalars.ts';

const time = Instant.describe('UTC.');
const base = { id: z.int().positive(), effective: z.iso.datetime(), published: time };
const versions = z.array(z.strictObject({ range: OneLine.describe('As vers:intdot.') })).length(1);

const CleEvent = z.discriminatedUnion('type', [
  z.strictObject({ ...base, type: z.literal('released'), version: VersionText }),
  z.strictObject({ ...base, type: z.literal('endOfSupport'), versions, supportId: OneLine }),
  z.strictObject({ ...base, type: z.literal('endOfLife'), versions }),
  z.strictObject({
    ...base,
    type: z.literal('withdrawn'),
    eventId: z.int().positive().describe('The event that was withdrawn, not a release.'),
    reason: OneLine,
  }),
]);
export type CleEvent = z.infer<typeof CleEvent>;

/** `cle/<component>.json` */
export const Cle = z.strictObject({
  $schema: z.url(),
  identifier: OneLine.describe('A package URL.'),
  updatedAt: time,
  definitions: z.strictObject({
    support: z.array(z.strictObject({ id: OneLine, description: OneLine })),
  }),
  events: z.array(CleEvent).describe('The highest id first. An event never changes.'),
});
export type Cle = z.infer<typeof Cle>;
