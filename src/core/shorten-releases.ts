/** The releases of `search.json` in short: without what is usual, what a line says, and what a place says. */
import { pick } from './objects.ts';
import { createImply, type Short, type ShortRelease, type ShownRelease } from './short-releases.ts';

const verdictKeys = ['state', 'isSupported', 'moveTo', 'moveBy'] as const;
/** What `search.json` has of a line and of a release: what the fields of queries read. */
export const searchedLineKeys = [
  'line',
  ...verdictKeys,
  'isLts',
  'ltsFrom',
  'isInferred',
  'phase',
  'supportedUntil',
  'supportedUntilAtMost',
  'latest',
  'reason',
] as const;
export const searchedReleaseKeys = [
  'version',
  'line',
  ...verdictKeys,
  'releaseTimestamp',
  'timestampKind',
  'firstSeen',
  'availableAt',
  'isPrerelease',
  'isDeprecated',
  'deprecatedSince',
  'advisories',
  'severity',
  'exploitedSince',
  'reasons',
  'fixes',
] as const;
export const searchedKeys = [
  'title',
  'packages',
  'latest',
  'sourceRepository',
  'watchesAdvisories',
] as const;

export function shortenReleases(component: Short<ShownRelease>): ShortRelease[] {
  const imply = createImply(component);
  return component.releases.map((release) => {
    const implied = imply(release);
    const short: Record<string, unknown> = {};
    const without: string[] = [];
    for (const key of searchedReleaseKeys) {
      const value = release[key];
      if (!isEqual(value, implied[key])) {
        short[key] = value;
        if (value === undefined) {
          without.push(key);
        }
      }
    }
    if (release.releaseTimestamp?.endsWith('T00:00:00Z')) {
      short['releaseTimestamp'] = release.releaseTimestamp.slice(0, 10);
    }
    if (without.length > 0) {
      short['without'] = without;
    }
    return short as ShortRelease;
  });
}

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object') {
    return a === b;
  }

  const areEmpty = Array.isArray(a) && Array.isArray(b) && a.length + b.length === 0;
  return areEmpty || JSON.stringify(a) === JSON.stringify(b);
}
