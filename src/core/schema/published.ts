import * as z from 'zod';
import {
  ComponentName,
  DaySchema,
  FileName,
  Flag,
  HttpsUrl,
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
  id: AdvisoryId,
  aliases: z
    .array(AdvisoryId)
    .min(1)
    .optional()
    .describe('Ids of the same advisory in other databases.'),
  affected: RangeText,
  fixed: z
    .array(VersionText)
    .min(1)
    .optional()
    .describe('The first versions without the weakness.'),
  ...optional({
    severity: z.enum(severities),
    summary: OneLine,
    url: HttpsUrl,
    published: DaySchema,
    exploitedSince: DaySchema,
    dueBy: DaySchema.describe('The day by which a fix is due.'),
  }),
});
export type Advisory = z.infer<typeof Advisory>;

const Count = z.int().min(0);

/** The states of lines and releases. If several states apply to a version, the first in this list is used. A deprecated line may still be supported. */
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
    'ends-soon: within 90 days. may-have-ended: its end has two bounds, and the day is between them. no-promise: no end is stated.',
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
        'The last day: exact, or the earliest possible one if untilAtMost is present.',
      ),
      untilAtMost: DaySchema.describe('The latest possible last day.'),
    }),
    paid: Flag.describe('Only for paying customers, so it does not extend isSupported.'),
    isOver: Flag.describe('The phase ended on an unknown day.'),
  })
  .meta({ id: 'Phase' });
export type Phase = z.infer<typeof Phase>;

export const Reason = z
  .strictObject({
    rule: z.enum(['support policy', 'definition', 'upstream', 'withdrawn']),
    text: OneLine,
    ...optional({
      from: DaySchema.describe('The first day. If absent: for ever.'),
      fromAtMost: DaySchema.describe('The latest possible first day.'),
      url: HttpsUrl,
    }),
  })
  .meta({ id: 'Reason' });
export type Reason = z.infer<typeof Reason>;

const MoveTarget = z
  .strictObject({ component: ComponentName, version: VersionText })
  .meta({ id: 'MoveTarget' });

/** The keys that describe the end of support of a line or release. */
const supportEnd = optional({
  supportedUntil: DaySchema.describe(
    'The last day with support: exact, or the earliest possible one.',
  ),
  supportedUntilAtMost: DaySchema.describe('The latest possible last day with support.'),
  isInferred: Flag.describe('The end rests on a rule that nobody states.'),
});
/** The keys of a verdict, which follows from the end of support and from advisories. */
const verdict = {
  state: State,
  isSupported: z.boolean().optional().describe('Absent if unknown.'),
  moveReason: z
    .enum(moveReasons)
    .optional()
    .describe('Why to move; without moveTo, there is nothing to move to yet.'),
  moveTo: MoveTarget.optional(),
  moveBy: DaySchema.optional().describe('The day by which to move, if not now.'),
};
/** The keys that describe a verdict in words. */
export const words = {
  label: OneLine.describe('The state in a few words.'),
  sentence: OneLine.describe('The state in a sentence.'),
  because: z.array(OneLine).describe('The facts it follows from.'),
  advice: OneLine.describe('What to do, in words.'),
};

export const Line = z.strictObject({
  line: LineName,
  codename: OneLine.optional().describe('Its name in words, such as Jammy Jellyfish.'),
  ...optional({
    since: DaySchema.describe(
      'The first day: exact, or the earliest possible one if sinceAtMost is present.',
    ),
    sinceAtMost: DaySchema,
    isLts: Flag,
    ltsFrom: DaySchema.describe('The first day of long-term support, if it is stated.'),
  }),
  phases: z.array(Phase).describe('In order. A single phase is called support.'),
  phase: PhaseName.optional().describe('The present phase.'),
  ...supportEnd,
  endsWithNextLine: Flag,
  end: OneLine.describe('The end in words: until 2027-12-30.'),
  reason: Reason.optional().describe('Why it ends.'),
  latest: VersionText.optional().describe('The newest stable release that is not deprecated.'),
  releases: Count,
  ...verdict,
  ...words,
});
export type Line = z.infer<typeof Line>;

