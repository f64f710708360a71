import * as z from 'zod';
import { pick } from '../../model/objects.ts';
import { listSearchedKeys } from '../../query/fields.ts';
import {
  ComponentName,
  DaySchema,
  PublishedTimestamp,
  PublishedVersion,
  Text,
} from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { DetailsFile, PublishedLine, PublishedPolicy, PublishedRelease } from './details-file.ts';

const ReleaseEntry = z.strictObject({
  version: PublishedVersion,
  releaseTimestamp: PublishedTimestamp.optional().describe(
    'The release time in UTC, or the start of the release day. Never before the last answer of its source without the release, so that a minimum age is never too short. Absent if the day is unknown; never in the future.',
  ),
  changelogUrl: HttpsUrl.optional().describe(
    'The changes in this release, where an address is known.',
  ),
  isDeprecated: z
    .boolean()
    .describe('Whether users should upgrade from it. details/<component>.json has the reason.'),
  isStable: z
    .literal(false)
    .optional()
    .describe('false for a prerelease; absent for every other release.'),
});

/** `<component>.json`. */
export const ReleaseFile = z
  .strictObject({
    homepage: HttpsUrl.describe('The documentation of the component.'),
    changelogUrl: HttpsUrl.describe('The release history of the component.'),
    sourceUrl: HttpsUrl.optional().describe(
      'The repository that its releases are built from, where the definition states it: Renovate takes release notes from there.',
    ),
    tags: z
      .strictObject({
        latest: PublishedVersion.describe('The greatest stable version that is not deprecated.'),
      })
      .optional()
      .describe('Absent where no release is supported.'),
    releases: z
      .array(ReleaseEntry)
      .describe('Every release, oldest first in the order of versions.'),
  })
  .describe(
    "Releases of a component, in the response format of Renovate's custom datasource (https://docs.renovatebot.com/modules/datasource/custom/).",
  );
export type ReleaseFile = z.infer<typeof ReleaseFile>;

/** `index.json`. */
export const IndexFile = z
  .array(ComponentName)
  .describe('The names of all components, alphabetical.');

/** The first members of a document of all components that is too long for one file. */
function createPartsSchema(document: 'all' | 'search') {
  const paths = z.array(z.string().regex(new RegExp(`^${document}\\/\\d+\\.json$`)));

  return {
    isComplete: z
      .literal(false)
      .optional()
      .describe(
        'The first member where the components exceed 20 MiB: the document has none, and its parts have all. Absent otherwise.',
      ),
    parts: paths
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Relative paths of documents of the same form, alphabetical, where the components exceed 20 MiB; absent otherwise.',
      ),
  };
}

/** `all.json`. */
export const AllFile = z
  .strictObject({
    ...createPartsSchema('all'),
    components: z
      .record(ComponentName, ReleaseFile)
      .describe(
        'The release file of each component under its name, alphabetical. Empty where there are parts.',
      ),
  })
  .describe('The releases of all components, or the parts that hold them.');
export type AllFile = z.infer<typeof AllFile>;

/** The keys of `details/` from which fields are computed. `search.json` has no others. */
export const searchedKeys = {
  component: listSearchedKeys('component'),
  line: listSearchedKeys('line'),
  release: listSearchedKeys('release'),
};

/** The facts about a release that decide its state and the fields of queries. */
const SearchedRelease = PublishedRelease.pick(createMask(searchedKeys.release)).extend({
  releaseTimestamp: z
    .union([PublishedTimestamp, DaySchema])
    .optional()
    .describe('As in the details; a day in place of its first instant.'),
});

export const SearchedLine = PublishedLine.pick(createMask(searchedKeys.line)).extend({
  shared: SearchedRelease.partial().optional().describe('Values that all of its releases share.'),
  releases: z
    .array(SearchedRelease.partial())
    .describe('Its releases, oldest first, with the values that are not shared.'),
});
export type SearchedLine = z.infer<typeof SearchedLine>;

export const SearchedComponent = z.strictObject({
  ...pick({ ...DetailsFile.shape, policy: PublishedPolicy.shape.policy }, searchedKeys.component),
  lines: z.array(SearchedLine).describe('Every release line, oldest first.'),
});
export type SearchedComponent = z.infer<typeof SearchedComponent>;

function createMask<Key extends string>(keys: readonly Key[]): { [K in Key]: true } {
  return Object.fromEntries(keys.map((key) => [key, true])) as { [K in Key]: true };
}

/** `search.json`. */
export const SearchFile = z
  .strictObject({
    ...createPartsSchema('search'),
    components: z
      .record(ComponentName, SearchedComponent)
      .describe(
        'The searchable facts of each component, under its name, alphabetical. Empty where there are parts.',
      ),
  })
  .describe(
    'The facts about every release for queries. status.json has the freshness of components.',
  );
export type SearchFile = z.infer<typeof SearchFile>;

/** `supported/<component>.json`. */
export const SupportedFile = z
  .array(PublishedVersion)
  .describe('The latest release of each supported release line, oldest first.');

/** `badges/<component>.json` (https://shields.io/badges/endpoint-badge). */
export const BadgeFile = z
  .strictObject({
    schemaVersion: z.literal(1).describe('The version of this format of shields.io.'),
    label: Text.describe('The left half: the title of the component.'),
    message: Text.describe(
      'The right half: the latest version, "none supported" or "no releases".',
    ),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .describe(
        'Green: a release is supported. Grey: releases are only listed, or there is none. Red: none is supported.',
      ),
  })
  .describe('A badge for https://shields.io/badges/endpoint-badge.');
export type BadgeFile = z.infer<typeof BadgeFile>;

const Rule = z.record(z.string(), z.unknown());

/** `renovate.json`. Renovate's own schema, which it names, describes the rules in it (https://docs.renovatebot.com/config-presets/). */
export const PresetFile = z
  .strictObject({
    $schema: HttpsUrl.describe("The schema of Renovate's whole configuration."),
    description: z.array(Text).min(1).describe('The purpose of the preset.'),
    extends: z
      .array(Text)
      .min(1)
      .describe("Renovate's own managers for a comment above a version."),
    customManagers: z
      .array(
        z.looseObject({
          managerFilePatterns: z.array(Text).describe('The files that it reads.'),
          matchStrings: z
            .array(Text)
            .describe('Expressions of a comment and the version below it.'),
        }),
      )
      .min(1)
      .describe('Reads the comment in files for which Renovate has no manager of its own.'),
    customDatasources: z
      .record(
        z.string().regex(/^[a-z0-9-]+$/),
        z.looseObject({
          defaultRegistryUrlTemplate: Text.describe('Address of the releases of a package.'),
        }),
      )
      .describe('The datasource custom.<name>.'),
    packageRules: z.array(Rule).describe('Order of versions, and links to what changed.'),
  })
  .describe('A preset for Renovate: {"extends": ["<address of this file>"]} is all a user needs.');

/** `renovate/own.json` and `renovate/days.json`. */
export const FurtherPresetFile = PresetFile.pick({
  $schema: true,
  description: true,
  packageRules: true,
}).describe(
  'A preset for Renovate to extend after renovate.json. Its description says what it changes.',
);
