/** Schemas of the files in `data/`, as runs write them: releases, freshness, holds, decisions, events and runs. */
import * as z from 'zod';
import { isDigest } from '../digest.ts';
import { Advisory, AdvisoryId, Phase, severities } from './published.ts';
import {
  ComponentName,
  DaySchema,
  FileName,
  Flag,
  RecordedUrl,
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

/** A recorded release. Later runs add facts to it. Only a person removes it. */
export const RecordedRelease = z.strictObject({
  version: VersionText,
  ...optional({
    /** The release date. Absent if no date is known. */
    releaseTimestamp: PastTimestamp,
    timestampKind: z.enum(['published', 'observed']),
    /** The date of the source's last answer that did not list the release. */
    notBefore: PastDay,
    firstSeen: PastDay,
    /**
     * A release date that a source gave, but that was ignored because it is probably wrong: over a week after this date, the source still
     * did not list the release.
     */
    ignoredDay: PastDay,
    /**
     * The date that the owner's own list gave last: a `static` source, or a file of the index. If the owner corrects the list, it differs from
     * the date in the list. If a person corrects `releaseTimestamp` in `data/`, it differs from `releaseTimestamp`.
     */
    listedDay: PastDay,
  }),
  /**
   * The ids of the sources that have listed the release. The source of its timestamp comes first. Empty if a person recorded the release.
   */
  sources: z.array(OneLine),
  ...optional({
    changelogUrl: RecordedUrl,
    isPrerelease: z.boolean().describe('Absent if the version itself shows it.'),
    hasProvenance: z.boolean(),
    /** Its sources mark the release as a part of a required stop. */
    isStop: z.literal(true),
    /** The day on which its sources turned a stable release into a prerelease. */
    demotedOn: PastDay,
    deprecated: OneLine,
    deprecatedSince: PastDay,
    /** The source that deprecated the release, if several sources have listed it. */
    deprecatedBy: OneLine,
    /** Whether the registry has locked the release. PyPI locks malware in this way. */
    isQuarantined: z.literal(true),
    /** The advisory that calls the release malware. `since`: the first day on which an advisory did so. */
    malware: z.strictObject({ advisory: AdvisoryId, since: PastDay }),
    /** The first day on which no source listed the release. */
    missingSince: PastDay,
    /** The day on which the release was withdrawn: the second day on which no source listed it. */
    withdrawnSince: PastDay,
    /**
     * The spelling that all sources of the release now list instead of the recorded version. `since`: the first day on which they listed
     * it. `confirmedOn`: a later day on which they listed it again, in complete answers.
     */
    otherSpelling: z.strictObject({
      version: VersionText,
      since: PastDay,
      ...optional({ confirmedOn: PastDay }),
    }),
    digests: z.array(Digest),
    /** The SHA-256 from the first answer that gave exactly one SHA-256. Readers pin this digest, so only a person changes it. */
    digest: Sha256,
    /** The URL of the file with this digest, at its source. */
    url: RecordedUrl,
    /**
     * The SHA-256 from an answer that gave exactly one SHA-256, and the date of this answer. The source may still add files to the release.
     * So this SHA-256 becomes `digest` only if an answer on a later day gives the same SHA-256 and no other.
     */
    unconfirmedDigest: z.strictObject({ digest: Sha256, since: PastDay }),
    /** For each file name, the first SHA-256 that the source gave. Only a person changes it. */
    files: z.record(FileName, Sha256),
    urls: z.record(FileName, RecordedUrl),
    /**
     * Becomes true when `files` contains every file name in the definition, and then stays true, even if the definition gets another file
     * name. If true, `<component>/<name>.json` lists the release for each file name in `files`.
     */
    hasAllFiles: Flag,
    /** The upstream names of the release's files. Only the newest release of a source has this key. */
    assets: z.array(OneLine),
    /** Digests of files that replaced recorded files at a source. Each replacement is reported, but these digests are never published. */
    otherDigests: z.array(Digest),
    /**
     * The last day on which a run found that a source had replaced files of the release. In this case, all digests from the source are new:
     * neither in `digests` nor in `otherDigests`.
     */
    republishedOn: PastDay,
  }),
});
export type RecordedRelease = z.infer<typeof RecordedRelease>;

/** A release line as a source describes it. `phases` is empty if the source's dates could not be read. */
export const StatedLine = z.strictObject({
  line: LineName,
  codename: OneLine.optional(),
  alias: OneLine.optional().describe('Another name of the line, such as 2024 for 24.'),
  since: DaySchema.optional(),
  lts: z.union([z.literal(true), DaySchema]).optional(),
  isInferred: Flag.describe('The source says that its end is estimated.'),
  phases: z.array(Phase),
});
export type StatedLine = z.infer<typeof StatedLine>;

/** A release line whose phases are in order: the first phase is not paid, and paid phases come last. */
export const OrderedLine = StatedLine.extend({ phases: z.array(Phase).min(1) }).refine(
  ({ phases }) => {
    const ends = phases.flatMap(({ until }) => until ?? []);
    const areEndsOrdered = ends.every((end, index) => index === 0 || ends[index - 1]! <= end);
    const arePaidLast = phases.every(({ paid }, index) => paid || !phases[index - 1]?.paid);
    return areEndsOrdered && arePaidLast && !phases[0]?.paid;
  },
  'expected phases that follow each other, the first one not paid, the paid ones last',
);

/** A recorded advisory. An advisory from a catalogue of exploited vulnerabilities has no `affected` range. */
export const RecordedAdvisory = Advisory.partial({ affected: true }).extend({ source: OneLine });
export type RecordedAdvisory = z.infer<typeof RecordedAdvisory>;

/** `data/<component>.json` as runs write it. Usual values are left out (see `shortenRecorded`). */
const WrittenRecorded = z
  .strictObject({
    /** The source of all releases without the key `sources`. */
    source: OneLine.optional(),
    releases: z.array(RecordedRelease.partial({ sources: true })),
    lines: z.array(StatedLine).optional(),
    /** The recorded advisories. Absent until an advisory source has answered. */
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

/** The content of `data/<component>.json`, with the usual values filled in. */
export const Recorded = WrittenRecorded.transform(({ source, ...recorded }): Recorded => {
  const sources = source === undefined ? [] : [source];
  // The releases are changed in place, because a large index has 100,000 of them.
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
 * Leaves out usual values:
 * - `sources` if it contains only the `source` of the document
 * - `timestampKind` if it is `published`
 * - an observed `releaseTimestamp` if it equals `firstSeen`
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

/** The entry of a source in `data/freshness.json`, which has entries by component and source. */
const SourceFreshness = z
  .strictObject({
    /**
     * The date of the source's last complete answer. Absent if this is the date of the last run. So a day without news does not change the
     * file.
     */
    answeredOn: PastDay,
    /** A digest of the source's definition at the time of the last complete answer. Absent if the source has never answered completely. */
    definition: z.string(),
    /** The URL to which the host has permanently moved the document. */
    movedTo: OneLine,
    failingSince: PastDay,
    /** The first day on which a run postponed this source, since it was last asked. */
    leftSince: PastDay,
    /** Why the source fails, or why the run postponed it. */
    reason: OneLine,
    /** The host that fails, or whose rate limit is used up. */
    host: OneLine,
  })
  .partial();
export const Freshness = z.record(ComponentName, z.record(OneLine, SourceFreshness));
export type Freshness = z.infer<typeof Freshness>;

/** The marks that tell readers to avoid a release. A hold can delay their effect (see `taken`). */
export const takingMarks = ['withdrawnSince', 'deprecated', 'isPrerelease', 'malware'] as const;
export type TakingMark = (typeof takingMarks)[number];

/** A change that a person must accept. It is recorded, but does not take effect yet. */
export const Hold = z.strictObject({
  id: z.string(),
  component: ComponentName,
  kind: z.enum(['loss', 'outlier', 'flood']),
  since: PastDay,
  reason: OneLine,
  versions: z.array(VersionText).min(1),
  command: OneLine,
  ...optional({
    /** Only in a hold of the kind `loss`. For each mark, the versions for which it does not take effect yet. */
    taken: z.partialRecord(z.enum(takingMarks), z.array(VersionText)),
    /** Only in a hold of the kind `loss`. The former data of release lines whose ends of support moved to an earlier day. */
    lines: z.array(StatedLine),
    /** Only in a hold of the kind `loss`. The lowest version of each required stop that would be lost. It counts as marked (`isStop`). */
    stops: z.array(VersionText),
    /**
     * The held change only moves ends of support back to dates that readers had in the last 30 days. If the source gives them on the next
     * day, too, they take effect.
     */
    isReturn: z.literal(true),
  }),
});
export type Hold = z.infer<typeof Hold>;

/** `data/held.json`. The file is absent if nothing is held. */
export const Held = z.strictObject({ held: z.array(Hold) });

/**
 * A line of `data/decisions.ndjson`: a person accepted a hold, or a publication after which components, latest versions or many releases
 * disappear from the live site.
 */
export const Decision = z
  .strictObject({
    id: z.string(),
    at: Instant,
    by: OneLine,
    ...optional({
      component: ComponentName,
      /** The kind of the hold that was accepted. */
      kind: Hold.shape.kind,
      versions: z.array(VersionText),
      /** The reason, in the words of the person who accepted the hold. */
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
  'stop-added',
  'stop-removed',
  'advisory-published',
  'advisory-changed',
  /** The source of the advisory withdrew it. */
  'advisory-withdrawn',
  /** The index no longer lists the advisory, for another reason. For example, the definition ignores it. */
  'advisory-removed',
  'replaced',
]);

const Text = z.string().max(2000);

/** An event: a line of `data/journal/<component>.ndjson`. Lines never change. */
export const Event = z
  .strictObject({
    id: z.int().positive(),
    at: Instant,
    type: EventType,
    on: DaySchema,
    ...optional({
      version: Text,
      /**
       * The release line. If a `deprecated` event has no version, the whole line is deprecated. The event is then about every release of
       * this line that an earlier event reported.
       */
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
      /** Earlier events reported that support of the line had ended. */
      isSupportedAgain: Flag,
      /** Paid support after the end of support, in a sentence. */
      paidSupport: Text,
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

/** A run: a line of `data/runs/<year>.ndjson`. */
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
