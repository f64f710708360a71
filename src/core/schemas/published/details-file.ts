import * as z from 'zod';
import { states } from '../../model/states.ts';
import { supportPolicies } from '../../model/phases.ts';
import { aboutKeys, relationKeys } from '../definition/about-component.ts';
import { OwnEnd, Phase, PhaseName } from '../definition/phase.ts';
import { WorksWith } from '../definition/works-with.ts';
import { Advisory } from '../advisory.ts';
import { ArtifactDigests, Dissent, RecordedRelease, TimestampKind } from '../recorded/recorded.ts';
import { optionalKey } from '../keys.ts';
import {
  ComponentName,
  Count,
  createListSchema,
  DaySchema,
  Flag,
  JournalInstant,
  LineName,
  PositiveCount,
  PublishedTimestamp,
  PublishedVersion,
  Text,
} from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { PublishedReason } from './reason.ts';

const PlannedPhases = z.array(
  z.strictObject({
    name: Phase.shape.name,
    months: optionalKey(PositiveCount, 'For a term: months from the first release.'),
    count: optionalKey(
      PositiveCount,
      'For latest-lines: the number of lines in this phase or an earlier one.',
    ),
    paid: Phase.shape.paid,
  }),
);

export const PublishedPolicy = z.strictObject({
  policy: z.enum(supportPolicies).describe('The kind of support policy.'),
  description: Text.describe('The policy in a sentence.'),
  months: optionalKey(
    PositiveCount,
    'For a term: months from the first release of a line. For latest-lines: months after the release that exceeds count.',
  ),
  count: optionalKey(PositiveCount, 'For latest-lines: the number of supported lines.'),
  lines: optionalKey(
    z.record(LineName, z.union([DaySchema, OwnEnd, z.record(PhaseName, DaySchema)])),
    'Lines with an end of their own: the last day with support, with its reason; for dated, also the last day of each phase.',
  ),
  phases: optionalKey(PlannedPhases, 'For a term or latest-lines: phases instead of one end.'),
  paid: optionalKey(z.array(PhaseName), 'For dated: the phases that are paid.'),
  lts: optionalKey(
    z.strictObject({
      lines: z.union([Text, z.array(LineName)]).describe('Their names, or a pattern for them.'),
      phases: optionalKey(PlannedPhases, 'Their phases, as in the definition.'),
    }),
    'Lines with long-term support, and their phases.',
  ),
  source: optionalKey(Text, 'For stated: the source of the ends.'),
  until: optionalKey(DaySchema, 'For ended: the last day with support, past or future.'),
  deprecatedFrom: optionalKey(DaySchema, 'For ended: from then on every version is deprecated.'),
  reason: optionalKey(Text, 'For ended: the reason.'),
  url: optionalKey(HttpsUrl, 'The address at which the rule is stated.'),
  inferred: optionalKey(
    Text,
    'Why the index assumes the rule; present only if nobody has stated it.',
  ),
  orNewest: optionalKey(
    PositiveCount,
    'For an inferred term: another rule fits as well, that only so many newest lines are supported.',
  ),
  line: optionalKey(
    z.literal([1, 2]),
    'The number of digit groups of a version that name its line; 2 where absent.',
  ),
});

export type PublishedPolicy = z.infer<typeof PublishedPolicy>;

export const PublishedLine = z.strictObject({
  line: LineName.describe('The digit groups that its versions share, for instance 2025.1.'),
  isLts: Flag.describe('Present if it has long-term support, or will have it from ltsFrom on.'),
  ltsFrom: optionalKey(DaySchema, 'First day with long-term support, where its source states it.'),
  phases: optionalKey(
    z.array(Phase).min(1),
    'The phases of its support in chronological order; a single phase is called support. Support ends with the last phase that is not paid. Absent without a promise.',
  ),
  firstReleaseDate: optionalKey(
    DaySchema,
    'Day of its first release: exact, or with firstReleaseDateAtMost the earliest possible day.',
  ),
  firstReleaseDateAtMost: optionalKey(
    DaySchema,
    'The latest possible day of its first release, where the exact day is unknown.',
  ),
  supportedUntil: optionalKey(
    DaySchema,
    'The last day with support, past or future: exact, or the earliest possible one. It is the day to plan with.',
  ),
  supportedUntilAtMost: optionalKey(
    DaySchema,
    'The latest possible last day with support, where the exact day is unknown.',
  ),
  inferred: Flag.describe('Present if its end rests on a rule that nobody stated.'),
  undatedEnd: optionalKey(Text, '"ends with the next line" if the next line ends its support.'),
  reason: optionalKey(
    PublishedReason,
    'The reason of the support policy for which its releases are deprecated.',
  ),
  latest: optionalKey(
    PublishedVersion,
    'Its newest stable version, else its newest prerelease; absent without releases.',
  ),
  releases: Count.describe('The number of its recorded releases.'),
});

export type PublishedLine = z.infer<typeof PublishedLine>;

/** Since when the index has stated the present end of a phase; the end itself is in the line. */
export const PublishedEnd = z.strictObject({
  line: LineName.describe('The release line.'),
  phase: optionalKey(Text, 'The phase that ends; absent where the line has only one.'),
  statedSince: DaySchema.describe('Day on which the index first stated this end.'),
});
export type PublishedEnd = z.infer<typeof PublishedEnd>;

