/** Names of release lines by the groups of digits of versions. */
import { readVersion, type Version } from './version.ts';

/** `2025.3` for `2025.03.1`: the first digit groups, or fewer where a version has fewer. */
export function nameLine({ groups }: Version, count: number): string {
  return groups.slice(0, count).join('.');
}

/** Equal for all spellings of a line's name: `24.4` for `24.04`. */
export function keyLine(name: string): string {
  return readVersion(name).groups.join('.');
}
