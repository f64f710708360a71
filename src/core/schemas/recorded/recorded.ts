import * as z from 'zod';
import { digestLengths } from '../../model/digest.ts';
import { Phase } from '../definition/phase.ts';
import { maxNotesLength } from '../../text/foreign-text.ts';
import { Advisory } from '../advisory.ts';
import {
  createLineSchema,
  createListSchema,
  DaySchema,
  OneLine,
  LineName,
  RecordedTimestamp,
  SourceId,
  VersionText,
} from '../scalars.ts';
import { optionalKey } from '../keys.ts';
import { HttpsUrl } from '../urls.ts';

/** `__proto__` as a key would change the prototype of an object. */
export const ArtifactName = z
  .string()
  .regex(/^(?!__proto__$)[!#-~]{1,200}$/, { error: 'expected the name of an artifact' });

/** The form of a digest, as the source of a regular expression. */
const digestForm = Object.entries(digestLengths)
  .map(([algorithm, length]) => `${algorithm}:[0-9a-f]{${length}}`)
  .join('|');

/**
 * Digests in the form of OCI's image specification ("Digests"). Several algorithms are separated by spaces, as in W3C's Subresource
 * Integrity, the weakest first.
 */
const DigestText = z.string().regex(new RegExp(`^(?:${digestForm})(?: (?:${digestForm}))*$`), {
  error: 'expected digests such as sha256:0f1e…',
});

/** The most artifacts of a release that are recorded for one source. */
export const maxArtifacts = 100;

/** Digests of the artifacts of one release as one source states them, by the artifact's name. */
export const ArtifactDigests = z.record(ArtifactName, DigestText);
export type ArtifactDigests = z.infer<typeof ArtifactDigests>;

/** Upstream states the day (`published`), or the release was first seen on it (`observed`). */
export const TimestampKind = z.enum(['published', 'observed']);
export type TimestampKind = z.infer<typeof TimestampKind>;

/** A value that another source overrules. Different digests are all recorded instead. */
export const Dissent = z.strictObject({
  source: SourceId.describe('The source that is overruled.'),
  field: z
    .enum(['releaseTimestamp', 'changelogUrl', 'deprecated', 'isPrerelease'])
    .describe('The field on which the sources disagree.'),
  value: optionalKey(
    OneLine,
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
  /** The first words of its release notes, as first stated. */
  notes: createLineSchema(maxNotesLength).optional(),
  source: SourceId.optional(),
  alsoListedBy: createListSchema(SourceId),
  firstSeen: DaySchema.optional(),
  /** The day of the last sound answer of its source without it. Absent where a stated day is later. */
  notListedOn: DaySchema.optional(),
  deprecated: OneLine.optional(),
  /** The first day on which upstream called it deprecated, if not `firstSeen`. */
  deprecatedSince: DaySchema.optional(),
  withdrawnSince: DaySchema.optional(),
  isPrerelease: z.boolean().optional(),
  /** By the id of the source. A recorded digest stays until a person accepts another. */
  digests: z.record(SourceId, ArtifactDigests).optional(),
  /** Present disagreements of its sources. */
  dissent: createListSchema(Dissent),
  /** A person accepted other bytes under this version: the last time, with artifacts and digests before and after. */
  republished: z.strictObject({ on: DaySchema, from: OneLine, to: OneLine }).optional(),
  /** A person corrected its day or a digest: the last time, and why. */
  corrected: z.strictObject({ on: DaySchema, reason: OneLine }).optional(),
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
  about: OneLine.optional(),
});
export type RecordedLine = z.infer<typeof RecordedLine>;

/** `data/<component>.json`, written by runs and by `add`, and reviewed as a diff. */
export const RecordedData = z.strictObject({
  releases: z.array(RecordedRelease),
  /** The advisories of its sources, by id; absent until such a source has answered. */
  advisories: z.array(RecordedAdvisory).optional(),
  /** Release lines as sources state them, oldest first. */
  lines: createListSchema(RecordedLine),
});
export type RecordedData = z.infer<typeof RecordedData>;

/** Ids of the sources that have listed a recorded release; none for a release recorded by hand. */
export function listSourcesListing({ source, alsoListedBy = [] }: RecordedRelease): string[] {
  return source === undefined ? [] : [source, ...alsoListedBy];
}

/** Whether a source has listed a recorded release. */
export function isListedBy(release: RecordedRelease, source: string): boolean {
  return listSourcesListing(release).includes(source);
}

/** All digests of a release, under any name. */
export function listRecordedDigests({ digests = {} }: RecordedRelease): ReadonlySet<string> {
  const texts = Object.values(digests).flatMap((artifacts) => Object.values(artifacts));
  return new Set(texts.flatMap((text) => text.split(' ')));
}
