import type { Version } from '../../core/version.ts';
import type { StatedRelease } from './stated-release.ts';

/**
 * Some names move by nature: `1.25` names what `1.25.4` names until there is a `1.25.5`. Their digests are no facts of a release,
 * so they are left out, and nobody is told that such a one was republished.
 */
export function withoutFloating(releases: readonly StatedRelease[]): StatedRelease[] {
  const byDigest = Map.groupBy(
    releases.flatMap((release) =>
      Object.values(release.digests ?? {}).map((digest) => ({ release, digest })),
    ),
    ({ digest }) => digest,
  );
  const floating = new Set<StatedRelease>();
  for (const of of byDigest.values()) {
    if (of.length < 2) continue;
    for (const { release } of of) {
      if (of.some(({ release: other }) => isBegunBy(other.version, release.version))) floating.add(release);
    }
  }
  return releases.map((release) => {
    if (!floating.has(release)) return release;
    const { digests: _, ...rest } = release;
    return rest;
  });
}

/** Whether a version has the groups of another and more after them. */
function isBegunBy({ groups, suffix }: Version, beginning: Version): boolean {
  return (
    groups.length > beginning.groups.length &&
    suffix === beginning.suffix &&
    beginning.groups.every((group, index) => group === groups[index])
  );
}
