import { z } from 'zod';
import { pick } from '../../model/objects.ts';
import { fields, type Facts, type SearchedKey } from '../../query/fields.ts';
import { ComponentName, DaySchema, PublishedTimestamp } from '../scalars.ts';
import { PublishedRelease, DetailsFile, PublishedLine, PublishedPolicy } from './details-file.ts';
import { createPartsSchema } from './release-file.ts';

/** The keys of `details/` from which fields are computed, each once. `search.json` has no others. */
export const searchedKeys = {
  component: listKeys('component'),
  line: listKeys('line'),
  release: listKeys('release'),
};

function listKeys<Level extends keyof Facts>(level: Level): SearchedKey<Level>[] {
  const keys = fields.flatMap(({ inSearch }) => inSearch?.[level] ?? []);
  return [...new Set(keys)] as SearchedKey<Level>[];
}

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