export const Release = z.strictObject({
  version: VersionText,
  line: LineName,
  ...supportEnd,
  ...optional({
    releaseTimestamp: Timestamp,
    timestampKind: z.enum(['published', 'observed']),
    notBefore: DaySchema.describe('The last day on which its source answered without it.'),
    firstSeen: DaySchema,
    ignoredDay: DaySchema.describe(
      'The day that its source states. It is not believed, because the source did not list the release over a week later.',
    ),
  }),
  availableAt: Instant.optional().describe('When the run that recorded it ended.'),
  changelogUrl: HttpsUrl.optional(),
  sources: z.array(OneLine),
  ...optional({
    digests: z.array(OneLine),
    digest: OneLine.describe('The SHA-256 of the file as first seen. It never changes.'),
    url: HttpsUrl.describe('The address of the file at its source.'),
    files: z.record(FileName, OneLine).describe('The same for each named file.'),
    urls: z.record(FileName, HttpsUrl),
    hasAllFiles: Flag.describe('<component>/<name>.json of each of its files lists the release.'),
    isPrerelease: Flag,
    hasProvenance: z
      .boolean()
      .describe('Whether it came with a signed statement of how it was built.'),
    lastProven: VersionText.describe(
      'If a loss of provenance was reported: the previous release, which had provenance.',
    ),
    withdrawnSince: DaySchema,
    isQuarantined: Flag.describe('The registry has locked it. PyPI locks malware in this way.'),
    republishedOn: DaySchema.describe('The last day on which the source replaced its files.'),
  }),
  isDeprecated: z.boolean(),
  deprecatedSince: DaySchema.optional().describe('Absent if unknown.'),
  reasons: z.array(Reason).describe('Why it is deprecated, or will be; oldest first.'),
  advisories: z
    .array(OneLine)
    .optional()
    .describe('Ids of advisories that affect it. Absent if unknown.'),
  fixes: z.array(OneLine).describe('Ids of advisories that it fixes.'),
  isTrustedFix: Flag,
  ...optional({
    severity: z.enum(severities),
    exploitedSince: DaySchema,
    dueBy: DaySchema,
  }),
  isLatest: Flag,
  isLatestOfLine: Flag,
  releasesBehind: Count.optional().describe('Newer stable releases; absent for the latest.'),
  behind: Count.optional().describe('Days between its release and the latest one.'),
  ...verdict,
  // If words are absent here, the release has the words of its line, with the version in place of the line's name.
  ...optional(words),
});
export type Release = z.infer<typeof Release>;

/** `details/<component>.json`: a component as judged for the day of the build (`asOf` in `status.json`). */
export const Component = z.strictObject({
  component: ComponentName,
  title: OneLine,
  description: OneLine.optional(),
  homepage: HttpsUrl,
  sourceRepository: HttpsUrl.optional(),
  changelogUrl: HttpsUrl,
  ...optional({
    aliases: z.array(OneLine),
    renamedFrom: z.array(ComponentName),
    replacedBy: ComponentName,
  }),
  support: z.strictObject({
    policy: OneLine,
    description: OneLine,
    url: HttpsUrl.optional(),
    inferred: OneLine.optional(),
  }),
  latest: VersionText.optional(),
  packages: z.array(OneLine).describe('Package URLs without a version.'),
  files: z
    .array(FileName)
    .optional()
    .describe('Names of the files of releases. Each name has its <component>/<name>.json.'),
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
      'Whether a source of advisories answered, so that a release without advisories has none.',
    ),
  advisories: z.array(Advisory),
  lines: z.array(Line).describe('Oldest first.'),
  releases: z.array(Release).describe('Oldest first, in the order of versions.'),
});
export type Component = z.infer<typeof Component>;
