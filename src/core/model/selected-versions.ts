import type { SelectedVersions } from '../schemas/scalars.ts';
import { isInRange, parseVersionRange } from './version-range.ts';
import { parseVersion, rankKey } from './version.ts';

/** Returns a test whether a version is selected; exact versions match in every spelling. */
export function createVersionTest(versions: SelectedVersions): (version: string) => boolean {
  if (typeof versions !== 'string') {
    const keys = new Set(versions.map(findVersionKey));
    return (version) => keys.has(findVersionKey(version));
  }

  // The schema accepts only ranges that parse.
  const range = parseVersionRange(versions)!;
  return (version) => {
    const parsed = parseVersion(version);
    return parsed !== undefined && isInRange(range, parsed);
  };
}

/** Equal for all spellings of a version. */
function findVersionKey(text: string): string {
  const version = parseVersion(text);
  return version ? rankKey(version) : text;
}
