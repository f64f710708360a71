import * as z from 'zod';
import { Phase } from './phase.ts';
import { Advisory } from './advisory.ts';
import { ArtifactDigests } from './artifact-digests.ts';
import { HttpsUrl } from './links.ts';
import { Provenance } from './provenance.ts';
import { ReleaseCompatibility } from './works-with.ts';
import {
  ComponentName,
  DaySchema,
  Flag,
  Line,
  LineName,
  listOf,
  RecordedTimestamp,
  SourceId,
  VersionText,
} from './scalars.ts';

/** Whether a day is the one that upstream states, or the first on which the release was seen. */
export const TimestampKind = z.enum(['published', 'observed']);
export type TimestampKind = z.infer<typeof TimestampKind>;

/** A value of a source that another source overrules. Digests that differ are recorded beside each other instead. */
export const Dissent = z.strictObject({
  source: SourceId.describe('The source that is overruled.'),
  field: z.enum(['releaseTimestamp', 'changelogUrl', 'deprecated', 'isPrerelease']).describe('Its subject.'),
  value: Line.optional().describe('Its value; absent where it states that the release is not deprecated.'),
  over: SourceId.describe('The source that takes precedence.'),
});
export type Dissent = z.infer<typeof Dissent>;

/** What a source states of a release and the versions of another component. It stays when the source drops it. */
export const RecordedCompatibility = z.strictObject({
  other: ComponentName,
  ...ReleaseCompatibility.shape,
  source: SourceId,
  firstSeen: DaySchema,
  /** The last day on which the source stated it, where it does so no longer. */
  lastSeen: DaySchema.optional(),
});
export type RecordedCompatibility = z.infer<typeof RecordedCompatibility>;

/** One release as it is recorded. Only the version is required. */
export const RecordedRelease = z.strictObject({
  version: VersionText,
  releaseTimestamp: RecordedTimestamp.optional(),
  timestampKind: TimestampKind.optional(),
  changelogUrl: HttpsUrl.optional(),
  source: SourceId.optional(),
  alsoListedBy: listOf(SourceId),
  firstSeen: DaySchema.optional(),
  /** Of a release whose day is observed, or stated as an earlier one: the last day on which its source answered soundly and did not list it. */
  notListedOn: DaySchema.optional(),
  deprecated: Line.optional(),
  /** The day on which upstream was first heard to call it deprecated, where that is not `firstSeen`. */
  deprecatedSince: DaySchema.optional(),
  withdrawnSince: DaySchema.optional(),
  isPrerelease: z.boolean().optional(),
  /** Upstream lets nobody change its artifacts; absent where it does not say so. */
  immutable: Flag,
  /** Of its artifacts, by the id of the source that states them. Once recorded, a digest stays until a person accepts another. */
  digests: z.record(SourceId, ArtifactDigests).optional(),
  /** The build that made it, where a verified attestation states it. Recorded once. */
  provenance: Provenance.optional(),
  /** The versions of other components that it works with, as its sources state them. */
  worksWith: listOf(RecordedCompatibility),
  /** Where its sources disagree today. */
  dissent: listOf(Dissent),
  /** A person accepted other bytes under this version: the last time, with artifacts and digests before and after. */
  republished: z.strictObject({ on: DaySchema, from: Line, to: Line }).optional(),
  /** A person corrected its day: the last time, and why. */
  corrected: z.strictObject({ on: DaySchema, reason: Line }).optional(),
});
export type RecordedRelease = z.infer<typeof RecordedRelease>;

/** An advisory, and the source that states it. */
export const RecordedAdvisory = Advisory.extend({ source: SourceId });
export type RecordedAdvisory = z.infer<typeof RecordedAdvisory>;

/** A release line as a source states it. */
export const StatedLine = z.strictObject({
  line: LineName,
  firstReleaseDate: DaySchema.optional(),
  /** Whether it has long-term support, or the first day on which it has. */
  lts: z.union([z.literal(true), DaySchema]).optional(),
  /** In the order in which they follow one another. */
  phases: z.array(Phase).min(1),
});
export type StatedLine = z.infer<typeof StatedLine>;

/** A release line, and the source that states it. */
export const RecordedLine = StatedLine.extend({
  source: SourceId,
  /** What the source says it is about, where that is not what the definition names. */
  about: Line.optional(),
  /** Its phases before they first moved in the month before they last did. */
  movedFrom: z.strictObject({ on: DaySchema, phases: StatedLine.shape.phases }).optional(),
  /** The day from which on a person accepted that its source no longer states it. */
  withdrawnSince: DaySchema.optional(),
});
export type RecordedLine = z.infer<typeof RecordedLine>;

/** `data/<component>.json`, written by `gather` and reviewed as a diff. */
export const RecordedData = z.strictObject({
  releases: z.array(RecordedRelease),
  /** The advisories of its sources, by id; absent until such a source has answered. */
  advisories: z.array(RecordedAdvisory).optional(),
  /** What sources state of release lines, oldest first. */
  lines: listOf(RecordedLine),
});
export type RecordedData = z.infer<typeof RecordedData>;

/** Ids of the sources that have listed a recorded release; none for one that was recorded by hand. */
export function listingSources(entry: RecordedRelease): string[] {
  if (entry.source === undefined) return [];
  return [entry.source, ...(entry.alsoListedBy ?? [])];
}
