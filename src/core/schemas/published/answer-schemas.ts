import * as z from 'zod';
import { fields, type FieldType } from '../../query/fields.ts';
import { Run } from '../journal.ts';
import { ComponentName, DaySchema, listOf, PublishedVersion, Text } from '../scalars.ts';
import { DetailedRelease, DetailsFile, PublishedLine } from './details-file.ts';
import { SearchedComponent } from './search-file.ts';
import { ComponentStatus } from './status-file.ts';

const ofType: Readonly<Record<FieldType, z.ZodType>> = {
  String: z.union([z.string(), z.array(z.string())]),
  'Key-value': z.record(z.string(), z.string()),
  Version: z.string(),
  Timestamp: z.string(),
  Duration: z.string(),
  Number: z.number(),
  'Storage size': z.number(),
  Boolean: z.boolean(),
};

/** A release as a query answers it. */
export const AnsweredRelease = z
  .object(
    Object.fromEntries(
      fields.map(({ name, type, meaning }) => [name, ofType[type].optional().describe(meaning)]),
    ),
  )
  .describe('A release with the fields of queries that are known of it.');

/** `GET /api/releases`. */
export const FoundReleases = z
  .array(AnsweredRelease)
  .max(1000)
  .describe(
    'Releases with the fields that queries ask for, oldest first by availableAt. age, supportLeft and phaseLeft are present only where the query names one of them.',
  );

/** `GET /api/builds`, in the form of the specification. */
export const FoundBuilds = z
  .array(
    z.object({
      id: Run.shape.id,
      availableAt: z.int().describe('When it was recorded, in milliseconds since 1970.'),
      buildToolType: z.literal('npm').describe('npm starts every run.'),
      buildToolVersion: z.string().describe('Version of npm; unknown where npm did not start the run.'),
      buildAgentVersion: z.string().describe('Version of this program.'),
    }),
  )
  .max(1000)
  .describe('Runs of the index, oldest first.');

/** `GET /api/components`. */
export const FoundComponents = z
  .array(
    SearchedComponent.omit({ lines: true }).extend({ component: ComponentName, status: ComponentStatus }),
  )
  .describe('All components, with what is common to their releases and how fresh they are.');

/** `GET /api/components/{component}`. */
export const FoundComponent = DetailsFile.omit({ releases: true })
  .extend({ status: ComponentStatus })
  .describe('A component as in its details, without its releases, and how fresh it is.');

/** What somebody who uses a version has to know. */
export const VersionAnswer = z
  .object({
    component: ComponentName,
    title: DetailsFile.shape.title,
    version: PublishedVersion.describe('As listed; as asked where it is not listed.'),
    asOf: DaySchema.describe('The day of the question, which the answer is of.'),
    state: z
      .enum([
        'Supported',
        'Ends soon',
        'Support ended',
        'Deprecated',
        'Withdrawn',
        'No policy',
        'Not listed',
        'Not released',
        'Several lines',
        'Unknown version',
      ])
      .describe(
        'The answer in two words. Ends soon: within 90 days; No policy: not deprecated, and nobody promised support; Not listed: of a line that is alive; Several lines: of a year or a prefix.',
      ),
    sentence: Text.describe('The answer and what to do, in a sentence.'),
    evidence: Text.optional().describe('The grounds of the answer, and a warning where the index is old.'),
    isListed: z.boolean().describe('Whether the index has the version.'),
    line: PublishedLine.shape.line.optional(),
    lines: listOf(PublishedLine.shape.line).describe(
      'Several release lines that fit the question, oldest first.',
    ),
    status: DetailedRelease.shape.status.optional(),
    isLatest: z.boolean().describe('Whether it is the latest version of the component.'),
    isDeprecated: z.boolean().optional().describe('Whether one should move off it.'),
    isSupported: z
      .optional(z.boolean())
      .describe('Whether its support runs; absent without a promise of support.'),
    supportedUntil: DaySchema.optional().describe('First day without support, past or future.'),
    ...PublishedLine.pick({ supportedUntilKind: true, isLts: true, phase: true, phases: true }).shape,
    moveTo: z
      .object({
        component: ComponentName,
        version: PublishedVersion.optional().describe('Absent where no version of it can be recommended.'),
      })
      .optional()
      .describe('Absent where there is nothing to move to, or no need to.'),
    moveBy: DaySchema.optional().describe('The day by which to move, where its line ends within 90 days.'),
    provenance: DetailedRelease.shape.provenance,
    reasons: z.array(Text).describe('Why it is deprecated; empty where it is not.'),
    releasesBetween: z
      .array(
        z.object({
          version: PublishedVersion,
          isDeprecated: DetailedRelease.shape.isDeprecated,
          changelogUrl: DetailedRelease.shape.changelogUrl,
        }),
      )
      .describe('Releases between it and what to move to, oldest first, without prereleases.'),
  })
  .describe('A version as of the day of the question, and the advice on it.');
export type VersionAnswer = z.infer<typeof VersionAnswer>;
