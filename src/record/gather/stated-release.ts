import { dayOf, type Day, type Timestamp } from '../../core/dates.ts';
import type { ArtifactDigests } from '../../core/schemas/artifact-digests.ts';
import { HttpsUrl } from '../../core/schemas/links.ts';
import { defined, quote, toLine } from '../../core/text.ts';
import type { SourceRelease } from '../sources/source.ts';
import { parseTimestamp } from '../../core/timestamps.ts';
import { compareVersions, parseVersion, type Version } from '../../core/version.ts';
import { plausibleDigests, withinBounds } from './stated-digests.ts';

/** A release as a source states it, without what cannot be believed. */
export interface StatedRelease {
  version: Version;
  /** When upstream says it was published. */
  publishedAt?: Timestamp;
  changelogUrl?: string;
  deprecated?: string;
  /** Upstream's own word, where it has one. */
  isPrerelease?: boolean;
  digests?: ArtifactDigests;
}

const earliestPlausibleDay: Day = '2000-01-01';
const maxReasonLength = 500;

/**
 * The releases of a source that can be taken: oldest first, one of each rank, with a finding for everything refused.
 * Days in the future or before 2000 are not believed. Links other than `https:` are left out: Renovate drops a component
 * for one bad field, and a browser would follow a `javascript:` link.
 */
export function stateReleases(
  releases: readonly SourceRelease[],
  day: Day,
  refuse: (message: string) => void,
): StatedRelease[] {
  const stated: StatedRelease[] = [];
  for (const release of releases) {
    const version = parseVersion(release.version);
    if (!version) refuse(`${quote(release.version)} has no place in the version order. Left out.`);
    else stated.push(stateRelease(release, version, day, refuse));
  }
  stated.sort((a, b) => compareVersions(a.version, b.version));
  const distinct = stated.filter((release, index) => {
    const previous = stated[index - 1];
    if (!previous || compareVersions(previous.version, release.version) !== 0) return true;
    if (previous.version.text !== release.version.text) {
      refuse(
        `${quote(release.version.text)} and ${quote(previous.version.text)} are one version in two spellings. The first listed stays.`,
      );
    }
    return false;
  });
  return withinBounds(distinct, refuse);
}

function stateRelease(
  release: SourceRelease,
  version: Version,
  day: Day,
  refuse: (message: string) => void,
): StatedRelease {
  const publishedAt = plausibleTimestamp(release, day, refuse);
  const changelogUrl = plausibleLink(release, refuse);
  const { deprecated } = release;
  return defined({
    version,
    publishedAt,
    changelogUrl,
    deprecated:
      deprecated === undefined ? undefined : toLine(deprecated, maxReasonLength) || 'no reason given',
    isPrerelease: release.isPrerelease,
    digests: plausibleDigests(release, refuse),
  });
}

function plausibleTimestamp(
  { version, releaseTimestamp }: SourceRelease,
  day: Day,
  refuse: (message: string) => void,
): Timestamp | undefined {
  if (releaseTimestamp === undefined) return undefined;
  const parsed = parseTimestamp(releaseTimestamp);
  const expected = 'expected a date between 2000-01-01 and today';
  if (parsed === undefined) {
    refuse(`${quote(version)}: ${expected}; got ${quote(releaseTimestamp)}. Taken as not stated.`);
  } else if (dayOf(parsed) > day) {
    refuse(`${quote(version)}: ${expected}; got ${parsed}, which lies in the future. Taken as not stated.`);
  } else if (dayOf(parsed) < earliestPlausibleDay) {
    refuse(`${quote(version)}: ${expected}; got ${parsed}. Taken as not stated.`);
  } else return parsed;
  return undefined;
}

function plausibleLink(
  { version, changelogUrl }: SourceRelease,
  refuse: (message: string) => void,
): string | undefined {
  if (changelogUrl === undefined || changelogUrl === '') return undefined;
  if (HttpsUrl.safeParse(changelogUrl).success) return changelogUrl;
  refuse(
    `${quote(version)}: changelog link: expected an https: address; got ${quote(changelogUrl)}. Left out.`,
  );
  return undefined;
}
