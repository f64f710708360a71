/** What runs write into `data/`: what sources state, what waits, and what is told. */
import * as z from 'zod';
import { isDigest } from '../digest.ts';
import { Advisory, AdvisoryId, Phase, severities } from './published.ts';
import {
  ComponentName,
  DaySchema,
  FileName,
  Flag,
  HttpsUrl,
  Instant,
  LineName,
  OneLine,
  optional,
  PastDay,
  PastTimestamp,
  VersionText,
} from './scalars.ts';

const Digest = z.string().refine(isDigest, 'expected a digest such as sha256:0f1e…');
const Sha256 = Digest.startsWith('sha256:');

/** One release. Later runs add to it; nothing but a person removes it. */
export const RecordedRelease = z.strictObject({
  version: VersionText,
  ...optional({
    /** Absent where nobody knows the day. */
    releaseTimestamp: PastTimestamp,
    timestampKind: z.enum(['published', 'observed']),
    /** The day of the last answer of its source without it. */
    notBefore: PastDay,
    firstSeen: PastDay,
  }),
  /** Ids of the sources that have listed it, that of its day first; none where a person recorded it. */
  sources: z.array(OneLine),
  ...optional({
    changelogUrl: HttpsUrl,
    isPrerelease: z.boolean().describe('Where its form does not say so.'),
    hasProvenance: z.boolean(),
    /** The day on which its sources made a prerelease of a stable release. */
    demotedOn: PastDay,
    deprecated: OneLine,
    deprecatedSince: PastDay,
    /** The source that said so, where several have listed it. */
    deprecatedBy: OneLine,
    /** Its registry has locked it, as PyPI locks malware. */
    isQuarantined: z.literal(true),
    /** The advisory that calls it malware, and the day since which one does. */
    malware: z.strictObject({ advisory: AdvisoryId, since: PastDay }),
    /** The first day on which no source listed it. */
    missingSince: PastDay,
    /** The day on which it counted as withdrawn: the second one. */
    withdrawnSince: PastDay,
    digests: z.array(Digest),
    /** The first SHA-256 that its source stated alone. Readers have it beside the version: only a person changes it. */
    digest: Sha256,
    /** Where its source has this file. */
    url: HttpsUrl,
    /** What its source stated alone on this day, where another file may follow. */
    unconfirmedDigest: z.strictObject({ digest: Sha256, since: PastDay }),
    /** By name, the first SHA-256 that its source stated. Only a person changes it. */
    files: z.record(FileName, Sha256),
    urls: z.record(FileName, HttpsUrl),
    /** All names that its definition had then are among them: readers have it under each. */
    hasAllFiles: Flag,
    /** Of the newest release of a source, the names of its files at upstream. */
    assets: z.array(OneLine),
    /** Those of bytes that took the place of its own at a source: each replacement is told, none is served. */
    otherDigests: z.array(Digest),
    /** The last day on which its source stated only digests that were in neither list. */
    republishedOn: PastDay,
  }),
});
export type RecordedRelease = z.infer<typeof RecordedRelease>;

/** A release line as a source states it. Without phases, what it states could not be read. */
export const StatedLine = z.strictObject({
  line: LineName,
  since: DaySchema.optional(),
  lts: z.union([z.literal(true), DaySchema]).optional(),
  phases: z.array(Phase),
});
export type StatedLine = z.infer<typeof StatedLine>;

/** One whose phases follow each other: the first one is not paid, and the paid ones are last. */
export const OrderedLine = StatedLine.extend({ phases: z.array(Phase).min(1) }).refine(
  ({ phases }) => {
    const ends = phases.flatMap(({ until }) => until ?? []);
    const areEndsOrdered = ends.every((end, index) => index === 0 || ends[index - 1]! <= end);
    const arePaidLast = phases.every(({ paid }, index) => paid || !phases[index - 1]?.paid);
    return areEndsOrdered && arePaidLast && !phases[0]?.paid;
  },
  'expected phases that follow each other, the first one not paid, the paid ones last',
);

/** One of a catalogue does not say what it affects. */
export const RecordedAdvisory = Advisory.partial({ affected: true }).extend({ source: OneLine });
export type RecordedAdvisory = z.infer<typeof RecordedAdvisory>;

/** `data/<component>.json` as it is written, by runs alone: what is usual is left out. */
const WrittenRecorded = z
  .strictObject({
    /** That of each release without `sources`. */
    source: OneLine.optional(),
    releases: z.array(RecordedRelease.partial({ sources: true })),
    lines: z.array(StatedLine).optional(),
    /** Absent until a source of advisories has answered. */
    advisories: z.array(RecordedAdvisory).optional(),
  })
  .refine(
    ({ source, releases }) => source !== undefined || releases.every((each) => each.sources),
    {
      path: ['source'],
      error: 'expected that of the releases without sources',
    },
  )
  .refine(({ releases }) => releases.every((each) => each.otherDigests ?? !each.republishedOn), {
    path: ['releases'],
    error: 'expected "otherDigests" beside "republishedOn"',
  });
export interface Recorded extends Omit<z.infer<typeof WrittenRecorded>, 'source' | 'releases'> {
  releases: RecordedRelease[];
}

/** In full. */
export const Recorded = WrittenRecorded.transform(({ source, ...recorded }): Recorded => {
  const sources = source === undefined ? [] : [source];
  // In place, since a large index has 100,000.
  for (const release of recorded.releases) {
    release.sources ??= sources;
    if (release.timestampKind === 'observed') {
      release.releaseTimestamp ??= release.firstSeen;
    } else if (release.releaseTimestamp !== undefined) {
      release.timestampKind = 'published';
    }
  }
  return recorded as Recorded;
});

