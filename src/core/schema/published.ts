import * as z from 'zod';
import {
  ComponentName,
  DaySchema,
  FileName,
  Flag,
  RecordedUrl,
  Instant,
  LineName,
  matching,
  OneLine,
  optional,
  PhaseName,
  RangeText,
  Timestamp,
  VersionText,
} from './scalars.ts';

/** The severities of advisories, from the lowest to the highest. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;

export const AdvisoryId = matching(
  /^(?:x_|[a-z]*[A-Z][A-Za-z0-9]*-)[\w.:-]+$/,
  'the id of a database, such as CVE-2026-1234, or one that begins with x_',
  200,
).meta({ id: 'AdvisoryId' });

export const Advisory = z.strictObject({
  id: AdvisoryId.describe('The id of the advisory. For example, CVE-2026-1234 or ACME-7.'),
  aliases: z
    .array(AdvisoryId)
    .min(1)
    .optional()
    .describe('The ids of the same advisory in other databases. For example, CVE-2026-1234.'),
  affected: RangeText.describe('The range of affected versions. For example, >=1.0 <1.2.1.'),
  fixed: z
    .array(VersionText)
    .min(1)
    .optional()
    .describe('The first versions without the vulnerability. For example, 1.2.1.'),
  ...optional({
    severity: z.enum(severities),
    summary: OneLine.describe('The vulnerability, in a sentence.'),
    url: RecordedUrl.describe('A page about the advisory.'),
    published: DaySchema.describe(
      'The date on which the advisory was published, such as 2026-06-30.',
    ),
    exploitedSince: DaySchema.describe(
      'The date since which the vulnerability is known to be exploited.',
    ),
    dueBy: DaySchema.describe('The date by which a fix is due.'),
  }),
});
export type Advisory = z.infer<typeof Advisory>;

const Count = z.int().min(0);

/**
 * The states of lines and releases. If several states apply, the first in this list is used. A deprecated release may still be supported.
 */
export const states = [
  'withdrawn',
  'ended',
  'deprecated',
  'may-have-ended',
  'ends-soon',
  'supported',
  'no-promise',
] as const;
export const State = z
  .enum(states)
  .describe(
    'ends-soon: support ends within 90 days. may-have-ended: only the earliest and the latest possible end are known, and today is between them. no-promise: nobody gives an end, or the line is not released yet (isUnreleased).',
  )
  .meta({ id: 'State' });
export type State = z.infer<typeof State>;

export const FreshnessState = z.enum(['live', 'stale', 'held', 'static']);

/** The reasons to move off a version, in order of precedence. */
export const moveReasons = [
  'withdrawn',
  'affected',
  'ended',
  'deprecated',
  'may-have-ended',
  'ends-soon',
] as const;
export type MoveReason = (typeof moveReasons)[number];

export const Phase = z
  .strictObject({
    name: PhaseName,
    ...optional({
      until: DaySchema.describe(
        'The last day of the phase, such as 2027-12-30. If untilAtMost is present, the earliest possible last day.',
      ),
      untilAtMost: DaySchema.describe('The latest possible last day of the phase.'),
    }),
    paid: Flag.describe(
      'The phase is only for paying customers, so a release in it does not count as supported.',
    ),
    isOver: Flag.describe('The phase has ended on an unknown day.'),
  })
  .meta({ id: 'Phase' });
export type Phase = z.infer<typeof Phase>;

export const Reason = z
  .strictObject({
    rule: z.enum(['support policy', 'definition', 'upstream', 'withdrawn']),
    text: OneLine,
    ...optional({
      from: DaySchema.describe(
        'The first day on which the reason applies. If absent, it applies from the release on.',
      ),
      fromAtMost: DaySchema.describe(
        'The latest possible first day. If present, from is the earliest possible one.',
      ),
      url: RecordedUrl,
    }),
  })
  .meta({ id: 'Reason' });
export type Reason = z.infer<typeof Reason>;

const MoveTarget = z
  .strictObject({ component: ComponentName, version: VersionText })
  .meta({ id: 'MoveTarget' });

const Part = z
  .strictObject({
    component: ComponentName,
    version: VersionText.optional().describe('Absent if there is no release to move to yet.'),
  })
  .meta({ id: 'Part' });

