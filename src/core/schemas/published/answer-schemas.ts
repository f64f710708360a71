import * as z from 'zod';
import { moveReasons } from '../../model/move-to.ts';
import { pick } from '../../model/objects.ts';
import { pairAnswers } from '../../model/pair-answers.ts';
import { endFacts } from '../../model/phases.ts';
import { fields } from '../../query/fields.ts';
import type { FieldType } from '../../query/field-types.ts';
import { PhaseName } from '../definition/phase.ts';
import { Run } from '../recorded/runs.ts';
import { optionalKey } from '../keys.ts';
import {
  ComponentName,
  Count,
  createListSchema,
  DaySchema,
  Flag,
  JournalInstant,
  PublishedVersion,
  Text,
  PositiveCount,
} from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { PublishedRelease, DetailsFile, PublishedLine, PublishedState } from './details-file.ts';
import { SearchedComponent } from './search-file.ts';
import { ComponentStatus } from './status-file.ts';

/** The JSON of a field by its type; a text for the others. */
const valueSchemas: Readonly<Partial<Record<FieldType, z.ZodType>>> = {
  String: z.union([z.string(), z.array(z.string())]),
  'Key-value': z.record(z.string(), z.string()),
  Number: z.number(),
  'Storage size': z.number(),
  Boolean: z.boolean(),
};

const releaseFields = Object.fromEntries(
  fields.map(({ name, type, meaning }) => [
    name,
    optionalKey(valueSchemas[type] ?? z.string(), meaning),
  ]),
);

/** The maximum number of elements in a page of a list. */
export const maxPageSize = 1000;

/** `GET /api/releases`, and `GET /api/answers` of a question about several releases. */
export const FoundReleases = z
  .array(
    z.object({
      ...releaseFields,
      availableAt: optionalKey(
        JournalInstant,
        'In /api/releases: when it was first published, where that is recorded.',
      ),
    }),
  )
  .max(maxPageSize)
  .describe(
    'Releases with the fields of queries that are known of them. /api/releases has age, supportLeft and phaseLeft only where the query names one of them.',
  );

/** `GET /api/answers` of a question that a page answers. */
export const PageAnswer = z.strictObject({
  text: Text.describe('The question, as it was read.'),
  url: Text.describe('The address of the page with the answer.'),
});

/** `GET /api/builds`. */
export const FoundBuilds = z
  .array(
    z.object({
      id: Run.shape.id,
      availableAt: z.int().describe('When it was published, in milliseconds since 1970.'),
      buildToolType: z
        .enum(['npm', 'unknown'])
        .describe('unknown where npm did not start the run.'),
      buildToolVersion: z
        .string()
        .describe('Version of npm; unknown where npm did not start the run.'),
      buildAgentVersion: z.string().describe('Version of this program.'),
    }),
  )
  .max(maxPageSize)
  .describe('Runs of the index, oldest first.');

/** `GET /api/components`. */
export const FoundComponents = z
  .array(
    SearchedComponent.omit({ lines: true }).extend({
      component: ComponentName,
      status: ComponentStatus,
    }),
  )
  .describe('Components, with what is common to their releases and how fresh they are.');

/** `GET /api/components/{component}`. */
export const FoundComponent = DetailsFile.omit({ releases: true, sources: true, onBuildDay: true })
  .extend({
    ...DetailsFile.shape.onBuildDay.shape,
    lines: z
      .array(
        PublishedLine.extend({
          state: PublishedState,
          isSupported: optionalKey(z.boolean(), 'Absent where that is unknown.'),
          phase: optionalKey(PhaseName, 'The present phase.'),
        }),
      )
      .describe('Every release line as of the day of the question, oldest first.'),
    status: ComponentStatus,
  })
  .describe('A component as in its details, without its releases, and how fresh it is.');

export const PublishedMoveTarget = z.object({
  component: ComponentName,
  version: PublishedVersion,
});

