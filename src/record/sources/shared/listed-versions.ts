import parse from 'semver/functions/parse.js';
import {
  compareVersions,
  isPrereleaseForm,
  isReleaseForm,
  parseVersion,
} from '../../../core/model/version.ts';

/** The names that are versions, the greatest first. */
export function greatestFirst(names: readonly string[]): string[] {
  return names
    .map((name) => {
      const version = parseVersion(name);
      return version ? { name, version } : undefined;
    })
    .filter((value) => value !== undefined)
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ name }) => name);
}

/** The greatest stable version, else the greatest prerelease; undefined if no name is a version. */
export function findNewest(names: readonly string[]): string | undefined {
  const versions = greatestFirst(names);
  return versions.find((name) => !isPrereleaseForm(name)) ?? versions[0];
}

/**
 * In ecosystems with SemVer, every version with a hyphen is a prerelease (section 9). Undefined if the version's form tells the
 * same, or if its suffix names the target of the release.
 */
export function prereleaseBySemver(version: string): boolean | undefined {
  const parsed = parse(version);
  if (!parsed || isReleaseForm(version)) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease;
}