/** The keys that describe the end of support of a line or release. */
const supportEnd = optional({
  supportedUntil: DaySchema.describe(
    'The last day with support, such as 2027-12-30. If supportedUntilAtMost is present, the earliest possible last day.',
  ),
  supportedUntilAtMost: DaySchema.describe('The latest possible last day with support.'),
  isInferred: Flag.describe('The end is estimated, because no page publishes its rule.'),
});
/** The keys that describe the end of paid support, which lasts longer than support for everybody. */
const paidEnd = optional({
  paidUntil: DaySchema.describe(
    'The last day with paid support, such as 2029-12-30. It does not count for isSupported. If paidUntilAtMost is present, the earliest possible last day.',
  ),
  paidUntilAtMost: DaySchema.describe('The latest possible last day with paid support.'),
});
/** The keys of a verdict, which follows from the end of support and from advisories. */
const verdict = {
  state: State,
  isSupported: z
    .boolean()
    .optional()
    .describe('Whether the release is certainly supported. Absent if unknown.'),
  moveReason: z
    .enum(moveReasons)
    .optional()
    .describe(
      'Why users should move. If moveTo and moveToParts are absent, there is nothing to move to yet.',
    ),
  moveTo: MoveTarget.optional().describe('The release to which users should move.'),
  moveToParts: z
    .array(Part)
    .min(1)
    .optional()
    .describe(
      'Instead of moveTo, if the component was split and its users should move: all its parts. Users choose the parts that they need.',
    ),
  through: z
    .array(VersionText)
    .min(1)
    .optional()
    .describe(
      'The releases that users must install on the way to moveTo, in order. If the index lists no release of a required stop, the stop itself, such as 17.3.',
    ),
  moveBy: DaySchema.optional().describe(
    'The day by which users should move. Absent if they should move now.',
  ),
};
/** The keys with the texts of a verdict. */
export const words = {
  label: OneLine.describe('The state in a few words.'),
  sentence: OneLine.describe('The state in a sentence.'),
  because: z.array(OneLine).describe('The facts from which the verdict follows, in sentences.'),
  advice: OneLine.describe('What users should do, in a sentence.'),
};

export const Line = z
  .strictObject({
    line: LineName,
    codename: OneLine.optional().describe(
      'The name of the line in words, such as Jammy Jellyfish.',
    ),
    alias: OneLine.optional().describe(
      'Another name of the line, such as 2024 for 24, or Core 3.1 for 3.1.',
    ),
    ...optional({
      since: DaySchema.describe(
        'The first day of the line. If sinceAtMost is present, the earliest possible first day.',
      ),
      sinceAtMost: DaySchema.describe('The latest possible first day of the line.'),
      isLts: Flag,
      ltsFrom: DaySchema.describe('The first day of long-term support, if it is known.'),
    }),
    phases: z
      .array(Phase)
      .describe('The phases of support, in order. A single phase is called support.'),
    phase: PhaseName.optional().describe('The name of the current phase.'),
    ...supportEnd,
    ...paidEnd,
    endsWithNextLine: Flag,
    isUnreleased: Flag.describe(
      'The first day of the line is after the build. Until then, the line is not supported, and its state is no-promise.',
    ),
    end: OneLine.describe('The end in words. For example, until 2027-12-30.'),
    paidSupport: OneLine.optional().describe(
      'Paid support in a sentence. For example, Paid support lasts until 2029-12-30.',
    ),
    reason: Reason.optional().describe('Why support of the line ends.'),
    latest: VersionText.optional().describe(
      'The greatest stable version of the line that is not deprecated.',
    ),
    releases: Count,
    ...verdict,
    ...words,
  })
  .meta({ id: 'ReleaseLine' });
export type Line = z.infer<typeof Line>;

