import parse from 'semver/functions/parse.js';
import { isPrereleaseForm, isReleaseForm, sortVersions } from '../../../core/model/version.ts';

/** The names that are versions, the greatest first; equal ones in the order of the list. */
export function sortNewestFirst(names: readonly string[]): string[] {
  const sorted = sortVersions(names.toReversed().map((version) => ({ version })));
  return sorted.reverse().map(({ text }) => text);
}

/** The greatest stable version, else the greatest prerelease; undefined if no name is a version. */
export function findNewest(names: readonly unknown[]): string | undefined {
  const versions = sortNewestFirst(names.filter((name) => typeof name === 'string'));
  return versions.find((name) => !isPrereleaseForm(name)) ?? versions[0];
}

/**
 * In ecosystems with SemVer, every version with a hyphen is a prerelease (section 9). Undefined if the version's form tells the
 * same, or if its suffix names the target of the release.
 */
export function findPrereleaseBySemver(version: string): boolean | undefined {
  const parsed = parse(version);
  if (!parsed || isReleaseForm(version)) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease;
}
