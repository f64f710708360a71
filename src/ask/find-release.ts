import { compareVersions, parseVersion } from '../core/version.ts';

/** The release of a version: spelt like this, else one of equal rank, such as `2025.1` for `v2025.01`. */
export function findRelease<Release extends { readonly version: string }>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const parsed = parseVersion(text);
  const isSame = ({ version }: Release) => compareVersions(parseVersion(version)!, parsed!) === 0;
  return releases.find(({ version }) => version === text) ?? (parsed && releases.find(isSame));
}
