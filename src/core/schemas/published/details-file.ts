import * as z from 'zod';
import { Advisory } from '../advisory.ts';
import { policies, statuses } from '../../query/fields.ts';
import { Phase, PhaseName } from '../phase.ts';
import { ArtifactDigests } from '../artifact-digests.ts';
import { JournalInstant } from '../journal.ts';
import { HttpsUrl } from '../links.ts';
import { Provenance } from '../provenance.ts';
import { Dissent, TimestampKind } from '../recorded.ts';
import {
  ComponentName,
  DaySchema,
  LineName,
  PublishedTimestamp,
  PublishedVersion,
  Text,
} from '../scalars.ts';

export const PublishedReason = z.strictObject({
  rule: z
    .enum(['support policy', 'definition', 'upstream', 'withdrawn'])
    .meta({ description: 'Which kind of rule says so.' }),
  text: Text.meta({ description: 'Why, in a sentence.' }),
  from: DaySchema.optional().meta({
    description: 'First day on which it holds; absent where it always held or nobody stated a day.',
  }),
  fromKind: z.literal('observed').optional().meta({
    description: 'Present if that day is an upper bound: it held no later than that.',
  }),
  url: HttpsUrl.optional().meta({ description: 'An address to read more.' }),
});
/** Why a release is, or will be, deprecated. */
export type Reason = z.infer<typeof PublishedReason>;

const PlannedPhases = z.array(
  z.strictObject({
    name: Phase.shape.name,
    months: z.int().min(1).optional().meta({ description: 'For a term: months from the first release.' }),
    count: z.int().min(1).optional().meta({ description: 'For latest-lines: how many have it.' }),
    paid: Phase.shape.paid,
  }),
);

export const PublishedPolicy = z.strictObject({
  policy: z.enum(policies).meta({ description: 'The kind of support policy.' }),
  description: Text.meta({ description: 'The policy in a sentence.' }),
  months: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'For a term: months from the first release of a line.' }),
  count: z.int().min(1).optional().meta({ description: 'For latest-lines: how many lines are supported.' }),
  lines: z
    .record(LineName, z.union([DaySchema, z.record(PhaseName, DaySchema)]))
    .optional()
    .meta({
      description: 'For dated: the first day without support of each line, or after each of its phases.',
    }),
  phases: PlannedPhases.optional().meta({
    description: 'For a term or latest-lines: phases in place of one end, as in the definition.',
  }),
  paid: z.array(PhaseName).optional().meta({ description: 'For dated: the phases that are paid.' }),
  lts: z
    .strictObject({
      lines: z.union([Text, z.array(LineName)]).meta({ description: 'Their names, or a pattern of them.' }),
      phases: PlannedPhases.optional().meta({ description: 'Their phases, as in the definition.' }),
    })
    .optional()
    .meta({ description: 'Lines with long-term support, and their phases.' }),
  source: Text.optional().meta({ description: 'For stated: the source of the ends.' }),
  since: DaySchema.optional().meta({
    description: 'For ended: the first day without support, past or future.',
  }),
  deprecatedFrom: DaySchema.optional().meta({
    description: 'For ended: the day from which every version is deprecated; at once where absent.',
  }),
  reason: Text.optional().meta({ description: 'For ended: the reason.' }),
  line: z
    .literal([1, 2])
    .optional()
    .meta({ description: 'How many digit groups of a version make its line; 2 where absent.' }),
});

export type PublishedPolicy = z.infer<typeof PublishedPolicy>;

