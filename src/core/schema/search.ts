/** `search.json`: every component with its names and packages, and with what the fields of queries read, in short. */
import * as z from 'zod';
import { Advisory } from './advisory.ts';
import { Component, FreshnessState, Line, Release } from './published.ts';
import { ComponentName, DaySchema, OneLine } from './scalars.ts';

const verdict = { state: true, isSupported: true, moveTo: true, moveBy: true } as const;

const SearchedLine = Line.pick({
  line: true,
  ...verdict,
  isLts: true,
  ltsFrom: true,
  isInferred: true,
  phase: true,
  supportedUntil: true,
  supportedUntilAtMost: true,
  latest: true,
  reason: true,
});
export type SearchedLine = z.infer<typeof SearchedLine>;

const SearchedRelease = Release.pick({
  version: true,
  line: true,
  ...verdict,
  releaseTimestamp: true,
  timestampKind: true,
  firstSeen: true,
  availableAt: true,
  isPrerelease: true,
  isDeprecated: true,
  deprecatedSince: true,
  advisories: true,
  severity: true,
  exploitedSince: true,
  reasons: true,
  fixes: true,
});
export type SearchedRelease = z.infer<typeof SearchedRelease>;

/** Without what is usual, and what its line says. */
const ShortRelease = SearchedRelease.partial()
  .required({ version: true, line: true })
  .extend({
    without: z
      .array(OneLine)
      .optional()
      .describe('Of what its line implies, what it does not have.'),
  });
export type ShortRelease = z.infer<typeof ShortRelease>;

const SearchedFacts = Component.pick({
  title: true,
  packages: true,
  latest: true,
  sourceRepository: true,
  watchesAdvisories: true,
});

const SearchedComponent = SearchedFacts.extend({
  names: z.array(OneLine).describe('The first is its own.'),
  freshness: FreshnessState,
  support: Component.shape.support.pick({ policy: true }),
  sources: z.array(Component.shape.sources.element.pick({ datasource: true, packageName: true })),
  advisories: z.array(Advisory.pick({ id: true, aliases: true })),
  lines: z.array(SearchedLine),
  releases: z
    .array(ShortRelease)
    .describe('Oldest first. What a release leaves out is usual, or as its line says.'),
});
export type SearchedComponent = z.infer<typeof SearchedComponent>;

export const Search = z.strictObject({
  asOf: DaySchema,
  components: z.record(ComponentName, SearchedComponent),
});
export type Search = z.infer<typeof Search>;

/** What is taken over as it is, in this order. */
export const searchedKeys = SearchedFacts.keyof().options;
export const searchedLineKeys = SearchedLine.keyof().options;
export const searchedReleaseKeys = SearchedRelease.keyof().options;
