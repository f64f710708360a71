import * as z from 'zod';
import { FreshnessState } from '../recorded/freshness.ts';
import { DecisionId, WaitKind } from '../recorded/held.ts';
import { Run } from '../recorded/journal.ts';
import {
  ComponentName,
  Count,
  DaySchema,
  listOf,
  PositiveCount,
  PublishedVersion,
  Text,
} from '../scalars.ts';

export const PublishedTrouble = z.strictObject({
  source: Text.describe('The source, for instance maven:com.example:agent.'),
  kind: z
    .enum(['failed', 'held'])
    .describe(
      'failed: it did not answer soundly; held: its answer waits for a person to look at it.',
    ),
  reason: Text.describe('The problem.'),
  cause: Text.optional().describe('The host and its failure: equal for every source on that host.'),
  failures: Count.describe('Days in a row on which it did not answer soundly.'),
  heldSince: DaySchema.optional().describe('Day since which its answer waits.'),
  id: DecisionId.optional().describe('The id that the command accept takes.'),
  waits: WaitKind.optional().describe('What waits: the whole component, or some of its versions.'),
  lastAnswered: DaySchema.optional().describe(
    'Day of its last sound answer; absent where there was none.',
  ),
});

export type PublishedTrouble = z.infer<typeof PublishedTrouble>;

export const ComponentStatus = z.strictObject({
  title: Text.describe('Its name for people.'),
  aliases: listOf(Text).describe(
    'Further names that people and build files use, and former names.',
  ),
  state: FreshnessState.describe(
    'live: every source answered; stale: a source did not; held: an answer waits for a person; static: nothing is asked.',
  ),
  lastChecked: DaySchema.optional().describe(
    'Day its sources were last asked; absent where never.',
  ),
  lastChanged: DaySchema.optional().describe(
    'Day its recorded data last changed; absent where never.',
  ),
  consecutiveFailures: Count.describe(
    'The most days in a row without an answer of one of its sources.',
  ),
  releases: Count.describe('How many releases it has.'),
  latest: PublishedVersion.optional().describe('As tags.latest of the release file.'),
  troubles: listOf(PublishedTrouble).describe(
    'Sources without a sound answer, in the order of the definition.',
  ),
});

export type ComponentStatus = z.infer<typeof ComponentStatus>;

const PublishedRun = z.strictObject({
  ...Run.pick({
    id: true,
    asOf: true,
    at: true,
    published: true,
    startedAt: true,
    finishedAt: true,
    asked: true,
  }).shape,
  troubles: Count.describe('How many sources did not answer, or have a held answer.'),
  events: Run.shape.events,
});

/** `builds/<year>.json`. */
export const BuildsFile = z
  .strictObject({
    builds: z
      .array(Run)
      .min(1)
      .describe(
        'Newest first. All runs that were recorded in the year, or, of a year with more than 20 MiB, the newest.',
      ),
  })
  .describe('The runs of the index in a year.');

/** `status.json`. */
export const StatusFile = z
  .strictObject({
    asOf: DaySchema.describe('The day the site was built for; every verdict is of this day.'),
    staleAfterDays: PositiveCount.describe('Days after which the site is too old to rely on.'),
    inputs: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, { error: 'expected sha256: and a digest' })
      .describe('Digest of everything the site was built from.'),
    components: z
      .record(ComponentName, ComponentStatus)
      .describe('The status of each component under its name, alphabetical.'),
    runs: listOf(PublishedRun).describe('The runs of the last 90 days, newest first.'),
    delay: z
      .strictObject({
        releases: PositiveCount.describe('How many releases it is about.'),
        medianHours: Count.describe('Hours: half of them took at most so many.'),
        worstHours: Count.describe('Hours: the longest delay.'),
      })
      .optional()
      .describe('How long after its release a release of the last 90 days was recorded.'),
  })
  .describe('How fresh the index is.');
export type StatusFile = z.infer<typeof StatusFile>;