export const PublishedLine = z.strictObject({
  line: LineName.meta({ description: 'The digit groups that its versions share, for instance 2025.1.' }),
  isSupported: z.boolean().optional().meta({
    description:
      'Whether its support runs, also where it is deprecated; absent without a support policy: then nobody promised any.',
  }),
  isLts: z.literal(true).optional().meta({ description: 'Present where it has long-term support.' }),
  phase: PhaseName.optional().meta({
    description: 'The present phase; absent where it has one phase alone, or none any more.',
  }),
  phases: z.array(Phase).min(2).optional().meta({
    description:
      'Its phases, which follow one another, where there are several. Support ends with the last one that is not paid.',
  }),
  firstReleaseDate: DaySchema.optional().meta({
    description: 'Day of its first release, where known; an upper bound where firstReleaseKind is observed.',
  }),
  firstReleaseKind: TimestampKind.optional().meta({
    description: 'published: upstream states that day; observed: the line began no later than that.',
  }),
  supportedUntil: DaySchema.optional().meta({
    description: 'First day without support, past or future, where the policy names one.',
  }),
  supportedUntilKind: z.literal('observed').optional().meta({
    description: 'observed where that day follows from an observed one: support ends no later than that.',
  }),
  undatedEnd: Text.optional().meta({
    description: '"ends with the next line" where that ends its support.',
  }),
  reason: Text.optional().meta({ description: 'Why support ends, or ended, then.' }),
  latest: PublishedVersion.meta({ description: 'Its greatest version.' }),
  releases: z.int().min(1).meta({ description: 'How many releases it has.' }),
});

export const PublishedEnd = z.strictObject({
  anchor: Text.meta({
    description:
      'Its place on the page of the component, such as end-2025.2: <component>.html#end-2025.2. The page has the newest lines.',
  }),
  line: LineName.meta({ description: 'The release line that it is about.' }),
  phase: Text.optional().meta({ description: 'The phase that ends; absent where the line has one alone.' }),
  on: DaySchema.meta({ description: 'The first day after it, past or future.' }),
  onKind: z.literal('observed').optional().meta({
    description: 'observed where that day is an upper bound.',
  }),
  statedSince: DaySchema.optional().meta({
    description: 'Day on which the index first stated this end; absent before it is recorded.',
  }),
  lastRelease: PublishedVersion.meta({ description: 'The greatest version of the line.' }),
  lastReleaseDate: DaySchema.optional().meta({ description: 'Day of that release, where it is known.' }),
  moveTo: z
    .strictObject({ component: ComponentName, version: PublishedVersion.optional() })
    .optional()
    .meta({ description: 'A release that outlives the end, or the successor of the component.' }),
  text: Text.meta({ description: 'All of this in sentences, as the page has it.' }),
});
export type PublishedEnd = z.infer<typeof PublishedEnd>;

export const PublishedProvenance = Provenance.extend({
  isFromSourceRepository: z.boolean().optional().meta({
    description:
      'Whether it was built from the source repository of the component; absent where none is known.',
  }),
  text: Text.meta({ description: 'The build in a sentence.' }),
});
export type PublishedProvenance = z.infer<typeof PublishedProvenance>;

