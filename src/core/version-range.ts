import semver from 'semver';

/** A range of versions, as semver reads it. */
export interface VersionRange {
  includes(version: string): boolean;
}

/**
 * Read strictly, as Renovate does; undefined for what is no range. Read loosely, a part with a typo is dropped, and
 * `>=1.0.0 <2.O.0` holds for every version from 1.0.0 on. A version is coerced first: `2025.3` counts as 2025.3.0.
 */
export function parseVersionRange(text: string): VersionRange | undefined {
  if (semver.validRange(text) === null) return undefined;
  const range = new semver.Range(text);
  return {
    includes(version) {
      const coerced = semver.coerce(version, { loose: true });
      return coerced !== null && range.test(coerced);
    },
  };
}
