import { isPrereleaseForm } from '../../core/prerelease.ts';
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
