/** The releases of `search.json` in short: without what is usual, what a line says, and what a place says. */
import { isDeepStrictEqual } from 'node:util';
import { pick } from './objects.ts';
import { searchedReleaseKeys, type ShortRelease, type ShownRelease } from './schema/search.ts';
import { createImply, type WithReleases } from './short-releases.ts';

export function shortenReleases(component: WithReleases<ShownRelease>): ShortRelease[] {
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

/** Looks only into lists and objects: a large index has two million values. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && isDeepStrictEqual(a, b));
}