/** Leaves out the source that most have alone, that a day is published, and an observed day that is the first on which it was seen. */
export function shortenRecorded({ releases, ...more }: Recorded): z.infer<typeof WrittenRecorded> {
  const source = releases.find(({ sources }) => sources.length === 1)?.sources[0];
  return {
    ...more,
    source,
    releases: releases.map((release) => {
      const { releaseTimestamp, firstSeen, sources } = release;
      const isObserved = release.timestampKind === 'observed';
      const isFirstSeen = isObserved && releaseTimestamp === firstSeen;
      return {
        ...release,
        releaseTimestamp: isFirstSeen ? undefined : releaseTimestamp,
        timestampKind: isObserved ? 'observed' : undefined,
        sources: sources.length === 1 && sources[0] === source ? undefined : sources,
      };
    }),
  };
}

/** `data/freshness.json`, by component and source. */
const SourceFreshness = z
  .strictObject({
    /** The day of its last sound answer. Where it is that of the last run, the file leaves it out, so that a quiet day changes nothing. */
    answeredOn: PastDay,
    /** A digest of its definition at that answer; absent if it never answered. */
    definition: z.string(),
    failingSince: PastDay,
    /** The first day after its last attempt on which a run did not come to it. */
    leftSince: PastDay,
    /** Why it fails, or was left. */
    reason: OneLine,
    /** The host that fails, or has no answers left. */
    host: OneLine,
  })
  .partial();
export const Freshness = z.record(ComponentName, z.record(OneLine, SourceFreshness));
export type Freshness = z.infer<typeof Freshness>;

/** What takes a release away from readers. */
export const takingMarks = ['withdrawnSince', 'deprecated', 'isPrerelease', 'malware'] as const;
export type TakingMark = (typeof takingMarks)[number];

/** What waits for a person: it is recorded, but does not count. */
export const Hold = z.strictObject({
  id: z.string(),
  component: ComponentName,
  kind: z.enum(['loss', 'outlier', 'flood']),
  since: PastDay,
  reason: OneLine,
  versions: z.array(VersionText).min(1),
  command: OneLine,
  ...optional({
    /** Of a loss: by mark, the versions on which the mark does not count. */
    taken: z.partialRecord(z.enum(takingMarks), z.array(VersionText)),
    /** Of a loss: lines as they were before their ends came closer. */
    lines: z.array(StatedLine),
  }),
});
export type Hold = z.infer<typeof Hold>;

/** `data/held.json`, absent if nothing waits. */
export const Held = z.strictObject({ held: z.array(Hold) });

/** A line of `data/decisions.ndjson`. */
export const Decision = z
  .strictObject({
    id: z.string(),
    at: Instant,
    by: OneLine,
    ...optional({
      component: ComponentName,
      /** Of its hold. */
      kind: Hold.shape.kind,
      versions: z.array(VersionText),
      /** Why, in the words of who decided. */
      reason: OneLine,
    }),
  })
  .refine(({ component, kind }) => component === undefined || kind !== undefined, {
    path: ['kind'],
    error: 'expected that of its hold',
  });
export type Decision = z.infer<typeof Decision>;

/* What is told: the events of a component, and the runs that told them. */

const EventType = z.enum([
  'released',
  'withdrawn',
  'relisted',
  'excluded',
  'included',
  'deprecated',
  'restored',
  'corrected',
  'republished',
  'unproven',
  'support-changed',
  'support-ending',
  'support-ended',
  'advisory-published',
  'advisory-changed',
  'advisory-withdrawn',
  'replaced',
]);

const Text = z.string().max(2000);

/** A line of `data/journal/<component>.ndjson`. Lines are never changed. */
export const Event = z
  .strictObject({
    id: z.int().positive(),
    at: Instant,
    type: EventType,
    on: DaySchema,
    ...optional({
      version: Text,
      /** Of `deprecated`, in place of a version: all releases of the line that were told by then. */
      line: Text,
      advisory: Text,
      field: z.enum(['day', 'line', 'isPrerelease', 'link', 'digest']),
      /** The name of the file whose digest is corrected. */
      file: Text,
      digest: Text,
      from: Text,
      to: Text,
      toAtMost: DaySchema,
      isObserved: Flag,
      isInferred: Flag,
      severity: z.enum(severities),
      exploitedSince: DaySchema,
      isPrerelease: Flag,
      reason: Text,
      url: Text,
      initial: Flag,
    }),
  })
  .refine(({ type, field }) => type !== 'corrected' || field !== undefined, {
    path: ['field'],
    error: 'expected what was corrected',
  });
export type Event = z.infer<typeof Event>;
export type Draft = Omit<Event, 'id' | 'at'>;

const Trouble = z.strictObject({
  component: Text,
  source: Text,
  kind: z.literal('failed'),
  reason: Text,
  at: Instant,
});
const Wait = z.strictObject({ id: Text, component: Text, since: DaySchema, reason: Text });

/** A line of `data/runs/<year>.ndjson`. */
export const Run = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{13}$/),
  asOf: PastDay,
  at: Instant,
  requested: z.array(Text),
  program: Text,
  node: Text,
  npm: Text.optional(),
  projectName: Text.optional(),
  operatingSystem: Text,
  numberOfCpuCores: z.int(),
  nodeLocale: Text,
  commit: Text.optional(),
  startedAt: Instant,
  components: z.int(),
  asked: z.int(),
  ...optional({
    answered: z.int(),
    troubles: z.array(Trouble),
    waits: z.array(Wait),
    accepted: z.array(Text),
  }),
  finishedAt: Instant,
  events: z.int(),
});
export type Run = z.infer<typeof Run>;
