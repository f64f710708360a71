/** The releases of `search.json` in short: without what is usual, what a line says, and what a place says. */
import { isDeepStrictEqual } from 'node:util';
import { pick } from './objects.ts';
import { searchedReleaseKeys, type SearchedRelease, type ShortRelease } from './schema/search.ts';
import { createImply, type WithReleases } from './short-releases.ts';

export function shortenReleases(component: WithReleases<SearchedRelease>): ShortRelease[] {
  const imply = createImply(component);
  return component.releases.map((release) => {
    const implied = imply(release);
    const keys = searchedReleaseKeys.filter((key) => !isEqual(release[key], implied[key]));
    const without = keys.filter((key) => release[key] === undefined);
    return {
      ...pick(release, ['version', 'line']),
      ...pick(release, keys),
      releaseTimestamp: release.releaseTimestamp?.replace('T00:00:00Z', ''),
      without: without.length > 0 ? without : undefined,
    };
  });
}

/** A large index has two million values: most are texts or absent, and most lists are empty. */
function isEqual(a: unknown, b: unknown): boolean {
  const areEmpty = Array.isArray(a) && Array.isArray(b) && a.length === 0 && b.length === 0;
  return a === b || areEmpty || (typeof a === 'object' && isDeepStrictEqual(a, b));
}
