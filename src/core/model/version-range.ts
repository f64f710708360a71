import { computeUpperBound } from './range-bounds.ts';
import { compareVersions, isPrereleaseSuffix, parseVersion, type Version } from './version.ts';

/** `<=` before `<`, which it begins with. */
const signs = ['<=', '<', '>=', '>', '='] as const;

export interface Comparator {
  /** `line`: all versions that begin with these digit groups. */
  readonly sign: (typeof signs)[number] | 'line';
  readonly bound: Version;
}

/** Alternatives; in each, all comparisons must hold. An alternative without comparisons is every version. */
export type VersionRange = readonly (readonly Comparator[])[];

/**
 * A range in the order of versions: comparisons that all hold (`>=1.2 <2`), `||` between alternatives, `*` for all, `=1.2` for one
 * version, and `1.2` for a line with its patches. Undefined for anything else.
 */
export function parseVersionRange(text: string): VersionRange | undefined {
  const alternatives: Comparator[][] = [];

  for (const alternative of text.split('||')) {
    const comparators = parseAlternative(alternative.trim());
    if (!comparators) {
      return undefined;
    }

    alternatives.push(comparators);
  }

  return alternatives;
}

function parseAlternative(text: string): Comparator[] | undefined {
  const comparators: Comparator[] = [];

  for (const word of text.replaceAll(/([<>=])\s+/g, '$1').split(/\s+/)) {
    const comparator = parseComparator(word);
    if (comparator) {
      comparators.push(comparator);
    } else if (word !== '*') {
      return undefined;
    }
  }

  return comparators;
}

function parseComparator(word: string): Comparator | undefined {
  const sign = signs.find((prefix) => word.startsWith(prefix));
  const bound = parseVersion(word.slice(sign?.length ?? 0));
  if (!bound) {
    return undefined;
  }
  if (sign) {
    return { sign, bound };
  }

  const isLine = bound.groups.length <= 2 && bound.suffix === '';
  return { sign: isLine ? 'line' : '=', bound };
}

export function isInRange(range: VersionRange, version: Version): boolean {
  return range.some((comparators) => comparators.every((comparator) => holds(comparator, version)));
}

function holds({ sign, bound }: Comparator, version: Version): boolean {
  const order = compareToBound(version, bound);
  switch (sign) {
    case 'line':
      return isInLine(version, bound.groups);
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '=':
      return order === 0;
  }
}

/** Whether a version begins with these digit groups. */
export function isInLine(version: Version, groups: Version['groups']): boolean {
  return groups.every((group, index) => group === (version.groups[index] ?? 0));
}

/**
 * Negative, zero or positive. `X.Y` equals `X.Y.0`, and a suffix that marks no prerelease (`1.21.0-eks-1`) is ignored: publishers
 * write either form for one release.
 */
export function compareToBound(version: Version, bound: Version): number {
  const size = Math.max(version.groups.length, bound.groups.length);
  for (let index = 0; index < size; index += 1) {
    const left = version.groups[index] ?? 0;
    const right = bound.groups[index] ?? 0;
    if (left !== right) {
      return left < right ? -1 : 1;
    }
  }

  const suffixes = [version.suffix, bound.suffix];
  const isPlain = suffixes.includes('') && !suffixes.some(isPrereleaseSuffix);
  return isPlain ? 0 : compareVersions({ ...version, groups: [] }, { ...bound, groups: [] });
}

/** The versions between two comparisons; without one, it has no end on that side. */
export interface Span {
  readonly from: Comparator | undefined;
  readonly to: Comparator | undefined;
}

/** The span in which all comparisons hold; undefined where it is empty. */
export function computeSpan(comparators: readonly Comparator[]): Span | undefined {
  const comparisons = comparators.flatMap(listComparisons).sort(compareCuts);
  const from = comparisons.findLast(({ sign }) => sign.startsWith('>'));
  const to = comparisons.find(({ sign }) => sign.startsWith('<'));
  return from && to && compareCuts(from, to) >= 0 ? undefined : { from, to };
}

/** A comparator as `>`, `>=`, `<` and `<=`: `1.2` as a line is `>=1.2 <1.3`, and `=1.2` is `>=1.2 <=1.2`. */
function listComparisons({ sign, bound }: Comparator): Comparator[] {
  switch (sign) {
    case 'line': {
      // Numbers with dots are always a version.
      const nextLine = parseVersion(computeUpperBound('', bound.groups.join('.')))!;
      return [
        { sign: '>=', bound },
        { sign: '<', bound: nextLine },
      ];
    }
    case '=':
      return [
        { sign: '>=', bound },
        { sign: '<=', bound },
      ];
    default:
      return [{ sign, bound }];
  }
}

/**
 * Orders comparisons by where they divide the versions: `>=1` and `<1` below 1, `>1` and `<=1` above it. As in a range, `1.0` and
 * `1.0.0` are equal.
 */
export function compareCuts(left: Comparator, right: Comparator): number {
  const isAbove = ({ sign }: Comparator) => sign === '>' || sign === '<=';
  return compareToBound(left.bound, right.bound) || Number(isAbove(left)) - Number(isAbove(right));
}
