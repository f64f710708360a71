import * as z from 'zod';
import {
  CommitId,
  ComponentName,
  DaySchema,
  JournalInstant,
  Line,
  lineOf,
  listOf,
} from './scalars.ts';

/** A short digest of a cause and its consequences. */
export const GateId = z
  .string()
  .regex(/^[0-9a-f]{10}$/, { error: 'expected an id of 10 hexadecimal digits' });

/** A change that waits for a decision, without the facts that can be computed again. */
export const Held = z.strictObject({
  id: GateId,
  since: DaySchema.describe('The first day on which it was held.'),
  seen: DaySchema.describe('The last day on which the cause was there.'),
  cause: Line.describe('A source, or the file that was edited.'),
  key: lineOf(200)
    .optional()
    .describe('The default that was edited, or the kind of versions held.'),
  components: z.array(ComponentName).min(1).describe('The affected components.'),
  reason: Line.describe('The loss of readers, in numbers, with the first items by name.'),
  items: z
    .array(Line)
    .min(1)
    .max(20_000)
    .describe('Everything that would be lost, or that is held.'),
  versions: listOf(lineOf(200)).describe('New versions that are held.'),
  instead: z
    .strictObject({ commit: CommitId, digest: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional()
    .describe('The commit and the SHA-256 of the file that applies instead.'),
});
export type Held = z.infer<typeof Held>;

/** `data/held.json`, written by the run that publishes. */
export const HeldFile = z.strictObject({ held: z.array(Held) });
export type HeldFile = z.infer<typeof HeldFile>;

/** One line of `data/decisions.ndjson`: a person accepted a change or acknowledged an alert, or a run used up such a decision. */
export const Decision = z.strictObject({
  id: GateId,
  at: JournalInstant,
  by: lineOf(200).optional().describe('The person who decided; absent for a run.'),
  cause: Line.optional(),
  reason: Line.optional().describe('The accepted change.'),
  components: z
    .array(ComponentName)
    .optional()
    .describe('Empty for an alert about the whole index.'),
  until: DaySchema.optional().describe(
    'The last day on which an alert is acknowledged; it lets nothing through.',
  ),
});
export type Decision = z.infer<typeof Decision>;
