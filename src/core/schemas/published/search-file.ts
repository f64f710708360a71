import * as z from 'zod';
import { fieldsHeldBy, type HeldBy } from '../../query/fields.ts';
import { pick } from '../../text.ts';
import {
  ComponentName,
  DaySchema,
  Flag,
  LineName,
  listOf,
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
  reason: listOf(Text).describe('Why it is deprecated; absent where it is not.'),
  isDeprecated: Flag.describe('Absent where it is not.'),
  isPrerelease: Flag.describe('Absent on other releases.'),
  isWithdrawn: Flag.describe('Absent where upstream lists it.'),
  isVulnerable: DetailedRelease.shape.isVulnerable,
  advisory: DetailedRelease.shape.advisories,
  fixes: DetailedRelease.shape.fixes,
  severity: DetailedRelease.shape.severity,
  isSupported: z
    .optional(z.boolean())
    .describe('Whether its support certainly runs, or is certainly over; absent where that is unknown.'),
  isLts: PublishedLine.shape.isLts,
  phase: PublishedLine.shape.phase,
  phaseUntil: DaySchema.optional().describe('First day after the present phase, where known.'),
  availableAt: DetailedRelease.shape.availableAt,
  deprecatedSince: DaySchema.optional().describe('Day since which it is deprecated, where known.'),
  supportedUntil: DaySchema.optional().describe('First day without support, where one is stated.'),
  supportedUntilKind: PublishedLine.shape.supportedUntilKind,
  timestampKind: DetailedRelease.shape.timestampKind,
  hasProvenance: Flag.describe('Absent where no build is recorded.'),
  isFromSourceRepository: PublishedProvenance.shape.isFromSourceRepository,
  repository: PublishedProvenance.shape.repository.optional(),
} satisfies Record<HeldBy<'verdict'>, z.ZodType>;

export const SearchedRelease = z.strictObject({
  version: PublishedVersion,
  ...verdict,
  releaseTimestamp: PublishedTimestamp.optional().describe('As in the details.'),
  firstSeen: DaySchema.optional().describe('Day on which its source was first seen to list it, where known.'),
  isLatest: Flag.describe("On the component's tags.latest, absent elsewhere."),
  isLatestOfLine: Flag.describe('On the greatest stable version of the line that is not deprecated.'),
  builder: PublishedProvenance.shape.builder.optional(),
  commit: PublishedProvenance.shape.commit,
  buildStartTime: PublishedProvenance.shape.startedOn,
  buildDuration: Text.optional().describe('How long the build took, as PT5M.'),
} satisfies Record<HeldBy<'verdict' | 'release'>, z.ZodType>);

export const SearchedLine = z.strictObject({
  line: LineName.describe('The release line.'),
  ...verdict,
  releases: z
    .array(SearchedRelease)
    .min(1)
    .describe('Its releases, oldest first. Values that all of them share are those of the line.'),
});

export const PublishedComing = z.strictObject({
  on: DaySchema.describe('The first day on which it holds.'),
  onKind: PublishedLine.shape.supportedUntilKind,
  line: LineName.optional().describe('The release line it is about, if it is about one.'),
  version: PublishedVersion.optional().describe('The release it is about otherwise.'),
  event: z
    .enum(['leaves support', 'will be deprecated', 'enters phase', 'leaves its last phase'])
    .describe('The change.'),
  phase: PublishedLine.shape.phase.describe('For enters phase: the phase.'),
  phaseUntil: DaySchema.optional().describe('The first day after that phase, where known.'),
  reason: Text.optional().describe('Why, where the event does not say it.'),
});
export type PublishedComing = z.infer<typeof PublishedComing>;

export const SearchedComponent = z.strictObject({
  ...pick({ ...DetailsFile.shape, policy: PublishedPolicy.shape.policy }, fieldsHeldBy('component')),
  watchesAdvisories: DetailsFile.shape.watchesAdvisories,
  coming: listOf(PublishedComing).describe('The changes that come without a release, soonest first.'),
  lines: z.array(SearchedLine).describe('Every release line, oldest first.'),
});

/** `search.json`. */
export const SearchFile = z
  .strictObject({
    components: z
      .record(ComponentName, SearchedComponent)
      .describe(
        'The searchable fields of each component, under its name, alphabetical. Empty where there are parts.',
      ),
    parts: partsOf('search'),
  })
  .describe(
    'Every release with the fields that queries ask for. A release has the fields of its component, of its line and its own; how fresh its component is says status.json.',
  );
export type SearchFile = z.infer<typeof SearchFile>;