export const DetailedRelease = z.strictObject({
  version: PublishedVersion,
  line: LineName.meta({ description: 'The release line it belongs to.' }),
  status: z.enum(statuses).meta({
    description:
      'The verdict in a word. listed: not deprecated, but no support policy covers it; withdrawn: upstream no longer lists it.',
  }),
  isDeprecated: z.boolean().meta({ description: 'As in the release file.' }),
  isPrerelease: z
    .boolean()
    .meta({ description: 'Whether it precedes a release, such as a release candidate.' }),
  releaseTimestamp: PublishedTimestamp.optional().meta({
    description: 'When it was released, as upstream states it where timestampKind is published.',
  }),
  timestampKind: TimestampKind.optional().meta({
    description: 'published: upstream states it; observed: the earliest day it was seen, which may be later.',
  }),
  changelogUrl: HttpsUrl.optional().meta({ description: 'As in the release file.' }),
  sources: z.array(Text).min(1).optional().meta({
    description:
      'The sources that listed it, that of its timestamp first; absent where it was recorded by hand.',
  }),
  firstSeen: DaySchema.optional().meta({
    description: 'Day on which its source was first seen to list it; absent where it was recorded by hand.',
  }),
  availableAt: JournalInstant.optional().meta({
    description:
      'Instant at which the index first listed it, as its journal says; absent before it is recorded.',
  }),
  notListedOn: DaySchema.optional().meta({
    description:
      'The last day on which its source answered without it, if that is after the stated day. The release file gives no earlier one.',
  }),
  withdrawnSince: DaySchema.optional().meta({ description: 'Day since which upstream no longer lists it.' }),
  reasons: z
    .array(PublishedReason)
    .min(1)
    .optional()
    .meta({ description: 'Why it is deprecated, the oldest reason first; absent where it is not.' }),
  upcoming: z
    .array(PublishedReason)
    .min(1)
    .optional()
    .meta({ description: 'Reasons that will hold later, soonest first; absent where there is none.' }),
  advisories: z.array(Text).min(1).optional().meta({ description: 'Ids of the advisories that affect it.' }),
  fixes: z.array(Text).min(1).optional().meta({ description: 'Ids of the advisories that it fixes.' }),
  isVulnerable: z.literal(true).optional().meta({ description: 'Absent where no advisory affects it.' }),
  severity: Advisory.shape.severity.meta({ description: 'The greatest of the advisories that affect it.' }),
  security: Text.optional().meta({
    description: 'Sentences on the advisories about it; absent where there is none.',
  }),
  digests: z.record(Text, ArtifactDigests).optional().meta({
    description:
      'Digests of its artifacts by source and artifact, as first stated: sha256:<hex>, several with a space between them. Absent where no source states any.',
  }),
  provenance: PublishedProvenance.optional().meta({
    description: 'The build that made it, where a verified attestation states it.',
  }),
  disagreements: z
    .array(Dissent)
    .min(1)
    .optional()
    .meta({ description: 'The facts on which its sources disagree; absent where they agree.' }),
  republishedOn: DaySchema.optional().meta({
    description: 'Day on which other bytes were last accepted under this version; absent where never.',
  }),
});

/** `details/<component>.json`. */
export const DetailsFile = z
  .strictObject({
    component: ComponentName,
    title: Text.meta({ description: 'Its name for people.' }),
    description: Text.optional().meta({ description: 'A description in a sentence.' }),
    homepage: HttpsUrl.meta({ description: 'The documentation of the component.' }),
    changelogUrl: HttpsUrl.meta({ description: 'The release history of the component.' }),
    support: PublishedPolicy.meta({ description: 'How long releases are supported.' }),
    datasource: z
      .array(Text)
      .min(1)
      .optional()
      .meta({ description: 'The datasources of its sources; absent without any.' }),
    package: z.array(Text).min(1).optional().meta({ description: 'Names of the packages in its sources.' }),
    identifiers: z
      .strictObject({
        purl: z.array(Text).min(1).optional().meta({
          description: 'Package URLs without a version: those of its sources, then further ones.',
        }),
        cpe: z.array(Text).min(1).optional().meta({
          description: 'Names of the Common Platform Enumeration.',
        }),
      })
      .optional()
      .meta({ description: 'Its identifiers; absent where it has none.' }),
    label: z
      .record(z.string(), Text)
      .optional()
      .meta({ description: 'The labels of its definition; absent without any.' }),
    replacedBy: ComponentName.optional().meta({ description: 'The component to use instead.' }),
    latest: PublishedVersion.optional().meta({
      description:
        'The greatest version that is neither a prerelease nor deprecated; absent where there is none.',
    }),
    nextChangeOn: DaySchema.optional().meta({
      description:
        'The next day on which a verdict changes although nothing is released; absent where none is known.',
    }),
    advisories: z.array(Advisory).min(1).optional().meta({
      description: 'Advisories on its releases, by id; absent where none is known.',
    }),
    lines: z.array(PublishedLine).meta({ description: 'Every release line, oldest first.' }),
    ends: z.array(PublishedEnd).min(1).optional().meta({
      description: 'Every end of support that is stated, past or future; absent where there is none.',
    }),
    releases: z
      .array(DetailedRelease)
      .meta({ description: 'Every release, oldest first in the order of versions.' }),
  })
  .meta({
    description: 'Everything known about the releases of a component, and why each verdict was made.',
  });
export type DetailsFile = z.infer<typeof DetailsFile>;
