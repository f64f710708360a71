import { addDays, findEarliestDay, findLatestDay, type Day } from '../../../core/model/dates.ts';
import { sortVersions } from '../../../core/model/version.ts';
import type { Definition } from '../../../core/schemas/definition/definition.ts';
import { mapSourcesById } from '../../../core/schemas/definition/source-ids.ts';
import { hasSameDefinition, type Freshness } from '../../../core/schemas/recorded/freshness.ts';
import type { Wait, WaitKind } from '../../../core/schemas/recorded/waits.ts';
import {
  isListedBy,
  type RecordedData,
  type RecordedRelease,
} from '../../../core/schemas/recorded/recorded.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { formatCount } from '../../../core/text/wording.ts';
import {
  findAddedReleases,
  findChangedDigests,
  settledAfterDays,
  type ChangedDigest,
} from './changed-data.ts';
import { findOutliers, findVersionsBeforeTheirLine, type Reasons } from './outliers.ts';
import { createDecisionId, type WaitingChange } from './waiting-change.ts';

/** Limits of versions that need no review; the contract names them. */
export const suspicionMeasures = {
  /**
   * A new version is compared with those that were recorded so many days ago. A month finds a jump; a year finds a number that grew
   * in smaller steps. `minMeasure`: a digit group after the first is compared with the highest recorded one, or with this number if
   * that is lower.
   */
  outlier: [
    { days: 30, minMeasure: 10 },
    { days: 365, minMeasure: 100 },
  ],
  flood: { days: 30, most: 1000 },
} as const;

/** A component's data before and after a run, with facts about both. */
export interface DataChange {
  name: string;
  day: Day;
  definition: Definition;
  before: RecordedData;
  after: RecordedData;
  freshness: { before: Freshness; after: Freshness };
  /** The changes that waited after the last run. */
  waits: readonly Wait[];
  /** The last day on which a run used a person's decision about the component. */
  acceptedOn: Day | undefined;
  /** The stated days of new versions that gathering rejected. */
  rejectedDays?: ReadonlyMap<string, Day>;
}

/** A change, as far as a source added releases. */
interface Addition extends DataChange {
  source: string;
  added: readonly RecordedRelease[];
  /** The recorded releases that it has listed. */
  listed: readonly RecordedRelease[];
  /** Whether the source has not answered before for the same definition. */
  isFirst: boolean;
}

/**
 * The changes that make versions wait, while other versions are recorded. Each is dated today; `continueWait` continues the earlier
 * ones.
 */
export function findSuspicions(change: DataChange): WaitingChange[] {
  const { name, before, after } = change;
  const added = findAddedReleases(before, after);
  const bySource = Map.groupBy(added, ({ source }) => source ?? `data/${name}.json`);
  const suspicions = findOtherBytes(change);

  for (const [source, releases] of bySource) {
    const addition = createAddition(change, source, releases);
    const flood = findFlood(addition);
    const others = releases.filter(({ version }) => !flood.has(version));
    const unusual = findUnusualVersions({ ...addition, added: others });
    suspicions.push(
      ...describeWaits(addition, 'flood', flood),
      ...describeWaits(addition, 'outlier', unusual),
    );
  }

  return suspicions;
}

function createAddition(
  change: DataChange,
  source: string,
  added: readonly RecordedRelease[],
): Addition {
  const { before, freshness } = change;
  const former = freshness.before.sources[source];
  const listed = before.releases.filter((entry) => isListedBy(entry, source));
  const hasAnswered = former?.answeredOn !== undefined || listed.length > 0;
  const definition = freshness.after.sources[source]?.definition;

  return {
    ...change,
    source,
    added,
    listed,
    isFirst: !(hasAnswered && hasSameDefinition(former, definition)),
  };
}

/** One decision covers the versions that came together. A version that comes later has its own. */
function describeWaits(
  { name, day, source, waits }: Addition,
  kind: WaitKind,
  reasons: Reasons,
): WaitingChange[] {
  const earlierWaits = new Map<string, Wait>();
  // The first wait with a version counts.
  for (const wait of waits.filter((each) => each.kind === kind).reverse()) {
    for (const version of wait.versions ?? []) {
      earlierWaits.set(version, wait);
    }
  }

  const byWait = Map.groupBy(reasons.keys(), (version) => earlierWaits.get(version));

  return Array.from(byWait.values(), (versions) => {
    const [first] = versions;
    const count = versions.length - 1;
    const more = count > 0 ? `; so ${formatCount(count, 'more version')}` : '';
    return {
      id: createDecisionId(name, [kind, source, versions.toSorted()]),
      component: name,
      kind,
      since: day,
      causes: [source],
      reason: toLine(`${first}: ${reasons.get(first)}${more}`),
      versions,
      items: versions.map((version) => `new ${version}`),
    };
  });
}

