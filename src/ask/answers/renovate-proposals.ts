import { compareVersions, parseVersion } from '../../core/model/version.ts';
import { isPrereleaseForm } from '../../core/model/prerelease.ts';
import type { DetailsOn } from './details-on.ts';

/** The settings of a repository that decide about proposals. */
interface Choice {
  /** Whether the newest of the same major and the newest of another are proposals of their own. */
  readonly separatesMajors: boolean;
  readonly ignoresDeprecated: boolean;
  isAllowed(version: string): boolean;
}

/**
 * The updates that Renovate proposes for a version with the preset: the newest of the same major, and the newest of another
 * major. For a version above the latest, it proposes only prereleases of the same version.
 */
export function renovateProposals(
  { releases, latest }: DetailsOn,
  version: string,
  { separatesMajors, ignoresDeprecated, isAllowed }: Choice,
): string[] {
  const current = parseVersion(version);
  const newest = latest && parseVersion(latest.version);
  if (!current || !newest) {
    return [];
  }

  const variant = variantOf(version);

  // A suffix with a number (`+k3s1`) is a part of the version, not a platform.
  const isFollowed = variant !== undefined && !/\d/.test(variantOf(newest.text) ?? '');
  const isAhead = compareVersions(current, newest) > 0;

  const candidates = releases
    .map((release) => {
      const parsed = parseVersion(release.version);
      const isLeftOut = release.isDeprecated && ignoresDeprecated;
      if (
        !parsed ||
        isLeftOut ||
        !isAllowed(parsed.text) ||
        compareVersions(parsed, current) <= 0
      ) {
        return undefined;
      }

      if (isFollowed && variantOf(release.version) !== variant) {
        return undefined;
      }

      const isOfSame = [0, 1, 2].every(
        (place) => (parsed.groups[place] ?? 0) === (current.groups[place] ?? 0),
      );

      return release.isPrerelease && !(isAhead && isOfSame) ? undefined : parsed;
    })
    .filter((value) => value !== undefined);

  const [major] = current.groups;

  const proposals = separatesMajors
    ? [
        candidates.findLast(({ groups }) => groups[0] === major),
        candidates.findLast(({ groups }) => groups[0] !== major),
      ]
    : [candidates.at(-1)];

  // Keeps the `v` of the version in use, unless the index has versions with `v`.
  const hasPrefix = /^v/i.test(newest.text);
  const prefix = /^v/i.test(version) ? version.charAt(0) : '';

  return proposals
    .filter((each) => each !== undefined)
    .map(({ text }) => (hasPrefix ? text : prefix + text.replace(/^v/i, '')));
}

/** The platform suffix of a version, such as `-alpine`. */
function variantOf(version: string): string | undefined {
  return isPrereleaseForm(version)
    ? undefined
    : /^v?\d[\d.]*([-+.][a-z]{2}.*)$/i.exec(version)?.[1];
}
