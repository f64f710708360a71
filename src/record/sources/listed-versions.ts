import semver from 'semver';
import { isPrereleaseForm, isReleaseForm } from '../../core/prerelease.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

/** Those of the names that are versions, the greatest first. */
export function greatestFirst(names: readonly string[]): string[] {
  return names
    .flatMap((name) => {
      const version = parseVersion(name);
      return version ? [{ name, version }] : [];
    })
    .sort((a, b) => compareVersions(b.version, a.version))
    .map(({ name }) => name);
}

/** The name of the greatest version among those listed, a prerelease only where nothing else is; undefined where none is a version. */
export function newestOf(names: readonly string[]): string | undefined {
  const versions = greatestFirst(names);
  return versions.find((name) => !isPrereleaseForm(name)) ?? versions[0];
}

/**
 * In an ecosystem that goes by SemVer, every version with a hyphen is a prerelease (section 9). Undefined where the form of
 * the version says the same, or names what the release is made for.
 */
export function prereleaseBySemver(version: string): boolean | undefined {
  const parsed = semver.parse(version);
  if (!parsed || isReleaseForm(version)) return undefined;
  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(version) ? undefined : isPrerelease;
}