/** Outliers, and patches dated before their line. */
function findUnusualVersions(addition: Addition): Reasons {
  const { added, before, day, isFirst, rejectedDays = new Map() } = addition;
  const { releases: recorded } = before;
  const outliers = suspicionMeasures.outlier.map(({ days, minMeasure }) => {
    const limit = findBaselineDay(addition, days, recorded);
    const earlier = recorded.filter(
      ({ firstSeen }) => firstSeen === undefined || firstSeen <= limit,
    );
    const options = { day, isFirst, minMeasure };
    return findOutliers(sortVersions(added), sortVersions(earlier), options);
  });
  if (!isFirst) {
    outliers.push(findVersionsBeforeTheirLine(added, recorded, rejectedDays));
  }

  const reasons = new Map<string, string>();
  for (const [version, why] of outliers.flatMap((found) => [...found])) {
    reasons.set(version, reasons.get(version) ?? why);
  }

  return reasons;
}

/** Versions that wait because of a flood still wait when the month is over. */
function findFlood(addition: Addition): Reasons {
  const { days, most } = suspicionMeasures.flood;
  const why = `one of more than ${formatCount(most, 'new version')} within ${days} days`;
  const floodWaits = addition.waits.filter(({ kind }) => kind === 'flood');
  const waiting = new Set(floodWaits.flatMap(({ versions = [] }) => versions));
  const areTooMany = countNew(addition, days) > most;
  const flood = addition.added.filter(({ version }) => areTooMany || waiting.has(version));
  return new Map(flood.map(({ version }) => [version, why]));
}

/** The new versions of a source and those recorded within so many days; none in a first answer, which may be long. */
function countNew(addition: Addition, days: number): number {
  const { added, listed, isFirst } = addition;
  if (isFirst) {
    return 0;
  }

  const baseline = findBaselineDay(addition, days, listed);
  const recent = listed.filter(({ firstSeen }) => firstSeen !== undefined && firstSeen > baseline);
  return added.length + recent.length;
}

/**
 * The last day of the versions that new ones are compared with: so many days ago, but not before the first list, as nothing was
 * recorded then, nor before a run last used a person's decision: that person saw what was recorded.
 */
function findBaselineDay(
  { day, acceptedOn }: Addition,
  days: number,
  recorded: readonly RecordedRelease[],
): Day {
  const firstDay = findEarliestDay(recorded.map(({ firstSeen }) => firstSeen));
  return findLatestDay(addDays(day, -days), firstDay, acceptedOn);
}

/** Recorded versions with other bytes. */
function findOtherBytes({ name, definition, before, after, day }: DataChange): WaitingChange[] {
  const definitions = mapSourcesById(definition.sources);
  const digests = findChangedDigests(before, after, day)
    .filter((change) => change.kind !== 'removed')
    .filter(({ source }) => !definitions.get(source)?.rebuildsTags);

  return Array.from(
    Map.groupBy(digests, ({ version }) => version),
    ([version, changed]) => {
      const items = changed.map(({ artifact, digest }) => `${version} ${artifact} ${digest}`);
      return {
        id: createDecisionId(name, ['bytes', items.toSorted()]),
        component: name,
        kind: 'bytes',
        since: day,
        causes: [...new Set(changed.map(({ source }) => source))].sort(),
        reason: toLine(describeOtherBytes(changed)),
        versions: [version],
        items: items.map((item) => toLine(item)),
      };
    },
  );
}

type StatedDigest = Exclude<ChangedDigest, { kind: 'removed' }>;

function describeOtherBytes([first, ...others]: [StatedDigest, ...StatedDigest[]]): string {
  const { version, artifact, digest } = first;
  const more = others.length > 0 ? ` and ${formatCount(others.length, 'more artifact')}` : '';
  const words =
    first.kind === 'added'
      ? `has bytes that were added after more than ${settledAfterDays} days: ${artifact} is`
      : `was republished with other bytes: ${artifact} was ${first.recorded} and is`;
  return `${version} ${words} ${digest}${more}`;
}
