import Range from 'semver/classes/range.js';
import coerce from 'semver/functions/coerce.js';

/**
 * A semver range, read strictly as Renovate does: a loose reading of `>=1.0.0 <2.O.0` would admit every version from 1.0.0 on.
 * Versions are coerced first: `2025.3` is read as 2025.3.0.
 */
export function parseAllowedRange(text: string): ((version: string) => boolean) | undefined {
  let range: Range;
  try {
    range = new Range(text);
  } catch {
    return undefined;
  }
  return (version) => {
    const coerced = coerce(version, { loose: true });
    return coerced !== null && range.test(coerced);
  };
}
