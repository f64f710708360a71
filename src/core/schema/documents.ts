/** Published documents besides those of a component. */
import * as z from 'zod';
import { parseForeign, parseJson } from '../parse-document.ts';
import { releaseFields } from '../query/release-fields.ts';
import { Component, FreshnessState, Release, State, words } from './published.ts';
import { Event, Run } from './recorded.ts';
import { ComponentName, DaySchema, HttpsUrl, OneLine, VersionText } from './scalars.ts';

const text = z.string();

export const ComponentFreshness = z.strictObject({
  state: FreshnessState,
  lastChecked: DaySchema.optional(),
  failures: z
    .array(z.strictObject({ source: OneLine, since: DaySchema.optional(), reason: OneLine }))
    .optional(),
  held: z.array(z.strictObject({ id: OneLine, since: DaySchema, reason: OneLine })).optional(),
});
export type ComponentFreshness = z.infer<typeof ComponentFreshness>;

export const ComponentStatus = z
  .strictObject({
    title: OneLine,
    aliases: z.array(OneLine).optional().describe('Further names, former ones too.'),
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
      .describe('Of queries: what they read of all its releases.'),
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
  events: z.int().describe('All events of all journals.'),
  journals: z
    .record(ComponentName, z.int())
    .describe('The events of each journal, also of components that are gone.'),
  runs: z.int(),
  lastRun: Run.optional(),
  componentsPerPart: z.int().min(1).describe('Of search/<number>.json, in this order.'),
  years: z.strictObject({ builds: z.array(text), changes: z.array(text) }),
  components: z.record(ComponentName, ComponentStatus),
});
export type Status = z.infer<typeof Status>;

const { initial: _, ...told } = Event.shape;

/** An event of a journal in `changes.json`. */
export const Change = z
  .strictObject({
    ...told,
    id: text.describe('Component and number.'),
    component: ComponentName,
    text: OneLine.describe('It in words.'),
  })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof Change>;

/** Of `policies.json`. */
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

/** A component without its releases. */
export const ComponentFacts = Component.omit({ releases: true }).meta({ id: 'Component' });

/** What is known of a version of a component, listed or not. */
export const Verdict = Release.partial()
  .extend({
    version: text,
    isListed: z.boolean(),
    state: z.enum([...State.options, 'not-listed', 'not-released', 'unknown-line']),
    lineState: State.optional().describe('Of the line of a version that is not listed.'),
    ...words,
  })
  .meta({ id: 'Verdict' });
export type Verdict = z.infer<typeof Verdict>;

/** Of other types, a text. */
const valueSchemas: Readonly<Record<string, z.ZodType>> = {
  String: z.union([text, z.array(text)]),
  Number: z.number(),
  Boolean: z.boolean(),
};

/** A release with the fields of queries. */
export const Row = z
  .looseObject(
    Object.fromEntries(
      releaseFields.map(({ name, type, meaning = '' }) => [
        name,
        (valueSchemas[type] ?? text).optional().describe(meaning),
      ]),
    ),
  )
  .meta({ id: 'Release' });

/* `search/<number>.json`: what queries read of releases, in columns. */

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

const Column = z.strictObject({
  values: z
    .array(Value)
    .describe('Each once; without at, one is that of all releases, and several are of one each.'),
  at: z
    .array(z.int().min(0))
    .optional()
    .describe(
      'The place of the value of each release; just behind the last, there is none, and behind that, it is unknown.',
    ),
});

const SearchedReleases = z.strictObject({
  size: z.int().min(0),
  columns: z
    .record(z.string(), Column)
    .describe('By field of queries; one that is absent is unknown, and one without values none.'),
});
export type SearchedColumn = z.infer<typeof Column>;

/** Without what `status.json` says of a component, and what follows from the day. */
export const Search = z.strictObject({
  components: z.record(ComponentName, SearchedReleases),
});
export type Search = z.infer<typeof Search>;

/* The JSON documents of a site, by the names of their schemas. */

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
  supported: z.array(VersionText),
  search: Search,
  status: Status,
  changes: z.strictObject({ changes: z.array(Change) }),
  builds: z.strictObject({ builds: z.array(Run) }),
  badge: z.strictObject({
    schemaVersion: z.literal(1),
    label: OneLine,
    message: OneLine,
    color: OneLine,
  }),
  policies: z.strictObject({ policies: z.array(Policy) }),
  // The predicate of a signed statement. Those that other keys have signed say more.
  'release-statement': Release.partial()
    .required({ version: true, line: true })
    .extend({ id: OneLine, component: ComponentName, supportedUntil: DaySchema.optional() })
    .loose(),
};

/** A published document, by its path. Throws an `InputError` for a text that its schema refuses. */
export function parsePublished(text: string, path: string): unknown {
  // Only documents of these schemas are asked for.
  const [name] = path.split(/[/.]/) as [keyof typeof publishedSchemas];
  return parseForeign(publishedSchemas[name], parseJson(text, path), path);
}
