import * as z from 'zod';
import { optionalKey } from '../keys.ts';
import {
  CommitId,
  ComponentName,
  Count,
  createListSchema,
  DaySchema,
  JournalInstant,
  OneLine,
  PositiveCount,
  Sha256,
  SourceId,
} from '../scalars.ts';
import { DecisionId, Wait } from './waits.ts';

/** One line of `data/runs/<year>.ndjson`, and an entry of `builds/<year>.json`: a run that recorded what the index says. */
export const Run = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]{13}$/, { error: 'expected an id of 13 letters and digits' })
    .describe('The id of the run.'),
  asOf: DaySchema.describe('The day that the run recorded.'),
  at: JournalInstant.describe('The instant of its events.'),
  startedAt: JournalInstant.describe('Start of the run.'),
  finishedAt: JournalInstant.describe('End of the run.'),
  program: OneLine.describe('Version of this program.'),
  node: OneLine.describe('Version of Node.'),
  npm: optionalKey(OneLine, 'Version of npm, where it is known.'),
  projectName: optionalKey(OneLine, 'The name in package.json of the index, where npm ran it.'),
  operatingSystem: optionalKey(OneLine, 'Name of the operating system.'),
  numberOfCpuCores: optionalKey(PositiveCount, 'The number of cores that Node may use.'),
  nodeLocale: optionalKey(OneLine, 'The locale of Node.'),
  commit: optionalKey(CommitId, 'Commit of the repository, where there is one.'),
  requested: z.array(OneLine).min(1).describe('The command, and its options by name.'),
  components: Count.describe('The number of components.'),
  asked: Count.describe('The number of sources it asked.'),
  published: optionalKey(
    JournalInstant,
    'The instant of the newest run that was public at that time; absent if unknown.',
  ),
  publishedAt: optionalKey(
    JournalInstant,
    'The instant at which that run became public, if the host states it.',
  ),
  answered: optionalKey(
    Count,
    'The number of sources with a valid answer; absent if none was asked.',
  ),
  unasked: createListSchema(ComponentName).describe(
    'The components whose sources were not asked, in a run that asked others.',
  ),
  troubles: createListSchema(
    z.strictObject({
      component: ComponentName,
      source: SourceId.describe('The source, for instance maven:com.example:agent.'),
      kind: z.enum(['failed']).describe('No valid answer.'),
      reason: OneLine.describe('The problem.'),
      at: optionalKey(
        JournalInstant,
        'The instant of the failed request, if it was asked on that day.',
      ),
    }),
  ).describe('Sources without a valid answer.'),
  waits: createListSchema(Wait).describe('All that waits for a person after the run.'),
  accepted: createListSchema(DecisionId).describe('Ids of accepted decisions that it used.'),
  events: Count.describe('The number of appended events.'),
  journals: optionalKey(
    Sha256,
    'SHA-256 over all journals after the run; absent while one of them is damaged.',
  ),
});
export type Run = z.infer<typeof Run>;
