import { z } from 'zod';
import { documented } from '../documented.ts';
import { FreshnessState } from '../freshness.ts';
import { HttpsUrl } from '../links.ts';
import { DaySchema, LineName } from '../scalars.ts';
import { DetailedRelease, DetailsFile, PublishedLine } from './details-file.ts';
import { ComponentName, PublishedTimestamp, PublishedVersion, Text } from './published-scalars.ts';
import { SearchedComponent, SearchedRelease } from './search-file.ts';
import { ComponentStatus } from './status-file.ts';

const Duration = z.string().regex(/^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/);
const { title, policy, datasource, package: packageName, label } = SearchedComponent.shape;
const { status, reason, isSupported, deprecatedSince, supportedUntil, releaseTimestamp, firstSeen } =
  SearchedRelease.shape;

const FoundRelease = z.strictObject({
  component: ComponentName,
  title,
  policy,
  freshness: FreshnessState.optional().meta({ description: 'As state of status.json.' }),
  datasource,
  package: packageName,
  label,
  releases: documented(z.int().min(1), 'How many releases the component has.'),
  version: PublishedVersion,
  line: LineName.meta({ description: 'The release line.' }),
  status: status.unwrap(),
  reason,
  isDeprecated: DetailedRelease.shape.isDeprecated,
  isPrerelease: DetailedRelease.shape.isPrerelease,
  isWithdrawn: documented(z.boolean(), 'Whether upstream no longer lists it.'),
  isLatest: documented(z.boolean(), "Whether it is the component's tags.latest."),
  isLatestOfLine: documented(
    z.boolean(),
    'Whether it is the greatest stable, not deprecated version of its line.',
  ),
  isSupported,
  releaseTimestamp,
  firstSeen,
  deprecatedSince,
  supportedUntil,
  age: Duration.optional().meta({
    description: 'Since releaseTimestamp, as ISO 8601; only where the query asks for age or supportLeft.',
  }),
  supportLeft: Duration.optional().meta({
    description: 'Until supportedUntil, as ISO 8601; only where the query asks for age or supportLeft.',
  }),
  availableAt: PublishedTimestamp.optional().meta({
    description:
      'When it entered the index: the start of the day it was first seen, else of the day it was released. Absent where neither is known.',
  }),
});

/** `GET /api/releases`. */
export const FoundReleases = z
  .array(FoundRelease)
  .max(1000)
  .meta({ description: 'Releases with the fields that queries ask for, oldest first by availableAt.' });

/** `GET /api/components`. */
export const FoundComponents = z
  .array(
    SearchedComponent.omit({ lines: true }).extend({ component: ComponentName, status: ComponentStatus }),
  )
  .meta({ description: 'All components, with what is common to their releases and how fresh they are.' });

/** `GET /api/components/{component}`. */
export const FoundComponent = DetailsFile.omit({ releases: true })
  .extend({ status: ComponentStatus })
  .meta({ description: 'A component as in its details, without its releases, and how fresh it is.' });

const Move = z.strictObject({
  component: ComponentName,
  version: PublishedVersion.optional().meta({
    description: 'Absent where nothing of the other component can be recommended.',
  }),
});

/** What is answered on a version, by the API and wherever else it is asked for. */
export const PublishedVersionAnswer = z
  .strictObject({
    component: ComponentName,
    title,
    version: documented(z.string(), 'As listed; as asked where it is not.'),
    asOf: DaySchema.meta({ description: 'The day that the verdict is of.' }),
    isListed: documented(z.boolean(), 'Whether there is such a release.'),
    line: LineName.optional().meta({ description: 'Absent where it belongs to no known line.' }),
    status: DetailedRelease.shape.status.optional().meta({ description: 'The verdict in a word.' }),
    isLatest: documented(z.boolean(), 'Whether it is the latest version.'),
    isDeprecated: DetailedRelease.shape.isDeprecated.optional(),
    isSupported: PublishedLine.shape.isSupported,
    supportedUntil: PublishedLine.shape.eolFrom,
    reasons: documented(z.array(Text), 'Why it is deprecated; empty where it is not.'),
    until: DaySchema.optional().meta({
      description: 'The first day on which it will be deprecated, where one is known.',
    }),
    moveTo: Move.optional().meta({
      description: 'Absent where there is nothing to move to, or no need to.',
    }),
    releasesBetween: documented(
      z.array(
        z.strictObject({
          version: PublishedVersion,
          isDeprecated: DetailedRelease.shape.isDeprecated,
          changelogUrl: HttpsUrl.optional().meta({ description: 'What changed in this release.' }),
        }),
      ),
      'From this one to what to move to, oldest first, without prereleases.',
    ),
    verdict: documented(z.string(), 'Why it stands where it stands, in sentences.'),
    move: documented(z.string(), 'What to move to, in a sentence.'),
  })
  .meta({ description: 'The verdict on a version, and what to move to.' });
