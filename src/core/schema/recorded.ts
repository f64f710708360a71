/** The files of `data/`, as runs write them: releases, freshness, holds, decisions, events and runs. */
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

/** One release. Later runs add facts to it. Only a person removes it. */
export const RecordedRelease = z.strictObject({
  version: VersionText,
  ...optional({
    /** Absent if nobody knows the day. */
    releaseTimestamp: PastTimestamp,
    timestampKind: z.enum(['published', 'observed']),
    /** The day of the last answer of its source that did not list the release. */
    notBefore: PastDay,
    firstSeen: PastDay,
    /** The stated day that was not believed, because the source did not list the release over a week later. */
    ignoredDay: PastDay,
  }),
  /** Ids of the sources that have listed it. The source of its timestamp comes first. Empty if a person recorded it. */
  sources: z.array(OneLine),
  ...optional({
    changelogUrl: HttpsUrl,
    isPrerelease: z.boolean().describe('Absent if the version itself shows it.'),
    hasProvenance: z.boolean(),
    /** The day on which its sources made a prerelease of a stable release. */
    demotedOn: PastDay,
    deprecated: OneLine,
    deprecatedSince: PastDay,
    /** The source that deprecated it, if several sources have listed it. */
    deprecatedBy: OneLine,
    /** Its registry has locked it. PyPI locks malware in this way. */
    isQuarantined: z.literal(true),
    /** The advisory that calls it malware, and the first day on which one did. */
    malware: z.strictObject({ advisory: AdvisoryId, since: PastDay }),
    /** The first day on which no source listed it. */
    missingSince: PastDay,
    /** The day on which it was withdrawn: the second day without it. */
    withdrawnSince: PastDay,
    /** The only spelling that its sources list in place of the recorded one, and since when. Confirmed by the full answers of a second day. */
    otherSpelling: z.strictObject({
      version: VersionText,
      since: PastDay,
      ...optional({ confirmedOn: PastDay }),
    }),
    digests: z.array(Digest),
    /** The SHA-256 of the first answer that stated exactly one. Readers pin it, so only a person changes it. */
    digest: Sha256,
    /** The address of this file at its source. */
    url: HttpsUrl,
    /** The only SHA-256 of an answer, and its day. It becomes `digest` if an answer of another day agrees, because more files may follow. */
    unconfirmedDigest: z.strictObject({ digest: Sha256, since: PastDay }),
    /** By name of the file: the first SHA-256 that its source stated. Only a person changes it. */
    files: z.record(FileName, Sha256),
    urls: z.record(FileName, HttpsUrl),
    /** `files` has all names that the definition had on that day, so `<component>/<name>.json` lists the release for each name. */
    hasAllFiles: Flag,
    /** Only at the newest release of a source: the upstream names of its files. */
    assets: z.array(OneLine),
    /** Digests of files that replaced the recorded ones at a source. Each replacement is reported, but never published. */
    otherDigests: z.array(Digest),
    /** The last day on which its source stated only digests that are in neither list. */
    republishedOn: PastDay,
  }),
});
export type RecordedRelease = z.infer<typeof RecordedRelease>;

/** A release line as a source states it. `phases` is empty if its statement could not be read. */
export const StatedLine = z.strictObject({
  line: LineName,
  codename: OneLine.optional(),
  since: DaySchema.optional(),
  lts: z.union([z.literal(true), DaySchema]).optional(),
  isInferred: Flag.describe('The source says that its end is estimated.'),
  phases: z.array(Phase),
});
export type StatedLine = z.infer<typeof StatedLine>;

/** A line whose phases follow each other: the first phase is not paid, and paid phases come last. */
export const OrderedLine = StatedLine.extend({ phases: z.array(Phase).min(1) }).refine(
  ({ phases }) => {
    const ends = phases.flatMap(({ until }) => until ?? []);
    const areEndsOrdered = ends.every((end, index) => index === 0 || ends[index - 1]! <= end);
    const arePaidLast = phases.every(({ paid }, index) => paid || !phases[index - 1]?.paid);
    return areEndsOrdered && arePaidLast && !phases[0]?.paid;
  },
  'expected phases that follow each other, the first one not paid, the paid ones last',
);

