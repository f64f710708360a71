/** Schemas of published documents, except `details/<component>.json`. */
import * as z from 'zod';
import { parseForeign, parseJson } from '../parse-document.ts';
import { Component, FreshnessState, Release, State, words } from './published.ts';
import { Event, Run } from './recorded.ts';
import { ComponentName, DaySchema, HttpsUrl, OneLine, VersionText } from './scalars.ts';

const text = z.string();

export const ComponentFreshness = z.strictObject({
  state: FreshnessState,
  lastChecked: DaySchema.optional(),
  mayMiss: z
    .array(z.enum(['releases', 'ends', 'advisories']))
    .optional()
    .describe('What may be missing, because its sources have not answered for too long.'),
  failures: z
    .array(z.strictObject({ source: OneLine, since: DaySchema.optional(), reason: OneLine }))
    .optional(),
  held: z.array(z.strictObject({ id: OneLine, since: DaySchema, reason: OneLine })).optional(),
});
export type ComponentFreshness = z.infer<typeof ComponentFreshness>;

export const ComponentStatus = z
  .strictObject({
    title: OneLine,
    aliases: z.array(OneLine).optional().describe('Other names, former names too.'),
    packages: z
      .array(
        z.strictObject({
          purl: text,
          extractVersion: text.optional(),
          extractFlags: z.literal('i').optional(),
        }),
      )
      .optional(),
    fields: z
      .strictObject({
        policy: text,
        datasource: z.array(text),
        package: z.array(text),
        repository: text.optional(),
      })
      .describe('Fields of queries that all its releases share.'),
    latest: text.optional(),
    releases: z.int(),
    ...ComponentFreshness.shape,
  })
  .meta({ id: 'ComponentStatus' });
export type ComponentStatus = z.infer<typeof ComponentStatus>;

/** `status.json` */
export const Status = z.strictObject({
  asOf: DaySchema,
  url: text,
  staleAfterDays: z.int(),
  events: z.int().describe('The number of events in all journals.'),
  journals: z
    .record(ComponentName, z.int())
    .describe('The number of events in each journal, also of removed components.'),
  runs: z.int(),
  lastRun: Run.optional(),
  componentsPerPart: z
    .int()
    .min(1)
    .describe('How many components each search/<number>.json has, in the order of this document.'),
  years: z.strictObject({ builds: z.array(text), changes: z.array(text) }),
  components: z.record(ComponentName, ComponentStatus),
});
export type Status = z.infer<typeof Status>;

const { initial: _, ...reported } = Event.shape;

/** An event of a journal in `changes.json`. */
export const Change = z
  .strictObject({
    ...reported,
    id: text.describe('Component and number.'),
    component: ComponentName,
    text: OneLine.describe('The event in words.'),
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof Change>;

/** A scan policy in `policies.json`. */
export const Policy = z
  .strictObject({
    name: text,
    isBuiltIn: z.boolean(),
    description: text,
    remediation: text,
    labels: z.record(text, text).optional(),
    query: text,
  })
  .meta({ id: 'Policy' });
export type Policy = z.infer<typeof Policy>;

/** The facts about a component, without its releases. */
export const ComponentFacts = Component.omit({ releases: true }).meta({ id: 'Component' });

/** All that is known about a version of a component, whether it is listed or not. */
export const Verdict = Release.partial()
  .extend({
    version: text,
    isListed: z.boolean(),
    state: z.enum([...State.options, 'not-listed', 'not-released', 'unknown-line']),
    lineState: State.optional().describe(
      'The state of the line, for a version that is not listed.',
    ),
    lines: z
      .array(text)
      .optional()
      .describe(
        'If the version names no release: the line that it names, or those that it may be.',
      ),
    ...words,
  })
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/* Schemas for `search/<number>.json`: the values that queries read, as columns. */

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const Column = z.strictObject({
  values: z
    .array(Value)
    .describe(
      'Each value once. Without "at": a single value is the value of all releases, several values belong to one release each.',
    ),
  at: z
    .array(z.int().min(0))
    .optional()
    .describe(
      'For each release, the place of its value. The place after the last value means no value; the next one means unknown.',
    ),
});

const SearchedReleases = z.strictObject({
  size: z.int().min(0),
  columns: z
    .record(z.string(), Column)
    .describe(
      'By field of queries. If a field is absent, it is unknown for all releases. If it has no values, no release has one.',
    ),
});
export type SearchedColumn = z.infer<typeof Column>;

/** A part of `search/`. It leaves out fields that `status.json` has for a whole component, and fields that follow from the date. */
export const Search = z.strictObject({
  components: z.record(ComponentName, SearchedReleases),
});
export type Search = z.infer<typeof Search>;

/* Maps the name of each schema to the published JSON documents that follow it. */

/** The response format of Renovate's custom datasources. */
const ReleaseFile = z
  .strictObject({
    homepage: HttpsUrl,
    changelogUrl: HttpsUrl,
    sourceUrl: HttpsUrl.optional(),
    tags: z.strictObject({ latest: VersionText, lts: VersionText.optional() }).optional(),
    releases: z.array(
      z.strictObject({
        version: VersionText,
        releaseTimestamp: z.iso.datetime().optional(),
        changelogUrl: HttpsUrl.optional(),
        isDeprecated: z.boolean(),
        isStable: z.literal(false).optional(),
        digest: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .optional(),
      }),
    ),
  })
  .meta({ id: 'ReleaseFile' });

export const publishedSchemas = {
  component: ReleaseFile,
  index: z.array(ComponentName),
  all: z.strictObject({ components: z.record(ComponentName, ReleaseFile) }),
  details: Component,
  latest: Release,
  supported: z.array(VersionText),
  search: Search,
  status: Status,
  changes: z.strictObject({ changes: z.array(Change) }),
  builds: z.strictObject({ builds: z.array(Run) }),
  policies: z.strictObject({ policies: z.array(Policy) }),
  // The predicate of a signed statement about a release. Statements that other people signed may have further keys.
  'release-statement': Release.partial()
    .required({ version: true, line: true })
    .extend({ id: OneLine, component: ComponentName, supportedUntil: DaySchema.optional() })
    .loose(),
};

/** Parses a published document by its path. Throws an `InputError` if its schema rejects the text. */
export function parsePublished(text: string, path: string): unknown {
  // The program reads only documents that have one of these schemas.
  const [name] = path.split(/[/.]/) as [keyof typeof publishedSchemas];
  return parseForeign(publishedSchemas[name], parseJson(text, path), path);
}
