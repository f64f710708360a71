import { isPrereleaseForm } from '../prerelease.ts';
import { compareVersions, parseVersion } from '../version.ts';

/** The name of the greatest version among those listed, a prerelease only where nothing else is; undefined where none is a version. */
export function newestOf(names: readonly string[]): string | undefined {
  const versions = names.flatMap((name) => {
    const version = parseVersion(name);
    return version ? [{ name, version, isStable: !isPrereleaseForm(name) }] : [];
  });
  versions.sort((a, b) => Number(a.isStable) - Number(b.isStable) || compareVersions(a.version, b.version));
  return versions.at(-1)?.name;
}
