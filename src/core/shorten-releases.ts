/** The releases of `search.json` in short: without what is usual, what a line says, and what a place says. */
import { searchedReleaseKeys, type ShortRelease, type ShownRelease } from './schema/search.ts';
import { createImply, type Short } from './short-releases.ts';

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

  const areLists = Array.isArray(a) && Array.isArray(b) && a.length === b.length;
  return (
    (areLists && a.every((each, index) => each === b[index])) ||
    JSON.stringify(a) === JSON.stringify(b)
  );
}
