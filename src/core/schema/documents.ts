/** Schemas of published documents, except `details/<component>.json`. */
import * as z from 'zod';
import { parseForeign, parseJson } from '../parse-document.ts';
import { Component, FreshnessState, Release, State, words } from './published.ts';
import { Event, Run } from './recorded.ts';
import { ComponentName, DaySchema, Flag, RecordedUrl, OneLine, VersionText } from './scalars.ts';

const text = z.string();

export const ComponentFreshness = z.strictObject({
  state: FreshnessState,
  lastChecked: DaySchema.optional(),
  mayMiss: z
    .array(z.enum(['releases', 'ends', 'advisories']))
    .optional()
    .describe(
      'What may be missing from the index, because its sources have not answered for too long.',
    ),
  failures: z
    .array(z.strictObject({ source: OneLine, since: DaySchema.optional(), reason: OneLine }))
    .optional(),
  held: z.array(z.strictObject({ id: OneLine, since: DaySchema, reason: OneLine })).optional(),
});
export type ComponentFreshness = z.infer<typeof ComponentFreshness>;

export const ComponentStatus = z
  .strictObject({
    title: OneLine,
    aliases: z
      .array(OneLine)
      .optional()
      .describe('Other names of the component, including former names.'),
    packages: z
      .array(
        z.strictObject({
          purl: text,
          extractVersion: text
            .optional()
            .describe('Empty if the regular expression is not published, because it may be slow.'),
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
      .describe('The fields of queries that have the same value for all its releases.'),
    latest: text.optional(),
    splitInto: z.array(ComponentName).optional(),
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
    .describe('The number of events in each journal, including journals of removed components.'),
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
    id: text.describe('The name of the component and the number of the event, such as svc/12.'),
    component: ComponentName,
    text: OneLine.describe(
      'The event in a sentence. For example, Server 2025.1 is no longer supported.',
    ),
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof Change>;

/** A scan policy in `policies.json`. */
export const ScanPolicy = z
  .strictObject({
    name: text,
    isBuiltIn: z.boolean(),
    description: text,
    remediation: text,
    labels: z.record(text, text).optional(),
    query: text,
  })
  .meta({ id: 'Policy' });
export type ScanPolicy = z.infer<typeof ScanPolicy>;

/** The facts about a component, without its releases. */
export const ComponentFacts = Component.omit({ releases: true }).meta({ id: 'Component' });

/** All that is known about a version of a component, even if the index does not list this version. */
export const Verdict = Release.partial()
  .extend({
    version: text,
    isListed: z.boolean(),
    state: z.enum([...State.options, 'not-listed', 'not-released', 'unknown-line']),
    lineState: State.optional().describe(
      'The state of the release line. Present only if the version is not listed.',
    ),
    lines: z
      .array(text)
      .optional()
      .describe(
        'If the version is not a release: the release line that it names, or the lines that it may belong to.',
      ),
    isFarAbove: Flag.describe(
      'The version is too far above the newest known version to be the next release, so no policy can judge it. Its state is not-released.',
    ),
    mayBePatched: Flag.describe(
      'The package comes from a distribution, and support by its vendor has ended. The distribution may patch it longer, so its end of support is unknown.',
    ),
    ...words,
  })
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/*
 * Schemas for `search/<number>.json`, which queries read. Each component has columns: a column contains the values of one query field for
 * all releases.
 */

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const Column = z.strictObject({
  values: z
    .array(Value)
    .describe(
      'The values of the field. If "at" is present, each value once. If "at" is absent, either one value for all releases, or one value for each release.',
    ),
  at: z
    .array(z.int().min(0))
    .optional()
    .describe(
      'For each release, the index of its value in values, from 0. With 3 values, 3 means that the release has no value, and 4 means that its value is unknown.',
    ),
});

const SearchedReleases = z.strictObject({
  size: z.int().min(0),
  columns: z
    .record(z.string(), Column)
    .describe(
      'The values by field of queries. If a field is absent, its value is unknown for all releases. If its list of values is empty, no release has a value.',
    ),
});
export type SearchedColumn = z.infer<typeof Column>;

/** A part of `search/`. It leaves out fields that `status.json` has for a whole component, and fields whose value changes each day. */
export const Search = z.strictObject({
  components: z.record(ComponentName, SearchedReleases),
});
export type Search = z.infer<typeof Search>;

/* The schemas of published JSON documents. Each is published as `schema/<name>.json`. */

/** The response format of Renovate's custom datasources. */
const ReleaseFile = z
  .strictObject({
    homepage: RecordedUrl,
    changelogUrl: RecordedUrl,
    sourceUrl: RecordedUrl.optional(),
    tags: z.strictObject({ latest: VersionText, lts: VersionText.optional() }).optional(),
    releases: z.array(
      z.strictObject({
        version: VersionText,
        releaseTimestamp: z.iso.datetime().optional(),
        changelogUrl: RecordedUrl.optional(),
        isDeprecated: z.boolean(),
        isStable: z.literal(false).optional(),
        isStop: z.literal(true).optional(),
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
  policies: z.strictObject({ policies: z.array(ScanPolicy) }),
  // The predicate of a signed statement about a release. Statements that other people signed may have further JSON keys.
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
