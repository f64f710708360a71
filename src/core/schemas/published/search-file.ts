import * as z from 'zod';
import { pick } from '../../model/objects.ts';
import { listSearchedKeys } from '../../query/fields.ts';
import { optionalKey } from '../keys.ts';
import { ComponentName, DaySchema, PublishedTimestamp } from '../scalars.ts';
import { DetailsFile, PublishedLine, PublishedPolicy, PublishedRelease } from './details-file.ts';
import { createPartsSchema } from './release-documents.ts';

/** The keys of `details/` that the fields of queries need. `policy` is a key of `support`. */
export const searchedKeys = {
  component: listSearchedKeys('component'),
  line: listSearchedKeys('line'),
  release: listSearchedKeys('release'),
};

/** The facts about a release that decide its state and the fields of queries. */
const SearchedRelease = z.strictObject({
  ...pick(PublishedRelease.shape, searchedKeys.release),
  releaseTimestamp: optionalKey(
    z.union([PublishedTimestamp, DaySchema]),
    'As in the details; a day in place of its first instant.',
  ),
});

export const SearchedLine = z.strictObject({
  ...pick(PublishedLine.shape, searchedKeys.line),
  shared: optionalKey(SearchedRelease.partial(), 'Values that all of its releases share.'),
  releases: z
    .array(SearchedRelease.partial().extend({ version: SearchedRelease.shape.version }))
    .describe('Its releases, oldest first, with the values that are not shared.'),
});
export type SearchedLine = z.infer<typeof SearchedLine>;

export const SearchedComponent = z.strictObject({
  ...pick({ ...DetailsFile.shape, policy: PublishedPolicy.shape.policy }, searchedKeys.component),
  lines: z.array(SearchedLine).describe('Every release line, oldest first.'),
});
export type SearchedComponent = z.infer<typeof SearchedComponent>;

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