/** An advisory of a catalogue has no `affected` range. */
export const RecordedAdvisory = Advisory.partial({ affected: true }).extend({ source: OneLine });
export type RecordedAdvisory = z.infer<typeof RecordedAdvisory>;

/** `data/<component>.json` as runs write it: usual values are left out, see `shortenRecorded`. */
const WrittenRecorded = z
  .strictObject({
    /** The source of each release that has no `sources`. */
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
      error: 'expected the source of the releases without sources',
    },
  )
  .refine(({ releases }) => releases.every((each) => each.otherDigests ?? !each.republishedOn), {
    path: ['releases'],
    error: 'expected "otherDigests" beside "republishedOn"',
  });
export interface Recorded extends Omit<z.infer<typeof WrittenRecorded>, 'source' | 'releases'> {
  releases: RecordedRelease[];
}

/** With the usual values filled in. */
export const Recorded = WrittenRecorded.transform(({ source, ...recorded }): Recorded => {
  const sources = source === undefined ? [] : [source];
  // Changes the releases in place, because a large index has 100,000 of them.
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

/**
 * Leaves out the usual values: `sources` that name only the first source, `timestampKind: published`, and an observed timestamp that equals
 * `firstSeen`.
 */
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
    /** The day of its last complete answer. The file leaves it out if that is the day of the last run, so a quiet day changes nothing. */
    answeredOn: PastDay,
    /** A digest of its definition at that answer; absent if it never answered. */
    definition: z.string(),
    /** The address to which its host has moved it for good. */
    movedTo: OneLine,
    failingSince: PastDay,
    /** The first day after its last attempt on which a run did not come to it. */
    leftSince: PastDay,
    /** Why it fails, or why the run did not come to it. */
    reason: OneLine,
    /** The host that fails, or whose limit of requests is used up. */
    host: OneLine,
  })
  .partial();
export const Freshness = z.record(ComponentName, z.record(OneLine, SourceFreshness));
export type Freshness = z.infer<typeof Freshness>;

/** Marks that take a release away from readers. */
export const takingMarks = ['withdrawnSince', 'deprecated', 'isPrerelease', 'malware'] as const;
export type TakingMark = (typeof takingMarks)[number];

/** A change that waits for a person: it is recorded, but does not take effect. */
export const Hold = z.strictObject({
  id: z.string(),
  component: ComponentName,
  kind: z.enum(['loss', 'outlier', 'flood']),
  since: PastDay,
  reason: OneLine,
  versions: z.array(VersionText).min(1),
  command: OneLine,
  ...optional({
    /** For a loss: by mark, the versions on which the mark does not take effect yet. */
    taken: z.partialRecord(z.enum(takingMarks), z.array(VersionText)),
    /** For a loss: lines as they were before their ends moved to an earlier day. */
    lines: z.array(StatedLine),
  }),
});
export type Hold = z.infer<typeof Hold>;

/** `data/held.json`. The file is absent if nothing is held. */
export const Held = z.strictObject({ held: z.array(Hold) });

/** A line of `data/decisions.ndjson`. */
export const Decision = z
  .strictObject({
    id: z.string(),
    at: Instant,
    by: OneLine,
    ...optional({
      component: ComponentName,
      /** The kind of its hold. */
      kind: Hold.shape.kind,
      versions: z.array(VersionText),
      /** Why, in the words of the person who decided. */
      reason: OneLine,
    }),
  })
  .refine(({ component, kind }) => component === undefined || kind !== undefined, {
    path: ['kind'],
    error: 'expected the kind of its hold',
  });
export type Decision = z.infer<typeof Decision>;

/* Events of a component, and the runs that recorded them. */

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
      /** For `deprecated`, in place of a version: all releases of the line that had been reported by then. */
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
