/** The releases of `search.json` in short: without what is usual, what a line says, and what a place says. */
import { isDeepStrictEqual } from 'node:util';
import { searchedReleaseKeys, type SearchedRelease, type ShortRelease } from './schema/search.ts';
import { createImplier, type WithReleases } from './short-releases.ts';

export function shortenReleases(component: WithReleases<SearchedRelease>): ShortRelease[] {
  const imply = createImplier(component);
  return component.releases.map((release) => {
    const implied = imply(release);
    const facts: Record<string, unknown> = {};
    const without: string[] = [];
    // A loop: a large index has two million values.
    for (const key of searchedReleaseKeys) {
      const value = release[key];
      if (isEqual(value, implied[key])) {
        continue;
      }
      if (value === undefined) {
        without.push(key);
      } else {
        facts[key] = value;
      }
    }
    return {
      // No line implies a version or a line.
      ...(facts as ShortRelease),
      releaseTimestamp: release.releaseTimestamp?.replace('T00:00:00Z', ''),
      without: without.length > 0 ? without : undefined,
    };
  });
}

/** Most values are texts or absent, and most lists are empty. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true;
  }

  const areEmpty = Array.isArray(a) && Array.isArray(b) && a.length === 0 && b.length === 0;
  return areEmpty || (typeof a === 'object' && isDeepStrictEqual(a, b));
}
