import * as z from 'zod';
import { componentFields } from '../../query/fields.ts';
import { pick } from '../../text.ts';
import { ComponentName, Flag, PublishedTimestamp } from '../scalars.ts';
import { partsOf } from './release-file.ts';
import {
  DetailedRelease,
  DetailsFile,
  PublishedLine,
  PublishedPolicy,
  PublishedProvenance,
} from './details-file.ts';

/** The facts about a release that decide its state and the fields of queries. */
const SearchedRelease = DetailedRelease.pick({
  version: true,
  releaseTimestamp: true,
  timestampKind: true,
  firstSeen: true,
  availableAt: true,
  withdrawnSince: true,
  reasons: true,
  advisories: true,
  fixes: true,
  severity: true,
}).extend({
  releaseTimestamp: PublishedTimestamp.optional().describe('As in the details.'),
  isPrerelease: Flag.describe('Absent on other releases.'),
  provenance: PublishedProvenance.pick({
    repository: true,
    builder: true,
    commit: true,
    startedOn: true,
    finishedOn: true,
  })
    .optional()
    .describe('The build that made it, as in the details.'),
});

export const SearchedLine = PublishedLine.pick({
  line: true,
  isLts: true,
  ltsFrom: true,
  phases: true,
  supportedUntil: true,
  supportedUntilAtMost: true,
  reason: true,
}).extend({
  shared: SearchedRelease.partial().optional().describe('Values that all of its releases share.'),
  releases: z
    .array(SearchedRelease.partial())
    .min(1)
    .describe('Its releases, oldest first, with the values that are not shared.'),
});
export type SearchedLine = z.infer<typeof SearchedLine>;

export const SearchedComponent = z.strictObject({
  ...pick({ ...DetailsFile.shape, policy: PublishedPolicy.shape.policy }, componentFields),
  watchesAdvisories: DetailsFile.shape.watchesAdvisories,
  lines: z.array(SearchedLine).describe('Every release line, oldest first.'),
});
export type SearchedComponent = z.infer<typeof SearchedComponent>;

/** `search.json`. */
export const SearchFile = z
  .strictObject({
    components: z
      .record(ComponentName, SearchedComponent)
      .describe(
        'The searchable facts of each component, under its name, alphabetical. Empty where there are parts.',
      ),
    parts: partsOf('search'),
  })
  .describe(
    'The facts about every release for queries. status.json has the freshness of components.',
  );
export type SearchFile = z.infer<typeof SearchFile>;
