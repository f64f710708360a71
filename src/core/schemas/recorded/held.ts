import { z } from 'zod';
import {
  CommitId,
  ComponentName,
  DaySchema,
  JournalInstant,
  Line,
  createLineSchema,
  createListSchema,
  PositiveCount,
  SourceId,
} from '../scalars.ts';

const decisionForm = '[a-z0-9][a-z0-9-]{0,199}-[0-9a-f]{10}';

/** A subject and a digest of what would be lost: `svc-4f2a91c03b`. */
export const DecisionId = z.string().regex(new RegExp(`^${decisionForm}$`), {
  error: 'expected the name of a component, a hyphen and 10 hexadecimal digits',
});

/** A short digest of the kind and the cause of an alert. */
export const AlertId = z
  .string()
  .regex(/^[0-9a-f]{10}$/, { error: 'expected an id of 10 hexadecimal digits' });

/** A held component, a list of a source, or some versions. */
export const WaitKind = z.enum(['change', 'files', 'list', 'outlier', 'flood', 'bytes']);
export type WaitKind = z.infer<typeof WaitKind>;

/** Something that waits for a person, as the line of a run has it: all that the next run needs. */
export const Wait = z.strictObject({
  id: DecisionId.describe('The decision that lets it through.'),
  component: ComponentName.describe('The name of the component.'),
  kind: WaitKind.describe(
    'change: a component with losses; files: one with unreadable files; list: a short list of a source; else versions that wait while the rest is taken.',
  ),
  since: DaySchema.describe('The first day on which it waited.'),
  causes: z.array(SourceId).min(1).describe('The sources, or the edited files with their commit.'),
  reason: Line.describe('What readers would lose, in numbers.'),
  items: createListSchema(Line).describe(
    'Each loss that the decision names, in words; in the line of the first run with this id.',
  ),
  versions: createListSchema(createLineSchema(200)).describe('The versions that wait.'),
  commit: CommitId.optional().describe('The commit of the definition that counts instead.'),
  dataCommit: CommitId.optional().describe('The commit of the recorded data that counts instead.'),
});
export type Wait = z.infer<typeof Wait>;

/** The same for people, with the one command that answers it. */
export const HeldChange = Wait.omit({ items: true, versions: true }).extend({
  /** How many losses the decision lets through. */
  losses: PositiveCount,
  /** The first of them by name. */
  examples: z.array(Line).min(1).max(5),
  command: Line,
});
export type HeldChange = z.infer<typeof HeldChange>;

/** What stops the whole index: a live site that refuses the publication, or a history that was cut. */
export const StopKind = z.enum(['publication', 'history']);
export type StopKind = z.infer<typeof StopKind>;

/** `data/held.json`, made anew by each daily run. A run lets nothing through because of it. */
export const HeldFile = z.strictObject({
  held: z.array(
    HeldChange.extend({
      kind: z.enum([...WaitKind.options, ...StopKind.options]),
      /** Absent where the whole index waits. */
      component: ComponentName.optional(),
    }),
  ),
});
export type HeldFile = z.infer<typeof HeldFile>;

/**
 * One line of `data/decisions.ndjson`: a person lets these losses through, or starts from a commit where there is no comparable
 * last run. Each run names the decisions that it used.
 */
export const Decision = z.strictObject({
  id: z.string().regex(new RegExp(`^(?:history|${decisionForm})$`), {
    error: 'expected "history", or the name of a component, a hyphen and 10 hexadecimal digits',
  }),
  at: JournalInstant,
  by: createLineSchema(200),
  /** Of "history": the state that later changes are compared with. */
  commit: CommitId.optional(),
  /** Of "history": the greatest published id of each component with lost events. New ids go on above it. */
  published: z.record(ComponentName, PositiveCount).optional(),
});
export type Decision = z.infer<typeof Decision>;
