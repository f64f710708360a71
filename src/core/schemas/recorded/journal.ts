import * as z from 'zod';
import { componentName } from '../definition/component-name.ts';
import { DecisionId } from './held.ts';
import { HttpsUrl } from '../definition/links.ts';
import { PhaseName } from '../definition/phase.ts';
import { TimestampKind } from './recorded.ts';
import {
  CommitId,
  ComponentName,
  Count,
  DaySchema,
  Flag,
  JournalInstant,
  Line,
  LineName,
  listOf,
  PositiveCount,
  VersionText,
} from '../scalars.ts';

export const EventType = z.enum([
  'released',
  'deprecated',
  'restored',
  'support-announced',
  'support-moved',
  'support-dropped',
  'support-ending',
  'support-ended',
  'withdrawn',
  'relisted',
  'excluded',
  'included',
  'corrected',
  'republished',
  'renamed',
  'replaced',
  'advisory-published',
  'advisory-changed',
  'advisory-withdrawn',
]);
export type EventType = z.infer<typeof EventType>;

export const CorrectedField = z.enum([
  'releaseTimestamp',
  'timestampKind',
  'changelogUrl',
  'isPrerelease',
  'line',
]);
export type CorrectedField = z.infer<typeof CorrectedField>;

/** Names the edited file, and the edited default in it. */
const editId =
  /^(?:components\/[a-z0-9][a-z0-9-]{0,199}\.json|site\/site\.json#defaults\.[A-Za-z]{1,100})@[0-9a-f]{10}$/;

/** One line of `data/journal/<component>.ndjson`: a statement that the index made for the first time. */
export const JournalEvent = z.strictObject({
  id: PositiveCount.describe('Counts up within the component, from 1.'),
  at: JournalInstant.describe('Instant of the run that recorded it, the same for all its events.'),
  type: EventType,
  on: DaySchema.describe(
    'The day from which it holds, such as the release day or the first day without support.',
  ),
  component: z
    .string()
    .regex(componentName)
    .optional()
    .describe('For the first event: the name under which the component entered, which ids keep.'),
  version: VersionText.optional().describe('The release it is about.'),
  advisory: Line.optional().describe('Id of the advisory it is about.'),
  line: LineName.optional().describe('The release line it is about, or that of a new release.'),
  phase: PhaseName.optional().describe('For an end of support: the phase that ends.'),
  phases: z
    .array(Line)
    .min(2)
    .optional()
    .describe(
      'For an end of support: the phases of the line in their order, where it has several; a paid one as "extended (paid)".',
    ),
  field: CorrectedField.optional().describe('For a correction: the value that was corrected.'),
  from: Line.optional().describe('The value before; absent where there was none.'),
  to: Line.optional().describe(
    'The value now; absent where there is none. An end of support has the first day without it, or the earliest possible one beside toAtMost.',
  ),
  toAtMost: DaySchema.optional().describe(
    'The latest possible first day without support, where the exact day is unknown.',
  ),
  rule: z
    .optional(z.enum(['support policy', 'definition', 'upstream', 'withdrawn']))
    .describe('Which kind of rule a verdict follows from, as in details/.'),
  reason: Line.optional().describe('Why, as in details/.'),
  url: HttpsUrl.optional().describe('An address to read more.'),
  days: PositiveCount.optional().describe('For support-ending: 90, 30 or 7 days ahead.'),
  timestampKind: TimestampKind.optional().describe(
    'observed where the day is only an upper bound.',
  ),
  isPrerelease: z.boolean().optional().describe('true of a new prerelease.'),
  edit: z
    .string()
    .regex(editId)
    .optional()
    .describe('An edit that caused more than five events, as "<file>[#defaults.<key>]@<digest>".'),
  initial: Flag.describe('true in the run with which the component entered.'),
});
export type JournalEvent = z.infer<typeof JournalEvent>;

/** One line of `data/runs/<year>.ndjson`, and an entry of `builds/<year>.json`: a run that recorded what the index says. */
export const Run = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]{13}$/, { error: 'expected an id of 13 letters and digits' })
    .describe('The id of the run.'),
  asOf: DaySchema.describe('The day that it decided for.'),
  at: JournalInstant.describe('The instant of its events.'),
  startedAt: JournalInstant.describe('When it began.'),
  finishedAt: JournalInstant.describe('When it had recorded.'),
  program: Line.describe('Version of this program.'),
  node: Line.describe('Version of Node.'),
  npm: Line.optional().describe('Version of npm, where it is known.'),
  projectName: Line.optional().describe('The name in package.json of the index, where npm ran it.'),
  operatingSystem: Line.optional().describe('Name of the operating system.'),
  numberOfCpuCores: PositiveCount.optional().describe('How many cores Node may use.'),
  nodeLocale: Line.optional().describe('The locale of Node.'),
  commit: CommitId.optional().describe('Commit of the repository, where there is one.'),
  requested: z.array(Line).min(1).describe('The command, and its options by name.'),
  components: Count.describe('How many components there were.'),
  asked: Count.describe('How many of their sources it asked.'),
  published: JournalInstant.optional().describe(
    'The instant of the newest run that was public when this one recorded; absent where that is not known.',
  ),
  publishedAt: JournalInstant.optional().describe(
    'The instant at which that run had become public, where the host states it.',
  ),
  answered: Count.optional().describe('How many of them answered soundly, where any was asked.'),
  unasked: listOf(ComponentName).describe(
    'The components whose sources were not asked, although those of others were.',
  ),
  troubles: listOf(
    z.strictObject({
      component: ComponentName.describe('The name of the component.'),
      source: Line.describe('The source, for instance maven:com.example:agent.'),
      kind: z
        .enum(['failed', 'held'])
        .describe(
          'failed: it did not answer soundly; held: what it states, or an edit, waits for a person.',
        ),
      reason: Line.describe('The problem.'),
      at: JournalInstant.optional().describe(
        'When it failed to answer, where it was asked on that day.',
      ),
    }),
  ).describe('Sources that did not answer, or whose answer waits for a person, and why.'),
  accepted: listOf(DecisionId).describe('The decisions of people that it used.'),
  events: Count.describe('How many events it appended.'),
  journals: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 over all journals after the run; absent while one of them is damaged.'),
});
export type Run = z.infer<typeof Run>;
