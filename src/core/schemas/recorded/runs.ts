import * as z from 'zod';
import { nameForm } from '../definition/component-name.ts';
import {
  CommitId,
  ComponentName,
  Count,
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

/** The parts of the index that can wait. */
export const WaitKind = z.enum(['change', 'files', 'list', 'outlier', 'flood', 'bytes']);
export type WaitKind = z.infer<typeof WaitKind>;

/** A change that waits for a person, as the line of a run records it: with everything that the next run needs. */
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

/** `data/held.json`, rewritten by each daily run. It is for people: no run reads it as a permission. */
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

/** One line of `data/runs/<year>.ndjson`, and an entry of `builds/<year>.json`: a run that recorded what the index says. */
export const Run = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]{13}$/, { error: 'expected an id of 13 letters and digits' })
    .describe('The id of the run.'),
  asOf: DaySchema.describe('The date of the run.'),
  at: JournalInstant.describe('The instant of its events.'),
  startedAt: JournalInstant.describe('Start of the run.'),
  finishedAt: JournalInstant.describe('End of the run.'),
  program: Line.describe('Version of this program.'),
  node: Line.describe('Version of Node.'),
  npm: Line.optional().describe('Version of npm, where it is known.'),
  projectName: Line.optional().describe('The name in package.json of the index, where npm ran it.'),
  operatingSystem: Line.optional().describe('Name of the operating system.'),
  numberOfCpuCores: PositiveCount.optional().describe('The number of cores that Node may use.'),
  nodeLocale: Line.optional().describe('The locale of Node.'),
  commit: CommitId.optional().describe('Commit of the repository, where there is one.'),
  requested: z.array(Line).min(1).describe('The command, and its options by name.'),
  components: Count.describe('The number of components.'),
  asked: Count.describe('The number of sources it asked.'),
  published: JournalInstant.optional().describe(
    'The instant of the newest run that was public at that time; absent if unknown.',
  ),
  publishedAt: JournalInstant.optional().describe(
    'The instant at which that run became public, if the host states it.',
  ),
  answered: Count.optional().describe(
    'The number of sources with a valid answer; absent if none was asked.',
  ),
  unasked: createListSchema(ComponentName).describe(
    'The components whose sources were not asked, in a run that asked others.',
  ),
  troubles: createListSchema(
    z.strictObject({
      component: ComponentName.describe('The name of the component.'),
      source: SourceId.describe('The source, for instance maven:com.example:agent.'),
      kind: z.literal('failed').describe('No valid answer.'),
      reason: Line.describe('The problem.'),
      at: JournalInstant.optional().describe(
        'The instant of the failed request, if it was asked on that day.',
      ),
    }),
  ).describe('Sources without a valid answer.'),
  waits: createListSchema(Wait).describe('All that waits for a person after the run.'),
  accepted: createListSchema(DecisionId).describe('Ids of accepted decisions that it used.'),
  events: Count.describe('The number of appended events.'),
  journals: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 over all journals after the run; absent while one of them is damaged.'),
});
export type Run = z.infer<typeof Run>;
