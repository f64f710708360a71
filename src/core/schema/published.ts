import * as z from 'zod';
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
  PhaseName,
  RangeText,
  Timestamp,
  VersionText,
} from './scalars.ts';

/** The least first. */
export const severities = ['low', 'medium', 'high', 'critical'] as const;

export const AdvisoryId = z
  .string()
  .regex(
    /^(?:x_|[A-Za-z]*[A-Z][A-Za-z0-9]*-)[\w.:-]+$/,
    'expected the id of a database, such as CVE-2026-1234, or one that begins with x_',
  )
  .meta({ id: 'AdvisoryId' });

export const Advisory = z.strictObject({
  id: AdvisoryId,
  aliases: z.array(AdvisoryId).min(1).optional().describe('Its ids in other databases.'),
  affected: RangeText,
  fixed: z.array(VersionText).min(1).optional().describe('The first versions without it.'),
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

/** For a version, a state takes precedence over those after it. A line that is deprecated may still be supported. */
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

/** Why to move off a version, in order of precedence. */
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
        'Its last day: exact, or with untilAtMost the earliest possible one.',
      ),
      untilAtMost: DaySchema.describe('Its latest possible last day.'),
    }),
    paid: Flag.describe('For paying customers, which does not count as support.'),
    isOver: Flag.describe('It ended on an unknown day.'),
  })
  .meta({ id: 'Phase' });
export type Phase = z.infer<typeof Phase>;

export const Reason = z
  .strictObject({
    rule: z.enum(['support policy', 'definition', 'upstream', 'withdrawn']),
    text: OneLine,
    ...optional({
      from: DaySchema.describe('The first day; always where absent.'),
      fromAtMost: DaySchema.describe('The latest possible first day.'),
      url: HttpsUrl,
    }),
  })
  .meta({ id: 'Reason' });
export type Reason = z.infer<typeof Reason>;

const MoveTarget = z
  .strictObject({ component: ComponentName, version: VersionText })
  .meta({ id: 'MoveTarget' });

/** The end of support, of a line and of a release. */
const supportEnd = optional({
  supportedUntil: DaySchema.describe(
    'The last day with support: exact, or the earliest possible one.',
  ),
  supportedUntilAtMost: DaySchema.describe('The latest possible last day with support.'),
  isInferred: Flag.describe('Its end rests on a rule that nobody states.'),
});
/** What follows from it and from advisories. */
const verdict = {
  state: State,
  isSupported: z.boolean().optional().describe('Absent where unknown.'),
  moveReason: z
    .enum(moveReasons)
    .optional()
    .describe('Why to move; without moveTo, there is nothing to move to yet.'),
  moveTo: MoveTarget.optional(),
  moveBy: DaySchema.optional().describe('The day by which to move, if not now.'),
};
/** The verdict for people. */
export const words = {
  label: OneLine.describe('The state in a few words.'),
  sentence: OneLine.describe('The state in a sentence.'),
  because: z.array(OneLine).describe('The facts it follows from.'),
  advice: OneLine.describe('What to do, in words.'),
};

export const Line = z.strictObject({
  line: LineName,
  ...optional({
    since: DaySchema.describe(
      'Its first day: exact, or with sinceAtMost the earliest possible one.',
    ),
    sinceAtMost: DaySchema,
    isLts: Flag,
    ltsFrom: DaySchema,
  }),
  phases: z.array(Phase).describe('In their order; one phase alone is called support.'),
  phase: PhaseName.optional().describe('The present one.'),
  ...supportEnd,
  endsWithNextLine: Flag,
  end: OneLine.describe('Its end in words: until 2027-12-30.'),
  reason: Reason.optional().describe('Why it ends.'),
  latest: VersionText.optional().describe('Its newest stable release that is not deprecated.'),
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
  }),
  availableAt: Instant.optional().describe('When the run that recorded it ended.'),
  changelogUrl: HttpsUrl.optional(),
  sources: z.array(OneLine),
  ...optional({
    digests: z.array(OneLine),
    digest: OneLine.describe('The first SHA-256 of its file, which never changes.'),
    url: HttpsUrl.describe('Where its source has this file.'),
    files: z.record(FileName, OneLine).describe('Likewise, of each file by its name.'),
    urls: z.record(FileName, HttpsUrl),
    hasAllFiles: Flag.describe('It is in <component>/<name>.json of each of its files.'),
    isPrerelease: Flag,
    hasProvenance: z
      .boolean()
      .describe('Whether it came with a signed statement of how it was built.'),
    lastProven: VersionText.describe('Where readers were told: the one before it, which had one.'),
    withdrawnSince: DaySchema,
    isQuarantined: Flag.describe('Its registry has locked it, as PyPI locks malware.'),
    republishedOn: DaySchema.describe(
      'The last day on which its source replaced its bytes, or those of a file.',
    ),
  }),
  isDeprecated: z.boolean(),
  deprecatedSince: DaySchema.optional().describe('Absent where unknown.'),
  reasons: z.array(Reason).describe('Why it is deprecated, or will be; oldest first.'),
  advisories: z
    .array(OneLine)
    .optional()
    .describe('Ids of those that affect it; absent where not known.'),
  fixes: z.array(OneLine).describe('Ids of those that it fixes.'),
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
  // Those that are absent are at the line, which has its own name in place of the version.
  ...optional(words),
});
export type Release = z.infer<typeof Release>;

/** `details/<component>.json`: a component as judged on the day of the build, which `status.json` says. */
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
    .describe('The names of files that releases have, each with <component>/<name>.json.'),
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
    .describe('Whether a release without advisories is known to have none.'),
  advisories: z.array(Advisory),
  lines: z.array(Line).describe('Oldest first.'),
  releases: z.array(Release).describe('Oldest first, in the order of versions.'),
});
export type Component = z.infer<typeof Component>;
