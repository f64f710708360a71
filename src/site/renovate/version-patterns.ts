/** Expressions for versions in lower case, without `v`. */
import { escapePattern } from '../../core/text.ts';

/** Also versions that are not listed: `2025.1.9` is of the line 2025.1. */
export function matchLines(lines: readonly string[]): string {
  return `${matchVersions(lines)}(?:\\D.*)?`;
}

/** Those that differ only after their last dot are together, which is shorter. */
export function matchVersions(versions: readonly string[]): string {
  const names = versions.map((version) => removePrefix(version).toLowerCase());
  const groups = Map.groupBy(names, (name) => name.slice(0, name.lastIndexOf('.') + 1));
  const patterns = Array.from(groups, ([start, group]) => {
    const ends = group.map((name) => escapePattern(name.slice(start.length)));
    return `${escapePattern(start)}(?:${ends.join('|')})`;
  });
  return `(?:${patterns.join('|')})`;
}

export function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}
