import type { UpgradeStop } from '../schemas/definition/about-component.ts';
import type { Day } from './dates.ts';
import { isWithdrawnOn, type ReleaseFacts } from './states.ts';
import { compareToBound, isInLine } from './version-range.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

type ListedRelease = Pick<ReleaseFacts, 'version' | 'isPrerelease' | 'withdrawnSince'>;

/** A stop of a definition, and the release that it means. */
export interface ResolvedStop<Release> {
  readonly at: Version;
  readonly reason?: string | undefined;
  readonly url?: string | undefined;
  readonly release: Release;
  readonly version: Version;
}

/** The parts of a component that decide its stops on a day. */
interface StopFacts<Release> {
  readonly upgradeStops?: readonly UpgradeStop[] | undefined;
  /** Oldest first. */
  readonly releases: readonly Release[];
  readonly day: Day;
}

/** The stops by their releases, the lowest first. A stop without a release is left out. */
export function resolveStops<Release extends ListedRelease>({
  upgradeStops: stops = [],
  releases,
  day,
}: StopFacts<Release>): ResolvedStop<Release>[] {
  // Most components have no stops, and to parse 100,000 versions takes 0.1 s.
  if (stops.length === 0) {
    return [];
  }

  // A deprecated release may be a stop, but none that is withdrawn. An index lists only versions that can be read.
  const candidates = releases
    .filter((release) => !release.isPrerelease && !isWithdrawnOn(release, day))
    .map((release) => ({ release, version: parseVersion(release.version)! }));
  const resolved: ResolvedStop<Release>[] = [];
  for (const stop of stops) {
    const { at: text, ...details } = typeof stop === 'string' ? { at: stop } : stop;
    // The schema has parsed it.
    const at = parseVersion(text)!;
    // The greatest of the line of the stop, no lower than the stop.
    const greatest = candidates.findLast(
      ({ version }) => isInLine(version, at.groups.slice(0, 2)) && compareToBound(version, at) >= 0,
    );
    if (greatest) {
      resolved.push({ ...details, at, ...greatest });
    }
  }
  // Not by `at`: the release of 17.3 is below that of 17, the greatest of all lines of 17.
  return resolved.sort((a, b) => compareVersions(a.version, b.version));
}

/** The stop to go to first on the way up from a version to a goal; undefined if none is between. */
export function findNextStop<Release>(
  stops: readonly ResolvedStop<Release>[],
  from: Version,
  goal: { readonly version: string },
): ResolvedStop<Release> | undefined {
  const to = parseVersion(goal.version)!;
  return stops.find(
    ({ at, version }) => compareToBound(from, at) < 0 && compareToBound(version, to) < 0,
  );
}
