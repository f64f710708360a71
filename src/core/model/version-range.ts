import { isPrereleaseSuffix } from './prerelease.ts';
import { compareVersions, parseVersion, type Version } from './version.ts';

/** `line`: all versions that begin with these digit groups. */
type Sign = '<' | '<=' | '>' | '>=' | '=' | 'line' | '*';

export interface Comparator {
  readonly sign: Sign;
  readonly bound: Version;
}

/** Alternatives; in each, all comparisons must hold. */
export type VersionRange = readonly (readonly Comparator[])[];

const holds: Readonly<Record<Sign, (version: Version, bound: Version) => boolean>> = {
  '<': (version, bound) => compareToBound(version, bound) < 0,
  '<=': (version, bound) => compareToBound(version, bound) <= 0,
  '>': (version, bound) => compareToBound(version, bound) > 0,
  '>=': (version, bound) => compareToBound(version, bound) >= 0,
  '=': (version, bound) => compareToBound(version, bound) === 0,
  line: ({ groups }, bound) => bound.groups.every((group, index) => group === (groups[index] ?? 0)),
  '*': () => true,
};

export const least: Version = { text: '0', groups: [0], suffix: '' };

/**
 * A range in the order of versions: comparisons that all hold (`>=1.2 <2`), `||` between alternatives, `*` for all, `=1.2` for one
 * version, and `1.2` for a line with its patches. Undefined for anything else.
 */
export function parseVersionRange(text: string): VersionRange | undefined {
  const alternatives = text.split('||').map((part) =>
    part
      .trim()
      .replaceAll(/([<>=])\s+/g, '$1')
      .split(/\s+/)
      .map(parseComparison),
  );
  return alternatives.some((all) => all.includes(undefined))
    ? undefined
    : (alternatives as VersionRange);
}

function parseComparison(word: string): Comparator | undefined {
  if (word === '*') {
    return { sign: '*', bound: least };
  }

  const [, sign = '', name = ''] = /^([<>]?=?)(.*)$/.exec(word) ?? [];
  const bound = parseVersion(name);
  if (!bound) {
    return undefined;
  }
  if (sign !== '') {
    return { sign: sign as Sign, bound };
  }

  const isLine = bound.groups.length <= 2 && bound.suffix === '';
  return { sign: isLine ? 'line' : '=', bound };
}

export function isInRange(range: VersionRange, version: Version): boolean {
  return range.some((all) => all.every(({ sign, bound }) => holds[sign](version, bound)));
}

/**
 * Negative, zero or positive. `X.Y` equals `X.Y.0`, and a suffix that marks no prerelease (`1.21.0-eks-1`) is ignored: publishers
 * write either form for one release.
 */
export function compareToBound(version: Version, bound: Version): number {
  const size = Math.max(version.groups.length, bound.groups.length);
  for (let index = 0; index < size; index += 1) {
    const [left, right] = [version.groups[index] ?? 0, bound.groups[index] ?? 0];
    if (left !== right) {
      return left < right ? -1 : 1;
    }
  }

  const suffixes = [version.suffix, bound.suffix];
  const isPlain = suffixes.includes('') && !suffixes.some(isPrereleaseSuffix);
  return isPlain ? 0 : compareVersions({ ...version, groups: [] }, { ...bound, groups: [] });
}
