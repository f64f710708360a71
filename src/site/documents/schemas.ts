/** `schema/*.json`: JSON Schema (draft 2020-12) of what people write and of what is published. */
import * as z from 'zod';
import { parseForeign, parseJson } from '../../core/errors.ts';
import { Advisory } from '../../core/schema/advisory.ts';
import { Cle } from '../../core/schema/cle.ts';
import { Change, ComponentFreshness, Policy, Status } from '../../core/schema/documents.ts';
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
import { searchedKeys, searchedLineKeys, searchedReleaseKeys } from '../../core/searched-keys.ts';
import type { File } from '../output.ts';

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

const ShortRelease = Release.pick(markKeys(searchedReleaseKeys))
  .partial()
  .required({ version: true, line: true })
  .extend({
    without: z
      .array(OneLine)
      .optional()
      .describe('Of the keys of its line, those that it does not have.'),
  });

const Searched = z.looseObject({
  ...Component.pick(markKeys(searchedKeys)).shape,
  names: z.array(OneLine).describe('The first is its own.'),
  freshness: ComponentFreshness.shape.state,
  support: Component.shape.support.pick({ policy: true }),
  sources: z.array(Component.shape.sources.element.pick({ datasource: true, packageName: true })),
  advisories: z.array(Advisory.pick({ id: true, aliases: true })),
  lines: z.array(Line.pick(markKeys(searchedLineKeys))),
  releases: z
    .array(ShortRelease)
    .describe('Oldest first. What a release leaves out is as its line says.'),
});

function markKeys<K extends string>(keys: readonly K[]): Record<K, true> {
  return Object.fromEntries(keys.map((key) => [key, true])) as Record<K, true>;
}

/** Of published documents, by the name of their file. */
export const publishedSchemas = {
  component: ReleaseFile,
  index: z.array(ComponentName),
  all: z.strictObject({ components: z.record(ComponentName, ReleaseFile) }),
  details: Component,
  supported: z.array(VersionText),
  search: z.strictObject({ asOf: DaySchema, components: z.record(ComponentName, Searched) }),
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
  cle: Cle,
  // The predicate of a signed statement. Those that other keys have signed say more.
  'release-statement': Release.partial()
    .required({ version: true, line: true })
    .extend({ id: OneLine, component: ComponentName, supportedUntil: DaySchema.optional() })
    .loose(),
};

/** A published document, by its path. Throws an `InputError` for a text that its schema refuses. */
export function parsePublished(text: string, path: string): unknown {
  const [name] = path.split(/[/.]/) as [keyof typeof publishedSchemas];
  return parseForeign(publishedSchemas[name], parseJson(text, path), path);
}

export function* renderSchemas(): Generator<File> {
  for (const [name, schema] of Object.entries({ ...writtenSchemas, ...publishedSchemas })) {
    yield [`schema/${name}.json`, renderSchema(schema)];
  }
}
