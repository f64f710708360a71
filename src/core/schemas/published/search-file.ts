import * as z from 'zod';
import { fieldsHeldBy, type HeldBy } from '../../query/fields.ts';
import { pick } from '../../text.ts';
import {
  ComponentName,
  DaySchema,
  LineName,
  PublishedTimestamp,
  PublishedVersion,
  Text,
} from '../scalars.ts';
import { partsOf } from './release-file.ts';
import {
  DetailedRelease,
  DetailsFile,
  PublishedLine,
  PublishedPolicy,
  PublishedProvenance,
} from './details-file.ts';

/** Held by the line where all of its releases share it, otherwise by the release. */
const verdict = {
  status: DetailedRelease.shape.status.optional(),
  reason: z
    .array(Text)
    .min(1)
    .optional()
    .meta({ description: 'Why it is deprecated; absent where it is not.' }),
  isDeprecated: z.literal(true).optional().meta({ description: 'Absent where it is not.' }),
  isPrerelease: z.literal(true).optional().meta({ description: 'Absent on other releases.' }),
  isWithdrawn: z.literal(true).optional().meta({ description: 'Absent where upstream lists it.' }),
  isVulnerable: DetailedRelease.shape.isVulnerable,
  advisory: DetailedRelease.shape.advisories,
  fixes: DetailedRelease.shape.fixes,
  severity: DetailedRelease.shape.severity,
  isSupported: z
    .boolean()
    .optional()
    .meta({ description: 'Whether its support runs; absent where nothing was promised.' }),
  isLts: PublishedLine.shape.isLts,
  phase: PublishedLine.shape.phase,
  phaseUntil: DaySchema.optional().meta({ description: 'First day after the present phase, where known.' }),
  availableAt: DetailedRelease.shape.availableAt,
  deprecatedSince: DaySchema.optional().meta({
    description: 'Day since which it is deprecated, where known.',
  }),
  supportedUntil: DaySchema.optional().meta({
    description: 'First day without support, where one is stated.',
  }),
  supportedUntilKind: PublishedLine.shape.supportedUntilKind,
  timestampKind: DetailedRelease.shape.timestampKind,
  hasProvenance: z.literal(true).optional().meta({ description: 'Absent where no build is recorded.' }),
  isFromSourceRepository: PublishedProvenance.shape.isFromSourceRepository,
  repository: PublishedProvenance.shape.repository.optional(),
} satisfies Record<HeldBy<'verdict'>, z.ZodType>;

export const SearchedRelease = z.strictObject({
  version: PublishedVersion,
  ...verdict,
  releaseTimestamp: PublishedTimestamp.optional().meta({ description: 'As in the details.' }),
  firstSeen: DaySchema.optional().meta({
    description: 'Day on which its source was first seen to list it, where known.',
  }),
  isLatest: z
    .literal(true)
    .optional()
    .meta({ description: "On the component's tags.latest, absent elsewhere." }),
  isLatestOfLine: z.literal(true).optional().meta({
    description: 'On the greatest stable, not deprecated version of the line, absent elsewhere.',
  }),
  builder: PublishedProvenance.shape.builder.optional(),
  commit: PublishedProvenance.shape.commit,
  buildStartTime: PublishedProvenance.shape.startedOn,
  buildDuration: Text.optional().meta({ description: 'How long the build took, as PT5M.' }),
} satisfies Record<HeldBy<'verdict' | 'release'>, z.ZodType>);

export const SearchedLine = z.strictObject({
  line: LineName.meta({ description: 'The release line.' }),
  ...verdict,
  releases: z.array(SearchedRelease).min(1).meta({
    description: 'Its releases, oldest first. Values that all of them share are those of the line.',
  }),
});

export const PublishedComing = z.strictObject({
  on: DaySchema.meta({ description: 'The first day on which it holds.' }),
  onKind: PublishedLine.shape.supportedUntilKind,
  line: LineName.optional().meta({ description: 'The release line it is about, if it is about one.' }),
  version: PublishedVersion.optional().meta({ description: 'The release it is about otherwise.' }),
  event: z
    .enum(['leaves support', 'will be deprecated', 'enters phase', 'leaves its last phase'])
    .meta({ description: 'The change.' }),
  phase: PublishedLine.shape.phase.meta({ description: 'For enters phase: the phase.' }),
  phaseUntil: DaySchema.optional().meta({ description: 'The first day after that phase, where known.' }),
  reason: Text.optional().meta({ description: 'Why, where the event does not say it.' }),
});
export type PublishedComing = z.infer<typeof PublishedComing>;

export const SearchedComponent = z.strictObject({
  ...pick({ ...DetailsFile.shape, policy: PublishedPolicy.shape.policy }, fieldsHeldBy('component')),
  coming: z.array(PublishedComing).min(1).optional().meta({
    description: 'The changes that come without a release, soonest first; absent where nothing is known.',
  }),
  lines: z.array(SearchedLine).meta({ description: 'Every release line, oldest first.' }),
});

/** `search.json`. */
export const SearchFile = z
  .strictObject({
    components: z.record(ComponentName, SearchedComponent).meta({
      description:
        'The searchable fields of each component, under its name, alphabetical. Empty where there are parts.',
    }),
    parts: partsOf('search'),
  })
  .meta({
    description:
      'Every release with the fields that queries ask for. A release has the fields of its component, of its line and its own; how fresh its component is says status.json.',
  });
export type SearchFile = z.infer<typeof SearchFile>;
