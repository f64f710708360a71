/** `schema/*.json`: JSON Schema (draft 2020-12) of what people write and of what is published. */
import * as z from 'zod';
import { Change, Policy, Status } from '../../core/schema/documents.ts';
import { Run } from '../../core/schema/events.ts';
import { renderSchema, writtenSchemas } from '../../core/schema/json-schema.ts';
import { Component, Line, Release } from '../../core/schema/published.ts';
import {
  ComponentName,
  DaySchema,
  HttpsUrl,
  OneLine,
  VersionText,
} from '../../core/schema/scalars.ts';
import { searchedLineKeys, searchedReleaseKeys } from '../../core/search.ts';

/** `<component>.json`: the response format of Renovate's custom datasources. */
const ReleaseFile = z
  .strictObject({
    homepage: HttpsUrl,
    changelogUrl: HttpsUrl,
    sourceUrl: HttpsUrl.optional(),
    tags: z
      .strictObject({ latest: VersionText })
      .optional()
      .describe('The greatest version that is stable and not deprecated.'),
    releases: z
      .array(
        z.strictObject({
          version: VersionText,
          releaseTimestamp: z.iso.datetime().optional(),
          changelogUrl: HttpsUrl.optional(),
          isDeprecated: z.boolean(),
          isStable: z.literal(false).optional(),
        }),
      )
      .describe('Oldest first, in the order of versions.'),
  })
  .meta({ id: 'ReleaseFile' });

/** A release leaves out what its line says, what is usual, and what order says. */
const short = {
  version: VersionText,
  line: Release.shape.line,
  without: z
    .array(OneLine)
    .optional()
    .describe('Of the keys that a release takes from its line, those that it does not have.'),
};
const ofLine = 'Oldest first. A release without a verdict, or a part of it, has that of its line.';
const ShortRelease = z.strictObject({ ...Release.partial().shape, ...short });

const Details = Component.extend({ releases: z.array(ShortRelease).describe(ofLine) });

const Searched = Component.pick(
  markKeys(['title', 'packages', 'latest', 'sourceRepository', 'watchesAdvisories']),
).extend({
  names: z.array(OneLine).describe('The first is its own.'),
  freshness: OneLine,
  support: z.strictObject({ policy: OneLine }),
  sources: z.array(z.strictObject({ datasource: OneLine, packageName: OneLine.optional() })),
  advisories: z.array(z.strictObject({ id: OneLine, aliases: z.array(OneLine).optional() })),
  lines: z.array(Line.pick(markKeys(searchedLineKeys))),
  releases: z
    .array(ShortRelease.pick(markKeys([...searchedReleaseKeys, 'without'])))
    .describe(ofLine),
});

function markKeys<K extends string>(keys: readonly K[]): Record<K, true> {
  return Object.fromEntries(keys.map((key) => [key, true])) as Record<K, true>;
}

const Badge = z.strictObject({
  schemaVersion: z.literal(1),
  label: OneLine,
  message: OneLine,
  color: z.string(),
});

/** By the name of their file. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  ...writtenSchemas,
  component: ReleaseFile,
  index: z.array(ComponentName),
  all: z.strictObject({ components: z.record(ComponentName, ReleaseFile) }),
  details: Details,
  supported: z.array(VersionText),
  search: z.strictObject({ asOf: DaySchema, components: z.record(ComponentName, Searched) }),
  status: Status,
  changes: z.strictObject({ changes: z.array(Change) }),
  builds: z.strictObject({ builds: z.array(Run) }),
  badge: Badge,
  policies: z.strictObject({ policies: z.array(Policy) }),
};

export function* renderSchemas(): Generator<[path: string, body: string]> {
  for (const [name, schema] of Object.entries(schemas)) {
    yield [`schema/${name}.json`, renderSchema(schema)];
  }
}
