import { cutDay, parseTimestamp, type Day, type Timestamp } from '../../core/model/dates.ts';
import { defined } from '../../core/model/objects.ts';
import { compareVersions, parseVersion, type Version } from '../../core/model/version.ts';
import { HttpsUrl } from '../../core/schemas/definition/links.ts';
import type { Report } from '../../core/schemas/finding.ts';
import { quote, toLine } from '../../core/text/foreign-text.ts';
import type { StatedRelease } from '../sources/datasource.ts';
import { plausibleDigests } from './stated-digests.ts';

const earliestPlausibleDay: Day = '2000-01-01';
const maxReasonLength = 500;

/**
 * The releases of a source, oldest first, one per rank. Reports everything that it rejects: days in the future or before 2000, and
 * links other than `https:`, because Renovate drops a component for one bad field, and a browser would follow `javascript:`.
 */
export function stateReleases(
  releases: readonly StatedRelease[],
  day: Day,
  report: Report,
): StatedRelease[] {
  const readable: { release: StatedRelease; version: Version }[] = [];

  for (const release of releases) {
    const version = parseVersion(release.version);
    if (!version) {
      report(
        `${quote(release.version)} has no place in the version order. Left out.`,
        'no version',
      );
    } else {
      readable.push({ release: withoutImplausible(release, day, report), version });
    }
  }

  readable.sort((a, b) => compareVersions(a.version, b.version));

  return readable
    .map(({ release, version }, index) => {
      const previous = readable[index - 1]?.version;
      if (!previous || compareVersions(previous, version) !== 0) {
        return release;
      }

      if (previous.text !== version.text) {
        report(
          `${quote(version.text)} and ${quote(previous.text)} are one version in two spellings. Kept the first listed.`,
          'two spellings',
        );
      }

      return undefined;
    })
    .filter((value) => value !== undefined);
}

function withoutImplausible(release: StatedRelease, day: Day, report: Report): StatedRelease {
  const { deprecated } = release;
  return defined({
    ...release,
    releaseTimestamp: plausibleTimestamp(release, day, report),
    changelogUrl: plausibleLink(release, report),
    deprecated:
      deprecated === undefined
        ? deprecated
        : toLine(deprecated, maxReasonLength) || 'no reason given',
    digests: plausibleDigests(release, report),
  });
}

function plausibleTimestamp(
  { version, releaseTimestamp }: StatedRelease,
  day: Day,
  report: Report,
): Timestamp | undefined {
  if (releaseTimestamp === undefined) {
    return undefined;
  }

  const parsed = parseTimestamp(releaseTimestamp);
  const expected = 'expected a date between 2000-01-01 and today';

  if (parsed === undefined) {
    report(`${quote(version)}: ${expected}; got ${quote(releaseTimestamp)}. Rejected.`, 'no date');
  } else if (cutDay(parsed) > day) {
    report(
      `${quote(version)}: ${expected}; got ${parsed}, which is in the future. Rejected.`,
      'in the future',
    );
  } else if (cutDay(parsed) < earliestPlausibleDay) {
    report(`${quote(version)}: ${expected}; got ${parsed}. Rejected.`, 'too early');
  } else {
    return parsed;
  }

  return undefined;
}

function plausibleLink(
  { version, changelogUrl }: StatedRelease,
  report: Report,
): string | undefined {
  if (changelogUrl === undefined || changelogUrl === '') {
    return undefined;
  }
  if (HttpsUrl.safeParse(changelogUrl).success) {
    return changelogUrl;
  }

  report(
    `${quote(version)}: changelog link: expected an https: address; got ${quote(changelogUrl)}. Left out.`,
    'changelog link',
  );

  return undefined;
}
