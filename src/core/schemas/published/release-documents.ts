import * as z from 'zod';
import { optionalKey } from '../keys.ts';
import { ComponentName, PublishedTimestamp, PublishedVersion, Text } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { DetailsFile } from './details-file.ts';

const ReleaseEntry = z.strictObject({
  version: PublishedVersion,
  releaseTimestamp: optionalKey(
    PublishedTimestamp,
    'The release time in UTC, or the start of the release day. Never earlier than the last answer of its source that lacked the release, so that a minimum age is not too short. Absent if the day is unknown; never in the future.',
  ),
  changelogUrl: optionalKey(HttpsUrl, 'The changes in this release, where an address is known.'),
  isDeprecated: z
    .boolean()
    .describe('Whether users should upgrade from it. details/<component>.json has the reason.'),
  isStable: optionalKey(
    z.literal(false),
    'false for a prerelease; absent for every other release.',
  ),
});

/** `<component>.json`. */
export const ReleaseFile = z
  .strictObject({
    ...DetailsFile.pick({ homepage: true, changelogUrl: true }).shape,
    sourceUrl: optionalKey(
      HttpsUrl,
      'The repository that its releases are built from, where the definition states it: Renovate takes release notes from there.',
    ),
    tags: optionalKey(
      z.strictObject({
        latest: DetailsFile.shape.onBuildDay.shape.latest.unwrap(),
      }),
      'Absent where every stable release is deprecated, or there is none.',
    ),
    releases: z
      .array(ReleaseEntry)
      .describe('Every release, oldest first in the order of versions.'),
  })
  .describe(
    "Releases of a component, in the response format of Renovate's custom datasource (https://docs.renovatebot.com/modules/datasource/custom/).",
  );
export type ReleaseFile = z.infer<typeof ReleaseFile>;

/** `supported/<component>.json`. */
export const SupportedFile = z
  .array(PublishedVersion)
  .describe('The latest release of each supported release line, oldest first.');

/** `badges/<component>.json` (https://shields.io/badges/endpoint-badge). */
export const BadgeFile = z.strictObject({
  schemaVersion: z.literal(1).describe('The version of this format of shields.io.'),
  label: Text.describe('The left half: the title of the component.'),
  message: Text.describe(
    'The right half: the latest version, with the phase of its line if that has several; "none supported", "prereleases only" or "no releases".',
  ),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/)
    .describe(
      'Green: the latest release is supported. Brown: its support ends soon, or may have ended. Red: its support has ended, or every release is deprecated. Grey: no end is stated, or there is no stable release.',
    ),
});
export type BadgeFile = z.infer<typeof BadgeFile>;

/** `index.json`. */
export const IndexFile = z
  .array(ComponentName)
  .describe('The names of all components, alphabetical.');

/** The first members of `all.json` and `search.json`, whose components may be too many for one file. */
export function createPartsSchema(document: 'all' | 'search') {
  const paths = z.array(z.string().regex(new RegExp(`^${document}\\/\\d+\\.json$`)));

  return {
    isComplete: optionalKey(
      z.literal(false),
      'The first member where the components exceed 20 MiB: the document has none, and its parts have all. Absent otherwise.',
    ),
    parts: optionalKey(
      paths.min(1).max(1000),
      'Relative paths of the parts, which have the same form, in the order of their components.',
    ),
  };
}

/** `all.json`. */
export const AllFile = z.strictObject({
  ...createPartsSchema('all'),
  components: z
    .record(ComponentName, ReleaseFile)
    .describe(
      'The release file of each component under its name, alphabetical. Empty where there are parts.',
    ),
});
export type AllFile = z.infer<typeof AllFile>;
