import { addDays, dayOf, latestDay, type Day } from '../../../core/model/dates.ts';
import type { WaitKind } from '../../../core/schemas/recorded/held.ts';
import { listingSources, type RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import { counted, listed } from '../../../core/text/text.ts';
import { compareVersions, parseVersion, type Version } from '../../../core/model/version.ts';
import type { ComponentChange } from './component-change.ts';
import { addedReleases } from './data-of-source.ts';
import { isShare } from './measures.ts';
import { changedDigests, settledAfterDays } from './other-bytes.ts';
import { findOutliers } from './outliers.ts';

/** Versions that wait alone, while the rest is taken. */
export interface Suspicion {
  readonly kind: WaitKind;
  /** A source, or the data file for data without one. */
  readonly cause: string;
  readonly versions: readonly string[];
  readonly reason: string;
  readonly items: readonly string[];
}

/** Limits of versions that need no review; the contract names them. */
export const suspicionMeasures = {
  /** `least`: smaller numbers count as this number. */
  outlier: [
    { days: 30, least: 10 },
    { days: 365, least: 100 },
  ],
  flood: { days: 30, most: 1000 },
  restored: { days: 7, most: 20 },
} as const;

/** The new releases of a source. */
interface Addition {
  readonly source: string;
  readonly added: readonly RecordedRelease[];
  readonly before: readonly RecordedRelease[];
  readonly day: Day;
  /** The day of its last answer for the same definition. */
  readonly answeredOn: Day | undefined;
  /** Whether all releases of that answer are recorded. */
  readonly isWhole: boolean;
  /** The day a person last accepted a change of the component. */
  readonly acceptedOn: Day;
  /** New versions that were seen before and wait with the whole component. */
  readonly waiting: ReadonlySet<string>;
}

export function findSuspicions(change: ComponentChange): Suspicion[] {
  const { name, before, after } = change;
  const added = addedReleases(before.data, after.data);
  const bySource = Map.groupBy(added, ({ source }) => source ?? `data/${name}.json`);
  const suspicions = findOtherBytes(change);

  for (const [source, releases] of bySource) {
    suspicions.push(...suspicionsOf(additionOf(change, source, releases)));
  }

  return suspicions;
}

function additionOf(
  { before, day, freshness, incomplete, earlier, acceptedOn }: ComponentChange,
  source: string,
  added: readonly RecordedRelease[],
): Addition {
  const was = freshness.before.sources[source];
  const now = freshness.after.sources[source];
  const { releases } = before.data;
  const isListing = releases.some((entry) => listingSources(entry).includes(source));
  const answeredOn = was?.answeredOn ?? (isListing ? addDays(day, -1) : undefined);
  const isSame =
    was?.definition === undefined || was.definition === (now?.definition ?? was.definition);
  const whole = earlier.find(({ kind }) => kind === 'component');

  return {
    source,
    added,
    before: releases,
    day,
    answeredOn: isSame ? answeredOn : undefined,
    isWhole: !incomplete.has(source),
    acceptedOn,
    waiting: new Set(whole?.versions),
  };
}

/**
 * At most one suspicion of each kind, and one for each version: a person decides once, not for each of a thousand versions.
 */
function suspicionsOf(addition: Addition): Suspicion[] {
  const flood = findFlood(addition);
  const many = flood.length > 0 ? flood : findRestored(addition);
  const waiting = new Set(many.flatMap(({ versions }) => versions));
  const added = addition.added.filter(({ version }) => !waiting.has(version));
  const rest = { ...addition, added };

  return [...many, ...together(findOutlyingVersions(rest))];
}

function together(suspicions: readonly Suspicion[]): Suspicion[] {
  const [first, ...others] = suspicions;
  if (!first) {
    return [];
  }

  const more = others.length > 0 ? `; so ${counted(others.length, 'more version')}` : '';

  return [
    {
      ...first,
      versions: suspicions.flatMap(({ versions }) => versions),
      reason: `${first.reason}${more}`,
      items: suspicions.flatMap(({ items }) => items),
    },
  ];
}

function findOutlyingVersions(addition: Addition): Suspicion[] {
  const { source: cause, added, before, day, answeredOn, acceptedOn } = addition;
  const firstDay = firstSeenIn(before);
  const reasons = new Map<string, string>();

  for (const { days, least } of suspicionMeasures.outlier) {
    const limit = latestDay(addDays(day, -days), firstDay, acceptedOn);
    const earlier = before.filter(({ firstSeen }) => firstSeen === undefined || firstSeen <= limit);
    const options = { day, isFirst: answeredOn === undefined, minMeasure: least };

    for (const { version, why } of findOutliers(versionsIn(added), versionsIn(earlier), options)) {
      if (!reasons.has(version.text)) {
        reasons.set(version.text, why);
      }
    }
  }

  return Array.from(reasons, ([version, why]) => {
    const reason = `${version}: ${why}`;
    return { kind: 'outlier', cause, versions: [version], reason, items: [`new ${version}`] };
  });
}

function findFlood(addition: Addition): Suspicion[] {
  const { source: cause, added, before, day, answeredOn, acceptedOn } = addition;
  const { days, most } = suspicionMeasures.flood;
  const ofSource = before.filter((entry) => listingSources(entry).includes(cause));
  const from = latestDay(addDays(day, -days), firstSeenIn(ofSource), acceptedOn);
  const recent = ofSource.filter(({ firstSeen = '' }) => firstSeen > from);
  const count = added.length + recent.length;
  if (answeredOn === undefined || added.length === 0 || count <= most) {
    return [];
  }

  const versions = added.map(({ version }) => version);
  const reason = `${counted(count, 'new version')} within ${days} days (${listed(versions, 5)})`;

  return [{ kind: 'flood', cause, versions, reason, items: newItems(versions) }];
}

function firstSeenIn(releases: readonly RecordedRelease[]): Day {
  let first: Day | undefined;

  for (const { firstSeen } of releases) {
    if (firstSeen !== undefined && (first === undefined || firstSeen < first)) {
      first = firstSeen;
    }
  }

  return first ?? '';
}

function newItems(versions: readonly string[]): string[] {
  return versions.map((version) => `new ${version}`);
}

/** Restored or reverted data lacks versions that the source has listed before. */
function findRestored(addition: Addition): Suspicion[] {
  const { source: cause, added, answeredOn, isWhole, waiting } = addition;
  const unseen = added.filter(({ version }) => !waiting.has(version));
  const versions = lateVersions(unseen, answeredOn);
  const { most } = suspicionMeasures.restored;
  if (versions.length <= (isWhole ? most : 0)) {
    return [];
  }

  const reason = `${counted(versions.length, 'version')} that the data lacks, with days long before the last answer (${listed(versions, 5)}). Was data/ restored?`;

  return [{ kind: 'restored', cause, versions, reason, items: newItems(versions) }];
}

/** New versions with a stated day long before the last answer, which did not list them. */
export function lateVersions(
  added: readonly Pick<RecordedRelease, 'version' | 'releaseTimestamp' | 'timestampKind'>[],
  answeredOn: Day | undefined,
): string[] {
  if (answeredOn === undefined) {
    return [];
  }

  const limit = addDays(answeredOn, -suspicionMeasures.restored.days);

  const late = added.filter(({ releaseTimestamp, timestampKind }) => {
    const isStated = releaseTimestamp !== undefined && timestampKind !== 'observed';
    return isStated && dayOf(releaseTimestamp) < limit;
  });

  return late.map(({ version }) => version);
}

/** A few releases with other bytes: a rebuilt tag must not stop a component. */
function findOtherBytes({ name, before, after, day }: ComponentChange): Suspicion[] {
  const { releases } = before.data;
  const digests = changedDigests(before.data, after.data, day);
  const present = digests.filter((digest) => digest.digest !== undefined);
  const suspicions: Suspicion[] = [];

  for (const [version, changed] of Map.groupBy(present, (digest) => digest.version)) {
    const { source } = releases.find((release) => release.version === version)!;
    const [first, ...others] = changed;
    const more = others.length > 0 ? ` and ${counted(others.length, 'more artifact')}` : '';
    const words =
      first!.recorded === undefined
        ? `has bytes that were added after more than ${settledAfterDays} days: ${first!.artifact} is`
        : `was republished with other bytes: ${first!.artifact} was ${first!.recorded} and is`;

    suspicions.push({
      kind: 'bytes',
      cause: source ?? `data/${name}.json`,
      versions: [version],
      reason: `${version} ${words} ${first!.digest}${more}`,
      items: changed.map((digest) => `${version} ${digest.artifact} ${digest.digest}`),
    });
  }

  const withDigests = releases.filter((release) => release.digests !== undefined);

  return isShare(suspicions.length, withDigests.length) ? [] : suspicions;
}

/** Oldest first. */
export function versionsIn(recorded: readonly RecordedRelease[]): Version[] {
  return recorded
    .map((entry) => parseVersion(entry.version))
    .filter((value) => value !== undefined)
    .sort(compareVersions);
}