export const PublishedState = z
  .enum(states)
  .describe(
    'The state of its support: supported; ends-soon: within 90 days; may-have-ended: the end has bounds, and the day is between them; ended; deprecated; withdrawn; no-promise: no stated support. For a version that is not listed: not-listed, of a known line; not-released, later than all; unknown-line.',
  );

export const PublishedRelease = z.strictObject({
  version: PublishedVersion,
  line: LineName.describe('Its release line.'),
  isPrerelease: Flag.describe('It precedes a release, such as a release candidate.'),
  releaseTimestamp: optionalKey(PublishedTimestamp, 'When it was released, or first seen.'),
  timestampKind: optionalKey(
    TimestampKind,
    'observed: first seen then. Absent where upstream states the timestamp.',
  ),
  changelogUrl: optionalKey(HttpsUrl, 'As in the release file.'),
  notes: RecordedRelease.shape.notes.describe(
    'The first words of its release notes as plain text, as a source first stated them.',
  ),
  sources: optionalKey(
    z.array(Text),
    'The sources that listed it, the source of its timestamp first; empty where a person recorded it. Absent where these are the sources of the component.',
  ),
  firstSeen: optionalKey(
    DaySchema,
    'Day on which its source was first seen to list it. Absent where unknown, and where it is the day of releaseTimestamp in a component with isSeenWhenReleased.',
  ),
  recordedAt: optionalKey(JournalInstant, 'Instant of the run that first listed it.'),
  notListedOn: optionalKey(
    DaySchema,
    'The last day on which its source answered without the release, if later than the stated day. The release file has no earlier day.',
  ),
  withdrawnSince: optionalKey(DaySchema, 'Day since which upstream no longer lists it.'),
  reasons: createListSchema(PublishedReason).describe(
    'The reasons for which it is deprecated from a past or future day, without the reason of its line; oldest first.',
  ),
  advisories: createListSchema(Text).describe('Ids of the advisories that affect it.'),
  advisoryAliases: createListSchema(Text).describe('Further ids of these advisories.'),
  fixes: createListSchema(Text).describe('Ids of the advisories that it fixes.'),
  isVulnerable: Flag.describe('Absent where no advisory affects it.'),
  severity: Advisory.shape.severity.describe(
    'The greatest severity of the advisories that affect it.',
  ),
  ...Advisory.pick({ exploitedSince: true, dueBy: true }).shape,
  security: optionalKey(Text, 'Sentences on the advisories about it; absent where there is none.'),
  digests: optionalKey(
    z.record(Text, ArtifactDigests),
    'Digests of its artifacts by source and artifact, as first stated: sha256:<hex>, several with a space between them. Absent where no source states any.',
  ),
  disagreements: createListSchema(Dissent).describe('The facts on which its sources disagree.'),
  republishedOn: optionalKey(
    DaySchema,
    'Day on which other bytes were last accepted under this version.',
  ),
});

export type PublishedRelease = z.infer<typeof PublishedRelease>;

const { releaseChangelogUrl: _url, aliases: _aliases, ...aboutFacts } = aboutKeys;

/** `details/<component>.json`. */
export const DetailsFile = z.strictObject({
  component: ComponentName,
  ...aboutFacts,
  support: PublishedPolicy.describe('How long releases are supported.'),
  // `datasource`, `package` and `label` are singular, as they are also fields of queries.
  datasource: createListSchema(Text).describe(
    'The datasources of its sources; absent without any.',
  ),
  package: createListSchema(Text).describe('Names of the packages in its sources.'),
  sources: z.array(Text).describe('Its sources, in the order of the definition.'),
  label: optionalKey(
    z.record(z.string(), Text),
    'The labels of its definition; absent without any.',
  ),
  replacedBy: relationKeys.replacedBy,
  onBuildDay: z
    .strictObject({
      latest: optionalKey(PublishedVersion, 'The greatest stable version that is not deprecated.'),
      nextChangeOn: optionalKey(
        DaySchema,
        'The next day on which a state may change without a release.',
      ),
    })
    .describe('States on the day of the build; everything else holds on every day.'),
  isSeenWhenReleased: Flag.describe(
    'Present if a release with releaseTimestamp and without firstSeen was first seen on that day.',
  ),
  advisories: createListSchema(Advisory).describe(
    'Advisories on its releases, by id; absent where none is known.',
  ),
  watchesAdvisories: Flag.describe(
    'Absent until a source of advisories has answered: vulnerabilities are unknown.',
  ),
  worksWith: relationKeys.worksWith,
  statedBy: optionalKey(
    WorksWith,
    'The same statements by other components about this one, by their names.',
  ),
  upgradeStops: relationKeys.upgradeStops,
  lines: z.array(PublishedLine).describe('Every release line, oldest first.'),
  ends: createListSchema(PublishedEnd).describe(
    'Since when the index has stated the present ends of phases; without the ends that it has not stated in a run.',
  ),
  releases: z
    .array(PublishedRelease)
    .describe('Every release, oldest first in the order of versions.'),
});
export type DetailsFile = z.infer<typeof DetailsFile>;
