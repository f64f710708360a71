/** Writes regular expressions that compare versions, for configurations of Renovate. They run in RE2, so they have no lookahead. */
import { readVersion } from '../../core/version.ts';

/** Writes a pattern for the versions that are not later than a line: for 17.3, all versions below 17.4. */
export function matchUpTo(line: string): string {
  const { groups } = readVersion(line);
  const last = BigInt(groups.at(-1)!) + 1n;
  return matchBelow([...groups.slice(0, -1), last].join('.'));
}

/**
 * Writes a pattern for all versions below a version, even for versions that the index does not list. The pattern for 17.3 has two parts:
 *
 * | part                                       | matches              |
 * | ------------------------------------------ | -------------------- |
 * | `0*(?:(?:\d|1[0-6])|17\.0*[0-2])(?:\D.*)?` | 9.1, 16.11.2, 17.2.8 |
 * | `0*17(?:\.?[^\d.].*)?`                     | 17, 17-alpine, 17.GA |
 */
export function matchBelow(version: string): string {
  const { lower, shorter } = listBelow(readVersion(version).groups);
  const behind = String.raw`(?:\D.*)?`;
  const ofShorter = shorter.map((name) => String.raw`${name}(?:\.?[^\d.].*)?`);
  return [`(?:${lower.join('|')})${behind}`, ...ofShorter].join('|');
}

/**
 * Lists patterns for the beginnings of lower versions. `lower`: a group is lower, so anything may follow. `shorter`: the version begins with
 * the same groups, but has fewer, so no further group may follow.
 */
function listBelow(groups: readonly string[]): { lower: string[]; shorter: string[] } {
  const lower: string[] = [];
  const shorter: string[] = [];
  let beginning = '0*';
  for (const [place, group] of groups.entries()) {
    if (group !== '0') {
      lower.push(beginning + writeLower(group));
    }
    // 18 is not below 18.0, because a missing group is 0.
    const isLower = groups.slice(place + 1).some((other) => other !== '0');
    if (isLower) {
      shorter.push(beginning + group);
    }
    beginning += String.raw`${group}\.0*`;
  }
  return { lower, shorter };
}

/** Writes a pattern for the numbers below a number: for 305, `(?:\d\d?|[0-2]\d\d|30[0-4])`. */
function writeLower(number: string): string {
  const digits = String.raw`\d`;
  const fewer = number.length > 1 ? [digits + `${digits}?`.repeat(number.length - 2)] : [];
  const parts = Array.from(number, (digit, place) => {
    const higher = digit === '1' ? '0' : `[0-${Number(digit) - 1}]`;
    const rest = digits.repeat(number.length - place - 1);
    return digit === '0' || (place === 0 && digit === '1' && number.length > 1)
      ? []
      : number.slice(0, place) + higher + rest;
  });
  const all = [...fewer, ...parts.flat()];
  return all.length === 1 ? all[0]! : `(?:${all.join('|')})`;
}
