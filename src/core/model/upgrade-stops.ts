import type { UpgradeStop } from '../schemas/definition/about-component.ts';
import type { ReleaseFacts, ReleaseOn } from './states.ts';
import { compareToBound, isInLine } from './version-range.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** A listed release on a day. */
type ListedRelease = Pick<ReleaseOn<ReleaseFacts>, 'version' | 'isPrerelease' | 'state'>;

/** A stop of a definition, and the release that it means. */
export interface ResolvedStop<Release> {
  readonly at: Version;
  readonly reason?: string | undefined;
  readonly url?: string | undefined;
  readonly release: Release;
  readonly version: Version;
}

/** The stops by their releases, the lowest first. A stop without a release is left out. */
export function resolveStops<Release extends ListedRelease>(
  stops: readonly UpgradeStop[] = [],
  releases: readonly Release[],
): ResolvedStop<Release>[] {
  // Most components have no stops, and to parse 100,000 versions takes 0.1 s.
  const candidates = stops.length === 0 ? [] : listCandidates(releases);
  const resolved: ResolvedStop<Release>[] = [];
  for (const stop of stops) {
    const { at: text, ...details } = typeof stop === 'string' ? { at: stop } : stop;
    const at = parseVersion(text);
    // The greatest of the line of the stop, no lower than the stop.
    const greatest =
      at &&
      candidates.findLast(
        ({ version }) =>
          isInLine(version, at.groups.slice(0, 2)) && compareToBound(version, at) >= 0,
      );
    if (greatest) {
      resolved.push({ ...details, at, ...greatest });
    }
  }
  // Not by `at`: the release of 17.3 is below that of 17, the greatest of all lines of 17.
  return resolved.sort((a, b) => compareVersions(a.version, b.version));
}

type Candidate<Release> = Pick<ResolvedStop<Release>, 'release' | 'version'>;

/** The stable releases that a stop may mean: also deprecated ones, but none that is withdrawn. */
function listCandidates<Release extends ListedRelease>(
  releases: readonly Release[],
): Candidate<Release>[] {
  const candidates: Candidate<Release>[] = [];
  for (const release of releases) {
    const version = parseVersion(release.version);
    if (version && !release.isPrerelease && release.state !== 'withdrawn') {
      candidates.push({ release, version });
    }
  }
  return candidates;
}

/** The stop to go to first on the way up from a version to a goal; undefined if none is between. */
export function findNextStop<Release extends ListedRelease>(
  stops: readonly ResolvedStop<Release>[],
  from: Version,
  goal: Release,
): ResolvedStop<Release> | undefined {
  const to = parseVersion(goal.version);
  return (
    to &&
    stops.find(({ at, version }) => compareToBound(from, at) < 0 && compareToBound(version, to) < 0)
  );
}