export const Release = z.strictObject({
  version: VersionText,
  line: LineName,
  ...supportEnd,
  ...paidEnd,
  ...optional({
    releaseTimestamp: Timestamp,
    timestampKind: z.enum(['published', 'observed']),
    notBefore: DaySchema.describe(
      'The last day on which its source answered without listing the release.',
    ),
    firstSeen: DaySchema,
    ignoredDay: DaySchema.describe(
      'A release date that its source gives, and that is ignored, because over a week later the source still did not list the release.',
    ),
  }),
  availableAt: Instant.optional().describe('When the run that recorded the release ended.'),
  changelogUrl: RecordedUrl.optional(),
  sources: z.array(OneLine),
  ...optional({
    digests: z.array(OneLine),
    digest: OneLine.describe(
      'The first SHA-256 of the file that the source gave. It does not change if the file is replaced.',
    ),
    url: RecordedUrl.describe('The URL of the file at its source.'),
    files: z
      .record(FileName, OneLine)
      .describe(
        'If the release has several files: the first SHA-256 of each, by names such as linux-amd64.',
      ),
    urls: z.record(FileName, RecordedUrl).describe('The URL of each file, by the same names.'),
    hasAllFiles: Flag.describe(
      'The release has all files that the definition names, so <component>/<name>.json lists it for each of them.',
    ),
    isPrerelease: Flag,
    hasProvenance: z
      .boolean()
      .describe('Whether the release came with a signed statement of how it was built.'),
    lastProven: VersionText.describe(
      'The previous release with provenance. Present only if the index reported that this release has no provenance.',
    ),
    unprovenSibling: VersionText.describe(
      'A release of another line that lost its provenance at most three days before or after this release, which also lacks provenance.',
    ),
    withdrawnSince: DaySchema,
    isQuarantined: Flag.describe(
      'The registry has locked the release. PyPI locks malware in this way.',
    ),
    republishedOn: DaySchema.describe(
      'The last day on which the source replaced files of the release.',
    ),
  }),
  isDeprecated: z.boolean(),
  deprecatedSince: DaySchema.optional().describe(
    'The first day on which it is deprecated. Absent if unknown.',
  ),
  reasons: z
    .array(Reason)
    .describe('Why the release is deprecated, or will be. The oldest reason comes first.'),
  advisories: z
    .array(OneLine)
    .optional()
    .describe('The ids of the advisories that affect the release. Absent if unknown.'),
  fixes: z.array(OneLine).describe('The ids of the advisories that the release fixes.'),
  isTrustedFix: Flag,
  ...optional({
    severity: z.enum(severities),
    exploitedSince: DaySchema,
    dueBy: DaySchema,
  }),
  isStop: Flag.describe(
    'The release belongs to a required stop, so upgrades can pass through it, even if support of its line has ended.',
  ),
  isLatest: Flag,
  isLatestOfLine: Flag,
  releasesBehind: Count.optional().describe(
    'The number of newer stable releases. Absent for the latest release.',
  ),
  behind: Count.optional().describe('The number of days between the release and the latest one.'),
  ...verdict,
  // Texts that are absent here are taken from the verdict on the line (see `findWords`).
  ...optional(words),
});
export type Release = z.infer<typeof Release>;

/** `details/<component>.json`: a component as judged for the day of the build (`asOf` in `status.json`). */
export const Component = z.strictObject({
  component: ComponentName,
  title: OneLine,
  description: OneLine.optional(),
  homepage: RecordedUrl,
  sourceRepository: RecordedUrl.optional(),
  changelogUrl: RecordedUrl,
  ...optional({
    aliases: z.array(OneLine),
    renamedFrom: z.array(ComponentName),
    replacedBy: ComponentName,
    splitInto: z
      .array(ComponentName)
      .min(2)
      .describe('The components into which the component was split. Users choose among them.'),
  }),
  support: z.strictObject({
    policy: OneLine,
    description: OneLine,
    url: RecordedUrl.optional(),
    inferred: OneLine.optional(),
  }),
  requiredStops: z
    .strictObject({
      description: OneLine,
      url: RecordedUrl.optional(),
      stops: z.array(
        z.strictObject({
          stop: LineName.describe('The oldest version of the stop, such as 17.3 or 21.6.3.'),
          line: LineName,
          release: VersionText.optional().describe(
            'The newest release of the stop that can be installed.',
          ),
        }),
      ),
    })
    .optional()
    .describe('The releases that each upgrade from an older release must pass through.'),
  latest: VersionText.optional(),
  packages: z.array(OneLine).describe('Package URLs without a version.'),
  files: z
    .array(FileName)
    .optional()
    .describe(
      'The names of the files of its releases, such as linux-amd64. For each name there is a file <component>/<name>.json.',
    ),
  sources: z.array(
    z.strictObject({
      id: OneLine,
      datasource: OneLine,
      ...optional({
        packageName: OneLine,
        registryUrl: OneLine,
        field: OneLine,
        extractVersion: z.string(),
      }),
    }),
  ),
  watchesAdvisories: z
    .boolean()
    .describe(
      'Whether a source of advisories has answered. If so, a release with an empty list of advisories is not affected by any.',
    ),
  advisories: z.array(Advisory),
  lines: z.array(Line).describe('The release lines, the oldest first.'),
  releases: z
    .array(Release)
    .describe('The releases in the order of their versions, the lowest first.'),
});
export type Component = z.infer<typeof Component>;
