/** What waits for a person, and the decisions that let it through. */
import * as z from 'zod';
import { nameForm } from '../definition/component-name.ts';
import {
  CommitId,
  ComponentName,
  createLineSchema,
  createListSchema,
  DaySchema,
  JournalInstant,
  Line,
  PositiveCount,
  SourceId,
} from '../scalars.ts';

const decisionForm = `${nameForm}-[0-9a-f]{10}`;

/** The component, or another subject, and a digest of what readers would lose: `svc-4f2a91c03b`. */
export const DecisionId = z.string().regex(new RegExp(`^${decisionForm}$`), {
  error: 'expected the name of a component, a hyphen and 10 hexadecimal digits',
});

/**
 * What waits: a change with losses for readers, unreadable files, a list that became short, versions far above all others, more new
 * versions than usual, or other bytes of a version.
 */
export const WaitKind = z.enum(['change', 'files', 'list', 'outlier', 'flood', 'bytes']);
export type WaitKind = z.infer<typeof WaitKind>;

/** A change that waits for a person, as a run records it: with everything that the next run needs. */
export const Wait = z.strictObject({
  id: DecisionId.describe('The decision that lets it through.'),
  component: ComponentName.describe('The name of the component.'),
  kind: WaitKind.describe(
    'change: a component with losses; files: one with unreadable files; list: a short list of a source; else versions that wait while the rest is taken.',
  ),
  since: DaySchema.describe('The first day on which it waited.'),
  causes: z.array(SourceId).min(1).describe('The sources, or the edited files with their commit.'),
  reason: Line.describe('The loss for readers, in numbers.'),
  items: createListSchema(Line).describe(
    'Each loss that the decision names, in words; in the line of the first run with this id.',
  ),
  versions: createListSchema(createLineSchema(200)).describe('The versions that wait.'),
  commit: CommitId.optional().describe(
    'The commit whose definition is used while the change waits.',
  ),
  dataCommit: CommitId.optional().describe(
    'The commit whose recorded data is used while the change waits.',
  ),
});
export type Wait = z.infer<typeof Wait>;

/** A waiting change as `held.json` shows it, with the command that accepts it. */
export const HeldChange = Wait.omit({ items: true, versions: true }).extend({
  /** How many losses the decision lets through. */
  losses: PositiveCount,
  /** The first of these losses by name. */
  examples: z.array(Line).min(1).max(5),
  command: Line,
});
export type HeldChange = z.infer<typeof HeldChange>;

/** Why the whole index waits: the live site cannot be replaced, or the history is cut. */
export const StopKind = z.enum(['publication', 'history']);
export type StopKind = z.infer<typeof StopKind>;

/** `data/held.json`: what waits after the newest run that recorded or published. It is for people: no run reads it as a permission. */
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
 * One line of `data/decisions.ndjson`: a person accepts the losses of a waiting change, or names a commit to start from where
 * there is no comparable last run. Each run names the decisions that it used.
 */
export const Decision = z.strictObject({
  id: z.string().regex(new RegExp(`^(?:history|${decisionForm})$`), {
    error: 'expected "history", or the name of a component, a hyphen and 10 hexadecimal digits',
  }),
  at: JournalInstant,
  by: createLineSchema(200),
  /** For "history": the state that later changes are compared with. */
  commit: CommitId.optional(),
  /** For "history": the greatest event id that was published of each component with lost events. New ids go on above it. */
  published: z.record(ComponentName, PositiveCount).optional(),
});
export type Decision = z.infer<typeof Decision>;
