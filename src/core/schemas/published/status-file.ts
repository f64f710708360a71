import * as z from 'zod';
import { freshnessStates } from '../../model/states.ts';
import { Run } from '../recorded/runs.ts';
import { Wait } from '../recorded/waits.ts';
import { optionalKey } from '../keys.ts';
import { DetailsFile } from './details-file.ts';
import {
  ComponentName,
  Count,
  DaySchema,
  createListSchema,
  PositiveCount,
  PublishedVersion,
  Text,
} from '../scalars.ts';

export const PublishedTrouble = z.strictObject({
  source: Text.describe(
    'The source, for instance maven:com.example:agent, or the file whose edit waits, with its commit.',
  ),
  kind: z
    .enum(['failed', 'held'])
    .describe('failed: no valid answer; held: the answer or the edit needs a decision.'),
  reason: Text.describe('The problem.'),
  cause: optionalKey(Text, 'The host and its failure, equal for every source on that host.'),
  failures: Count.describe('The number of days in a row without a valid answer.'),
  heldSince: Wait.shape.since.optional(),
  id: Wait.shape.id.optional(),
  waits: Wait.shape.kind.optional(),
  lastAnswered: optionalKey(
    DaySchema,
    'The day of its last valid answer; absent if there was none.',
  ),
});

export type PublishedTrouble = z.infer<typeof PublishedTrouble>;

export const PublishedPackage = z.strictObject({
  purl: z
    .string()
    .regex(/^pkg:/, { error: 'expected a package URL' })
    .describe('Its package URL (https://github.com/package-url/purl-spec) without a version.'),
  extractVersion: optionalKey(
    Text,
    'A regular expression of RE2, whose group "version" finds the version of the index in a version of the package. Absent where both are the same.',
  ),
});

export type PublishedPackage = z.infer<typeof PublishedPackage>;

export const ComponentStatus = z.strictObject({
  title: DetailsFile.shape.title,
  aliases: createListSchema(Text).describe(
    'Further names that people and build files use, and former names.',
  ),
  packages: createListSchema(PublishedPackage).describe('The packages of its sources and aliases.'),
  state: z
    .enum(freshnessStates)
    .describe(
      'live: every source answered; stale: a source did not, or the last check is too old; held: an answer or an edit needs a decision; static: it has no sources to ask.',
    ),
  lastChecked: optionalKey(DaySchema, 'Day its sources were last asked; absent where never.'),
  lastChanged: optionalKey(DaySchema, 'Day its releases last changed; absent where never.'),
  consecutiveFailures: Count.describe(
    'The number of days in a row without an answer of one of its sources.',
  ),
  releases: Count.describe('The number of its releases.'),
  latest: optionalKey(PublishedVersion, 'As tags.latest of the release file.'),
  troubles: createListSchema(PublishedTrouble).describe(
    'What is held, then the sources without a valid answer, in the order of the definition.',
  ),
});

export type ComponentStatus = z.infer<typeof ComponentStatus>;

const PublishedRun = Run.pick({
  id: true,
  asOf: true,
  at: true,
  published: true,
  startedAt: true,
  finishedAt: true,
  asked: true,
  events: true,
}).extend({ troubles: Count.describe('The number of sources without a valid answer.') });

/** `status.json`. */
export const StatusFile = z.strictObject({
  asOf: DaySchema.describe('The day the site was built for.'),
  staleAfterDays: PositiveCount.describe('Days after which the site is too old to rely on.'),
  inputs: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/, { error: 'expected sha256: and a digest' })
    .describe('Digest of everything the site was built from.'),
  components: z
    .record(ComponentName, ComponentStatus)
    .describe('The status of each component by name, alphabetical.'),
  runs: createListSchema(PublishedRun).describe('The runs of the last 90 days, newest first.'),
  delay: optionalKey(
    z.strictObject({
      releases: PositiveCount.describe('The number of releases measured.'),
      medianHours: Count.describe('The median delay in hours.'),
      worstHours: Count.describe('The longest delay in hours.'),
    }),
    'The time from release to record, for the releases recorded in the last 90 days whose instant upstream states.',
  ),
});

export type StatusFile = z.infer<typeof StatusFile>;

/** `builds/<year>.json`. */
export const BuildsFile = z.strictObject({
  builds: z
    .array(Run)
    .min(1)
    .describe(
      'Newest first. All runs that were recorded in the year, or, of a year with more than 20 MiB, the newest.',
    ),
});
