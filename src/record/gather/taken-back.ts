import { isPrereleaseForm } from '../../core/prerelease.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import { deprecatedSince } from '../../decide/releases.ts';
import type { Comparison } from './comparison.ts';
import { versionsIn } from './recorded-release.ts';
import { findOutliers, type Outlier } from './version-outliers.ts';

/** An upstream that lies slowly satisfies a rule that knows only its last answer. */
export const monthDays = 30;
/** Only one greatest version may be taken back in so many days. */
export const takenBackDays = 14;

export function outliersOf({ releases, byRank, settled, isRecent, hasAnswered, day }: Comparison): Outlier[] {
  const added = releases.map(({ version }) => version).filter((version) => !byRank.has(rankKey(version)));
  const known = versionsIn(settled.filter(({ firstSeen }) => !isRecent(firstSeen, monthDays)));
  return findOutliers(added, known, { day, isFirst: !hasAnswered });
}

interface TakenBack {
  versions: Version[];
  /** Whether this answer takes them back only by deprecating them. */
  isByDeprecation: boolean;
}

/**
 * The stable versions of the last days that are greater than all that stays in use: for them, the latest version gives way.
 * Empty where this answer takes back none of them.
 */
export function takenBack(answer: Comparison): TakenBack {
  const { own, releases, listed: ranks, onlyAdds, byRank, isRecent } = answer;
  const outliers = new Set(outliersOf(answer).map(({ version }) => version));
  const stated = new Map(releases.map((release) => [rankKey(release.version), release]));
  const staying = releases
    .filter(({ version }) => !byRank.has(rankKey(version)) && !outliers.has(version))
    .filter((release) => release.deprecated === undefined && release.isPrerelease !== true)
    .map(({ version }) => version);
  const gone: { version: Version; how: 'earlier' | 'deprecated' | 'gone' }[] = [];
  for (const entry of own) {
    const version = parseVersion(entry.version);
    if (!version || isPrerelease(entry)) continue;
    const { withdrawnSince, deprecated } = entry;
    const isListed = onlyAdds || ranks.has(rankKey(version));
    const release = stated.get(rankKey(version));
    if (deprecated !== undefined || (withdrawnSince !== undefined && !isListed)) {
      const days = [withdrawnSince, deprecated === undefined ? undefined : deprecatedSince(entry)];
      if (days.every((on) => on === undefined || isRecent(on, takenBackDays)))
        gone.push({ version, how: 'earlier' });
    } else if (!isListed || release?.isPrerelease === true) gone.push({ version, how: 'gone' });
    else if (release?.deprecated !== undefined) gone.push({ version, how: 'deprecated' });
    else staying.push(version);
  }
  const greatest = staying
    .filter(({ text }) => !isPrereleaseForm(text))
    .sort(compareVersions)
    .at(-1);
  const above = gone.filter(({ version }) => !greatest || compareVersions(version, greatest) > 0);
  const isNews = above.some(({ how }) => how !== 'earlier');
  return {
    versions: isNews ? above.map(({ version }) => version).sort(compareVersions) : [],
    isByDeprecation: above.every(({ how }) => how !== 'gone'),
  };
}

function isPrerelease({ version, isPrerelease = isPrereleaseForm(version) }: RecordedRelease): boolean {
  return isPrerelease;
}
