import { compareVersions, parseVersion } from '../core/version.ts';
import { isPrereleaseForm } from '../core/prerelease.ts';
import type { DetailsOn } from './details-on.ts';

/**
 * The versions that Renovate proposes in place of one, with the preset and nothing else: the newest of the same major, and the newest
 * of all. Above the latest version, only prereleases of the same version are left.
 */
export function renovateProposals({ releases, latest }: DetailsOn, version: string): string[] {
  const own = parseVersion(version);
  if (!own || !latest) return [];
  const variant = variantOf(version);
  // Where a suffix counts (`+k3s1`), a later one is another version.
  const isFollowed = variant !== undefined && !/\d/.test(variantOf(latest.version) ?? '');
  const isAhead = compareVersions(own, parseVersion(latest.version)!) > 0;
  const candidates = releases.flatMap((release) => {
    const parsed = parseVersion(release.version);
    if (!parsed || release.isDeprecated || compareVersions(parsed, own) <= 0) return [];
    if (isFollowed && variantOf(release.version) !== variant) return [];
    const isOfSame = [0, 1, 2].every((place) => (parsed.groups[place] ?? 0) === (own.groups[place] ?? 0));
    return release.isPrerelease && !(isAhead && isOfSame) ? [] : [parsed];
  });
  const [major] = own.groups;
  const found = [
    candidates.findLast(({ groups }) => groups[0] === major),
    candidates.findLast(({ groups }) => groups[0] !== major),
  ];
  // A `v` before the version in use stays as it is, unless the versions of the index have one.
  const prefix = /^v/i.test(latest.version) ? undefined : /^v?/i.exec(version)![0];
  return found.flatMap((each) =>
    each === undefined ? [] : prefix === undefined ? each.text : prefix + each.text.replace(/^v/i, ''),
  );
}

/** The suffix of a version that names its platform: `-alpine`. */
function variantOf(version: string): string | undefined {
  return isPrereleaseForm(version) ? undefined : /^v?\d[\d.]*([-+.][a-z]{2}.*)$/i.exec(version)?.[1];
}
