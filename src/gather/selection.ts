import type { Source } from '../model/source-schema.ts';
import { allowedVersions } from '../policy/admission.ts';
import { isPrereleaseForm } from '../prerelease.ts';
import { parseVersion, rankKey } from '../version.ts';

/** What a source has listed, and which of these versions the definition takes. */
export interface Selection {
  /** Ranks of all versions listed. */
  readonly listed: Set<string>;
  offer(listed: string, isPrerelease?: boolean): string | undefined;
}

/**
 * `extractVersion` and `allowedVersions` mean what they mean in Renovate (docs/usage/configuration-options.md): a name that
 * `extractVersion` does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  source: Source,
  takePrereleases: boolean,
  refuse: (message: string) => void,
): Selection {
  const extract = source.extractVersion === undefined ? undefined : new RegExp(source.extractVersion);
  const isAllowed = allowedVersions(source.allowedVersions);
  const listed = new Set<string>();
  return {
    listed,
    offer(text, isPrerelease) {
      const name = extract ? extract.exec(text)?.groups?.['version'] : text;
      if (name === undefined || name === '') return undefined;
      const version = parseVersion(name);
      if (version) listed.add(rankKey(version));
      if (!isAllowed(name)) return undefined;
      if (!version) {
        refuse(`${JSON.stringify(name)} has no place in the version order. Left out.`);
        return undefined;
      }
      if (!takePrereleases && (isPrerelease ?? isPrereleaseForm(name))) return undefined;
      return name;
    },
  };
}
