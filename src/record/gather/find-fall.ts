import type { Day } from '../../core/dates.ts';
import { isPrereleaseForm } from '../../core/prerelease.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { compareVersions, parseVersion, rankKey, type Version } from '../../core/version.ts';
import type { Comparison } from './comparison.ts';
import type { StatedRelease } from './stated-release.ts';

/** Within so many days, the latest version may fall by one release. */
export const fallDays = 14;

/** Versions above the latest one that an answer would leave, all of which were in use within the last days. */
export interface Fall {
  versions: Version[];
  /** Those that the answer deprecates, where holding them is enough. */
  deprecated?: Version[];
}

/**
 * Whether the latest version would fall by more than one release. Measured by what would be recorded after the answer, so
 * that a second run of the day finds the same.
 */
export function findFall(answer: Comparison): Fall | undefined {
  const { releases, byRank, own, day, isRecent } = answer;
  const stated = new Map(releases.map((release) => [rankKey(release.version), release]));
  const staying = releases.filter((release) => !byRank.has(rankKey(release.version)) && isStable(release));
  const left = staying.map(({ version }) => version);
  const out: { version: Version; isNew: boolean; isDeprecated: boolean }[] = [];
  for (const entry of new Set([...own, ...[...stated.keys()].flatMap((rank) => byRank.get(rank) ?? [])])) {
    const version = parseVersion(entry.version);
    if (!version) continue;
    // A registry that locks a package as unsafe means all of it, and nobody should wait.
    if (stated.get(rankKey(version))?.isQuarantined) continue;
    const causes = causesAfter(answer, entry, rankKey(version), stated);
    if (causes.length === 0) left.push(version);
    else if (causes.every(({ on }) => isRecent(on, fallDays))) {
      const isDeprecated = causes.every((cause) => cause.isDeprecation);
      out.push({ version, isNew: causes.some(({ on }) => on === day), isDeprecated });
    }
  }
  const greatest = left.sort(compareVersions).at(-1);
  const above = out.filter(({ version }) => !greatest || compareVersions(version, greatest) > 0);
  const news = above.filter(({ isNew }) => isNew);
  if (above.length < 2 || news.length === 0) return undefined;
  const versions = above.map(({ version }) => version).sort(compareVersions);
  if (!news.every(({ isDeprecated }) => isDeprecated)) return { versions };
  return { versions, deprecated: news.map(({ version }) => version) };
}

function isStable({ version, deprecated, isPrerelease = isPrereleaseForm(version.text) }: StatedRelease) {
  return deprecated === undefined && !isPrerelease;
}

/** Why a recorded release would be out of use after the answer, with the days, where they are known. */
function causesAfter(
  { listed, onlyAdds, statesDeprecation, unsteady, day }: Comparison,
  entry: RecordedRelease,
  rank: string,
  stated: ReadonlyMap<string, StatedRelease>,
): { on: Day | undefined; isDeprecation: boolean }[] {
  const {
    version,
    withdrawnSince,
    deprecated,
    isPrerelease: wasPrerelease = isPrereleaseForm(version),
  } = entry;
  const release = stated.get(rank);
  const isMissing = !listed.has(rank) && !(onlyAdds && withdrawnSince === undefined);
  const isDeprecated =
    release?.deprecated !== undefined || (deprecated !== undefined && !(release && statesDeprecation));
  const isPrerelease = release?.isPrerelease ?? wasPrerelease;
  const flaggedOn = wasPrerelease ? unsteady[`${version} isPrerelease`]?.on : day;
  const deprecatedOn = deprecated === undefined ? day : entry.deprecatedSince;
  return [
    ...(isMissing ? [{ on: withdrawnSince ?? day, isDeprecation: false }] : []),
    ...(isPrerelease ? [{ on: flaggedOn, isDeprecation: false }] : []),
    ...(isDeprecated ? [{ on: deprecatedOn, isDeprecation: true }] : []),
  ];
}
