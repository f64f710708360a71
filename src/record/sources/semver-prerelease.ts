import semver from 'semver';
import { isPrereleaseForm, isReleaseForm } from '../../core/prerelease.ts';

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
