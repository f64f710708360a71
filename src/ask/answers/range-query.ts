import { orEarlier, orLater } from '../texts/read-number.ts';

/** `a or b` for several terms of a query, in parentheses; empty without any. */
export function joinAlternatives(terms: readonly string[]): string {
  return terms.length > 1 ? `(${terms.join(' or ')})` : terms.join('');
}

/** Between two alternatives: `||` and ` or `, but not the start of ` or later`. */
const separator = new RegExp(String.raw`\|\||(?!${orLater}|${orEarlier})\sor\s`, 'i');

/** The query for the releases in a range, of all components; undefined for a form that the query language does not have. */
export function createVersionQuery(range: string): string | undefined {
  const alternatives: string[] = [];

  for (const alternative of range.split(separator)) {
    const terms = listParts(alternative.trim()).map(createRangeTerm);
    if (terms.includes(undefined)) {
      return undefined;
    }

    alternatives.push(terms.join(' '));
  }

  return joinAlternatives(alternatives);
}

/** The comparisons of an alternative, with signs in place of words and dots: `>=2025.1` and `<=2025.3` for `2025.1 to 2025.3`. */
function listParts(alternative: string): string[] {
  const parts = alternative
    .replace(new RegExp(`${orLater}$`, 'i'), '+')
    .replace(new RegExp(`^(.*?)${orEarlier}$`, 'i'), '<=$1')
    .replaceAll(/(?<=[<>=~^])\s+/g, '')
    .replaceAll(/\s(?:to|-)\s/g, '..')
    .split(/[\s,]+(?:and\s+)?/i);
  return parts.flatMap((part) => {
    const [from, to, extra] = part.split(/\.{2,3}/);
    return to === undefined || extra !== undefined ? [part] : [`>=${from}`, `<=${to}`];
  });
}

/** `>=2025.1`, `~>2025.2`, `=2025.1`, `2025.x`, `2025.1+`: the sign, the version, the wildcard and the plus. */
const rangeTerm =
  /^(?:={1,2}|(>=|<=|!=|~>|~=|[<>^~]))?v?(\d(?:[\w~-]|\.(?!\.))*?)((?:\.[x*+])*)(\+?)$/i;

/** The terms for one comparison of a range; a version without a sign means only that version. Undefined for any other text. */
function createRangeTerm(part: string): string | undefined {
  const [, sign = '', version = '', wildcard, plus] = rangeTerm.exec(part) ?? [];
  if (version === '') {
    return undefined;
  }

  const isWildcard = Boolean(wildcard);
  const pattern = isWildcard ? `${version}.*` : version;

  switch (sign) {
    case '':
      return plus ? `version:>=${version}` : `version:${pattern}`;
    case '!=':
      return `-version:${pattern}`;
    case '<=':
    case '>': {
      // `<=2025.x` includes all of 2025, and `>2025.x` excludes all of it.
      const above = computeUpperBound('', version);
      const openSign = sign === '>' ? '>=' : '<';
      return isWildcard ? `version:${openSign}${above}` : `version:${sign}${version}`;
    }
    case '^':
    case '~':
      return `version:>=${version} version:<${computeUpperBound(sign, version)}`;
    case '~>':
    case '~=': {
      // The wildcard is the last number, which may grow.
      const bound = computeUpperBound(sign, isWildcard ? `${version}.0` : version);
      return `version:>=${version} version:<${bound}`;
    }
    default:
      return `version:${sign}${version}`;
  }
}

/**
 * The end of a range that begins with a sign: `2026-0` for `^2025.2`; without a sign, of a line: `2025.3-0` for `2025.2`. As npm
 * writes it, below all prereleases of the first version above.
 */
function computeUpperBound(sign: string, version: string): string {
  // Without a suffix such as in `2025.2rc1`.
  const [numbers = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const groups = numbers.split('.');
  const index = findGrowingGroup(sign, groups);

  // Numbers of any size keep their digits.
  return `${[...groups.slice(0, index), BigInt(groups[index] ?? 0) + 1n].join('.')}-0`;
}

/** The index of the number that is one higher above the range. */
function findGrowingGroup(sign: string, groups: readonly string[]): number {
  const last = groups.length - 1;
  switch (sign) {
    // As in npm and Cargo, the first number that is not 0 stays the same: `^2025.2` is below 2026, `^0.2.3` below 0.3. If all are 0,
    // all but the last stay: `^0.0` is below 0.1.
    case '^': {
      const firstSet = groups.findIndex((group) => Number(group) > 0);
      return firstSet === -1 ? last : firstSet;
    }
    // As in npm: `~2025.2` and `~2025.2.1` are below 2025.3, `~2025` is below 2026.
    case '~':
      return Math.min(1, last);
    // `~>` as in RubyGems and Terraform, `~=` as in PEP 440. Only the last number may grow: `~> 2025.2` is below 2026, `~> 2025.2.1`
    // below 2025.3. A single number stays, as in RubyGems: `~> 2025` is below 2026.
    case '~>':
    case '~=':
      return Math.max(0, last - 1);
    default:
      return last;
  }
}