/** The answer about a version for its users. */
export const VersionAnswer = z.object({
  component: ComponentName,
  title: DetailsFile.shape.title,
  version: PublishedVersion.describe('As listed; as asked where it is not listed.'),
  asOf: DaySchema.describe('The day that the answer holds for.'),
  state: PublishedState,
  label: Text.describe('The state in a few words.'),
  sentence: Text.describe('The state in a sentence, with its day.'),
  because: z.array(Text).describe('The facts it follows from, and what to know before moving.'),
  advice: Text.describe('What to do, in a sentence.'),
  notes: createListSchema(Text).describe(
    'How the question was read, whether there is no such release to move to, and a warning where the index is old.',
  ),
  isListed: z.boolean().describe('Whether the index has the version.'),
  line: PublishedLine.shape.line.optional(),
  lineState: optionalKey(
    PublishedState,
    'The state of its line; only for a version that is not listed.',
  ),
  lines: createListSchema(PublishedLine.shape.line).describe(
    'Several release lines that fit the question, oldest first.',
  ),
  isLatest: z.boolean().describe('Whether it is the latest version of the component.'),
  isDeprecated: optionalKey(z.boolean(), 'Whether a reason to move off it certainly holds.'),
  isSupported: optionalKey(
    z.boolean(),
    'true: its support certainly runs; false: it is certainly over. Absent where that is unknown.',
  ),
  ...pick(PublishedLine.shape, endFacts),
  phases: PublishedLine.shape.phases,
  isLts: Flag.describe('Present where its line has long-term support.'),
  phase: optionalKey(PhaseName, 'The present phase of its line.'),
  releasesBehind: optionalKey(
    Count,
    'The number of greater stable releases that are not deprecated; absent for the latest.',
  ),
  behind: optionalKey(
    Text,
    'Time in days, such as P310D, from its day to that of the latest. Absent for the latest, and unless upstream states both days.',
  ),
  isVulnerable: optionalKey(
    z.boolean(),
    'Whether an advisory affects it; absent where advisories are not known.',
  ),
  advisories: optionalKey(
    z.array(Text),
    'Ids of the advisories that affect it; absent where advisories are not known.',
  ),
  ...PublishedRelease.pick({ fixes: true, severity: true, exploitedSince: true, dueBy: true })
    .shape,
  moveReason: optionalKey(
    z.enum(moveReasons),
    'Why to move: the first of these that holds. Present only with moveTo.',
  ),
  moveTo: optionalKey(
    PublishedMoveTarget,
    'The next release to move to; absent without a reason, or where there is none.',
  ),
  goal: optionalKey(
    PublishedMoveTarget,
    'What to go on to from moveTo, where moveTo is a stop that no upgrade may skip.',
  ),
  moveBy: optionalKey(DaySchema, 'The day by which to move. Absent with moveTo: move now.'),
  latestOfLine: optionalKey(
    PublishedVersion,
    'The greatest stable release of its line that is listed and not deprecated for itself; the end of the line does not matter. A fact, no advice.',
  ),
  newest: optionalKey(PublishedVersion, 'The latest version of the component: a fact, no advice.'),
  with: createListSchema(
    z.object({
      component: ComponentName,
      version: Text.describe('The version of the other component.'),
      answer: z
        .enum(pairAnswers)
        .describe('good, bad, limited (one feature is missing), or not-stated.'),
      sentence: Text.describe('The answer in a sentence.'),
      because: z
        .array(z.object({ text: Text, url: HttpsUrl.optional() }))
        .describe('The statements that it follows from, with their addresses.'),
    }),
  ).describe('Whether it works with the versions of other components that the question names.'),
  reasons: z.array(Text).describe('Why it is deprecated; empty where it is not.'),
  releasesBetween: z
    .array(
      z.object({
        version: PublishedVersion,
        isDeprecated: z.boolean().describe('Whether a reason to move off it certainly holds.'),
        changelogUrl: PublishedRelease.shape.changelogUrl,
      }),
    )
    .describe(
      'Releases between it and the target, which is the wanted release or else what to move to, oldest first, without prereleases.',
    ),
});
export type VersionAnswer = z.infer<typeof VersionAnswer>;

/** An error, such as for an unknown address (RFC 9457). */
export const ProblemDetails = z
  .looseObject({
    type: optionalKey(Text, 'Kind of the problem; about:blank where absent.'),
    title: Text.describe('The problem, in a few words.'),
    status: z.int().min(400).max(599).describe('Status code of the answer.'),
    detail: optionalKey(Text, 'The problem with this request, and the remedy.'),
    parameter: optionalKey(Text, 'The parameter that is wrong.'),
    position: optionalKey(PositiveCount, 'The first unexpected character of a query, from 1.'),
    expected: optionalKey(Text, 'The expected value.'),
    instance: optionalKey(Text, 'The path that was asked for.'),
  })
  .describe('An error as application/problem+json (RFC 9457). It is not cached.');
