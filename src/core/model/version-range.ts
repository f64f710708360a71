import { isPrereleaseSuffix } from './prerelease.ts';
import { compareSuffixes, parseVersion, rankKey, toInteger, type Version } from './version.ts';

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

  for (const word of text.replaceAll(/([<>=])\s+(?![\s<>=])/g, '$1').split(/\s+/)) {
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

/** Makes a test of versions by a list of exact versions, in any spelling, or by a valid range. */
export function createVersionTest(
  selected: string | readonly string[],
): (version: string) => boolean {
  if (typeof selected !== 'string') {
    const keys = new Set(selected.map(findVersionKey));
    return (version) => keys.has(findVersionKey(version));
  }

  const range = parseVersionRange(selected)!;
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
 * Negative, zero or positive. `X.Y` equals `X.Y.0` and, if it marks no prerelease, `X.Y-suffix`: publishers write either form for one
 * release. A prerelease is below all of these, and two suffixes of one kind are in their own order.
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

  const stability =
    Number(isPrereleaseSuffix(bound.suffix)) - Number(isPrereleaseSuffix(version.suffix));
  return stability === 0 && version.suffix && bound.suffix
    ? compareSuffixes(version.suffix, bound.suffix)
    : stability;
}

/** The versions between two comparisons; without one, it has no end on that side. */
interface Span {
  readonly from: Comparator | undefined;
  readonly to: Comparator | undefined;
}

/**
 * The span in which all comparisons hold; undefined where it is empty. The span of a line begins with its first release: it lacks the
 * prereleases of the line, and has those of the next one.
 */
export function computeSpan(comparators: readonly Comparator[]): Span | undefined {
  const comparisons = comparators.flatMap(listComparisons).sort(compareCuts);
  const from = comparisons.findLast(({ sign }) => sign.startsWith('>'));
  const to = comparisons.find(({ sign }) => sign.startsWith('<'));
  return from && to && compareCuts(from, to) >= 0 ? undefined : { from, to };
}

/** A comparator as `>`, `>=`, `<` and `<=`: `1.2` as a line is `>=1.2 <1.3`, and `=1.2` is `>=1.2 <=1.2`. */
function listComparisons({ sign, bound }: Comparator): Comparator[] {
  switch (sign) {
    case 'line':
      return [
        { sign: '>=', bound },
        { sign: '<', bound: findNextLine(bound) },
      ];
    case '=':
      return [
        { sign: '>=', bound },
        { sign: '<=', bound },
      ];
    default:
      return [{ sign, bound }];
  }
}

/** 1.3 for the line 1.2. Numbers of any size keep their digits. */
function findNextLine({ groups }: Version): Version {
  const next = [...groups.slice(0, -1), toInteger(`${BigInt(groups.at(-1) ?? 0) + 1n}`)];
  return { text: next.join('.'), groups: next, suffix: '' };
}

/**
 * Orders comparisons by where they divide the versions: `>=1` and `<1` below 1, `>1` and `<=1` above it. As in a range, `1.0` and
 * `1.0.0` are equal.
 */
function compareCuts(left: Comparator, right: Comparator): number {
  const isAbove = ({ sign }: Comparator) => sign === '>' || sign === '<=';
  return compareToBound(left.bound, right.bound) || Number(isAbove(left)) - Number(isAbove(right));
}

/** A range as a VERS string (github.com/package-url/vers-spec), whose bounds are in version order. */
export function toVers(range: VersionRange): string {
  const constraints = uniteSpans(range).flatMap(formatSpan);
  return `vers:generic/${constraints.join('|') || '*'}`;
}

/** The spans of a range in version order; those that touch or overlap are one. */
function uniteSpans(range: VersionRange): Span[] {
  const spans = range.map(computeSpan).filter((span) => span !== undefined);
  const united: Span[] = [];

  for (const span of spans.sort((a, b) => compareCuts(findStart(a), findStart(b)))) {
    const last = united.pop();
    if (!last) {
      united.push(span);
    } else if (last.to && compareCuts(last.to, findStart(span)) < 0) {
      united.push(last, span);
    } else {
      united.push({ from: last.from, to: last.to && span.to && findHigher(last.to, span.to) });
    }
  }

  return united;
}

/** The lower bound of a span that has none of its own is 0. */
function findStart({ from }: Span): Comparator {
  return from ?? { sign: '>=', bound: { text: '0', groups: [0], suffix: '' } };
}

function findHigher(left: Comparator, right: Comparator): Comparator {
  return compareCuts(left, right) < 0 ? right : left;
}

function formatSpan({ from, to }: Span): string[] {
  if (from?.sign === '>=' && to?.sign === '<=' && compareToBound(from.bound, to.bound) === 0) {
    return [encodeURIComponent(from.bound.text)];
  }

  return [from, to].filter((comparator) => comparator !== undefined).map(formatComparator);
}

function formatComparator({ sign, bound }: Comparator): string {
  return `${sign}${encodeURIComponent(bound.text)}`;
}
