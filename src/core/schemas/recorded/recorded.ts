import * as z from 'zod';
import { Phase } from '../definition/phase.ts';
import { Advisory } from './advisory.ts';
import { ArtifactDigests } from './artifact-digests.ts';
import { HttpsUrl } from '../definition/links.ts';
import {
  DaySchema,
  Line,
  LineName,
  createListSchema,
  RecordedTimestamp,
  SourceId,
  VersionText,
} from '../scalars.ts';

/** Upstream states the day (`published`), or the release was first seen on it (`observed`). */
export const TimestampKind = z.enum(['published', 'observed']);
export type TimestampKind = z.infer<typeof TimestampKind>;

/** A value that another source overrules. Different digests are all recorded instead. */
export const Dissent = z.strictObject({
  source: SourceId.describe('The source that is overruled.'),
  field: z
    .enum(['releaseTimestamp', 'changelogUrl', 'deprecated', 'isPrerelease'])
    .describe('The field on which the sources disagree.'),
  value: Line.optional().describe(
    'The overruled value; absent if the source states that the release is not deprecated.',
  ),
  over: SourceId.describe('The source that takes precedence.'),
});
export type Dissent = z.infer<typeof Dissent>;

/** One release as it is recorded. Only the version is required. */
export const RecordedRelease = z.strictObject({
  version: VersionText,
  releaseTimestamp: RecordedTimestamp.optional(),
  timestampKind: TimestampKind.optional(),
  changelogUrl: HttpsUrl.optional(),
  source: SourceId.optional(),
  alsoListedBy: createListSchema(SourceId),
  firstSeen: DaySchema.optional(),
  /** The last day on which its source answered soundly without it, if its day is observed, or stated as an earlier one. */
  notListedOn: DaySchema.optional(),
  deprecated: Line.optional(),
  /** The first day on which upstream called it deprecated, if not `firstSeen`. */
  deprecatedSince: DaySchema.optional(),
  withdrawnSince: DaySchema.optional(),
  isPrerelease: z.boolean().optional(),
  /** By the id of the source. A recorded digest stays until a person accepts another. */
  digests: z.record(SourceId, ArtifactDigests).optional(),
  /** Present disagreements of its sources. */
  dissent: createListSchema(Dissent),
  /** A person accepted other bytes under this version: the last time, with artifacts and digests before and after. */
  republished: z.strictObject({ on: DaySchema, from: Line, to: Line }).optional(),
  /** A person corrected its day: the last time, and why. */
  corrected: z.strictObject({ on: DaySchema, reason: Line }).optional(),
});
export type RecordedRelease = z.infer<typeof RecordedRelease>;

/** An advisory, and the source that states it. A catalogue of exploited vulnerabilities does not say what it affects. */
export const RecordedAdvisory = Advisory.partial({ affected: true }).extend({ source: SourceId });
export type RecordedAdvisory = z.infer<typeof RecordedAdvisory>;

/** A release line as a source states it. */
export const StatedLine = z.strictObject({
  line: LineName,
  firstReleaseDate: DaySchema.optional(),
  /** Whether it has long-term support, or the first day on which it has. */
  lts: z.union([z.literal(true), DaySchema]).optional(),
  /** In chronological order. */
  phases: z.array(Phase).min(1),
});
export type StatedLine = z.infer<typeof StatedLine>;

/** A release line, and the source that states it. */
export const RecordedLine = StatedLine.extend({
  source: SourceId,
  /** The product that the source names, where it differs from the definition. */
  about: Line.optional(),
});
export type RecordedLine = z.infer<typeof RecordedLine>;

/** `data/<component>.json`, written by `gather` and reviewed as a diff. */
export const RecordedData = z.strictObject({
  releases: z.array(RecordedRelease),
  /** The advisories of its sources, by id; absent until such a source has answered. */
  advisories: z.array(RecordedAdvisory).optional(),
  /** Release lines as sources state them, oldest first. */
  lines: createListSchema(RecordedLine),
});
export type RecordedData = z.infer<typeof RecordedData>;

/** Ids of the sources that have listed a recorded release; none for a release recorded by hand. */
export function listingSources(entry: RecordedRelease): string[] {
  if (entry.source === undefined) {
    return [];
  }

  return [entry.source, ...(entry.alsoListedBy ?? [])];
}
