/** What waits for a person, and the decisions that let it through. */
import * as z from 'zod';
import { nameForm } from '../definition/component-name.ts';
import { optionalKey } from '../keys.ts';
import {
  CommitId,
  ComponentName,
  createLineSchema,
  createListSchema,
  DaySchema,
  JournalInstant,
  OneLine,
  PositiveCount,
  SourceId,
} from '../scalars.ts';

const decisionForm = `${nameForm}-[0-9a-f]{10}`;
const decisionWords = 'the name of a component, a hyphen and 10 hexadecimal digits';

/** The component and a digest of what waits: `svc-4f2a91c03b`. The whole index waits under the name of a kind instead. */
export const DecisionId = z.string().regex(new RegExp(`^${decisionForm}$`), {
  error: `expected ${decisionWords}`,
});

/**
 * What waits: a change with losses for readers, unreadable files, a list that became short, new versions that do not fit the recorded
 * ones, more new versions than usual, or other bytes of a version.
 */
export const WaitKind = z.enum(['change', 'files', 'list', 'outlier', 'flood', 'bytes']);
export type WaitKind = z.infer<typeof WaitKind>;

/** A change that waits for a person, as a run records it: with everything that the next run needs. */
export const Wait = z.strictObject({
  id: DecisionId.describe(
    'Its id. A decision with this id lets it through, unless the kind is files.',
  ),
  component: ComponentName,
  kind: WaitKind.describe(
    'change: losses of a component; files: its files are unreadable; list: a short list of a source; else: versions that wait while the rest is recorded.',
  ),
  since: DaySchema.describe('The first day on which it waited.'),
  causes: z
    .array(SourceId)
    .min(1)
    .describe('The sources, the edited files with their commit, or the unreadable files.'),
  reason: OneLine.describe('Why it waits, in one line.'),
  items: createListSchema(OneLine).describe(
    'Each loss, new version or problem, in words; only in the line of the first run with this id.',
  ),
  versions: createListSchema(createLineSchema(200)).describe('The versions that wait.'),
  commit: optionalKey(CommitId, 'The commit whose definition is used while the change waits.'),
  dataCommit: optionalKey(
    CommitId,
    'The commit whose recorded data is used while the change waits.',
  ),
});
export type Wait = z.infer<typeof Wait>;

/** A waiting change as `held.json` shows it, with the command that ends the wait. */
export const HeldChange = Wait.omit({ items: true, versions: true }).extend({
  /** The number of items of the wait. */
  losses: PositiveCount,
  /** The first of these items. */
  examples: z.array(OneLine).min(1).max(5),
  command: OneLine,
});
export type HeldChange = z.infer<typeof HeldChange>;

/**
 * `data/held.json`: what waits after the newest run. The whole index waits where the live site cannot be replaced (`publication`)
 * or the history is cut (`history`). The file is for people: no run reads it as a permission.
 */
export const HeldFile = z.strictObject({
  held: z.array(
    HeldChange.extend({
      kind: z.enum([...WaitKind.options, 'publication', 'history']),
      /** Absent where the whole index waits: its id is in no decision, and the id "history" ends the wait. */
      component: ComponentName.optional(),
    }),
  ),
});
export type HeldFile = z.infer<typeof HeldFile>;

/**
 * One line of `data/decisions.ndjson`: a person accepts a waiting change, or starts anew from a commit (`history`) where there is
 * no comparable last run or the live site has events that the index lost. Each run names the decisions that it used.
 */
export const Decision = z.strictObject({
  id: z.string().regex(new RegExp(`^(?:history|${decisionForm})$`), {
    error: `expected "history", or ${decisionWords}`,
  }),
  at: JournalInstant,
  by: createLineSchema(200),
  /** For "history": the state that later changes are compared with. */
  commit: CommitId.optional(),
  /** For "history": the greatest event id that was published of each component with lost events. New ids go on above it. */
  published: z.record(ComponentName, PositiveCount).optional(),
});
export type Decision = z.infer<typeof Decision>;
