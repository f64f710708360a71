/** The JSON documents of a site, by the names of their schemas. */
import * as z from 'zod';
import { parseForeign, parseJson } from '../parse-document.ts';
import { Change, Policy, Status } from './documents.ts';
import { Run } from './events.ts';
import { Component, Release } from './published.ts';
import { ComponentName, DaySchema, HttpsUrl, OneLine, VersionText } from './scalars.ts';
import { Search } from './search.ts';

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
