import * as z from 'zod';
import { CommitId, ComponentName, DaySchema, JournalInstant, Line, lineOf, listOf } from './scalars.ts';

/** Short enough to type; made from a cause and its consequences, so that others have another id. */
export const GateId = z
  .string()
  .regex(/^[0-9a-f]{10}$/, { error: 'expected an id of 10 hexadecimal digits' });

/** A change that waits for a decision. Everything else about a change that is held can be computed again. */
export const Held = z.strictObject({
  id: GateId,
  since: DaySchema.describe('The first day on which it was held.'),
  seen: DaySchema.describe('The last day on which the cause was there.'),
  cause: Line.describe('A source, or the file that was edited.'),
  key: lineOf(200).optional().describe('The default that was edited, or the kind of what waits.'),
  components: z.array(ComponentName).min(1).describe('The components that it is about.'),
  reason: Line.describe('What readers would lose, in numbers and the first by name.'),
  items: z.array(Line).min(1).max(20_000).describe('Everything that would be lost, or that waits.'),
  versions: listOf(lineOf(200)).describe('New versions that wait.'),
  instead: z
    .strictObject({ commit: CommitId, digest: z.string().regex(/^[0-9a-f]{64}$/) })
    .optional()
    .describe('Where the file that counts instead is, and its SHA-256.'),
});
export type Held = z.infer<typeof Held>;

/** `data/held.json`, written by the run that publishes. */
export const HeldFile = z.strictObject({ held: z.array(Held) });
export type HeldFile = z.infer<typeof HeldFile>;

/** One line of `data/decisions.ndjson`: somebody accepted a change or acknowledged an alert, or a run took the change and so used the decision up. */
export const Decision = z.strictObject({
  id: GateId,
  at: JournalInstant,
  by: lineOf(200).optional().describe('Who decided; absent where a run took it.'),
  cause: Line.optional(),
  reason: Line.optional().describe('What was accepted.'),
  components: listOf(ComponentName),
  until: DaySchema.optional().describe(
    'The last day on which an alert is acknowledged; it lets nothing through.',
  ),
});
export type Decision = z.infer<typeof Decision>;
