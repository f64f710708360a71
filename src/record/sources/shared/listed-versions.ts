import parse from 'semver/functions/parse.js';
import { isPrereleaseForm, isReleaseForm, sortVersions } from '../../../core/model/version.ts';

/** The names that are versions, the greatest first; equal ones in the order of the list. */
export function sortGreatestFirst(names: readonly string[]): string[] {
  const sorted = sortVersions(names.toReversed().map((version) => ({ version })));
  return sorted.reverse().map(({ text }) => text);
}

/** The latest version, else the greatest prerelease; undefined if no name is a version. */
export function findLatestVersion(names: readonly unknown[]): string | undefined {
  const versions = sortGreatestFirst(names.filter((name) => typeof name === 'string'));
  return versions.find((name) => !isPrereleaseForm(name)) ?? versions[0];
}

/**
 * Whether SemVer calls a version a prerelease: every one with a hyphen (section 9). Undefined if the form of the version already
 * shows it, if the suffix names the target of the release, and for a text that is not SemVer.
 */
export function readSemverPrerelease(version: string): boolean | undefined {
  const parsed = parse(version);
  if (!parsed || isReleaseForm(version)) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease;
}
