import { computeUpperBound } from '../../core/model/range-bounds.ts';

/** `>=2025.1`, `~>2025.2`, `2025.x`, `2025.1+`: the sign, the version, and the wildcard or plus. */
const termForm = /^(>=|<=|~>|~=|[<>^~])?v?(\d[\w.~-]*?)((?:\.[x*+])+|\+)?$/i;

/** The releases in a range; undefined for a form that the query language does not have. */
export function createRangeQuery(component: string, range: string): string | undefined {
  const [, from, to] = /^(\S+?)(?:\.\.| to )(\S+)$/.exec(range) ?? [];
  if (from !== undefined) {
    return `component:${component} version:[${from} to ${to}]`;
  }

  const terms = range
    .replaceAll(/(?<=[<>=~^])\s+/g, '')
    .replace(/\s(?:or|and) (?:later|newer|above|higher|up|greater)$/i, '+')
    .split(/[\s,]+/)
    .map(createRangeTerm);
  return terms.includes(undefined) ? undefined : `component:${component} ${terms.join(' ')}`;
}

/** One comparison of a range; undefined without a sign, a wildcard or a `+`. */
function createRangeTerm(part: string): string | undefined {
  const [, sign = '', version = '', end] = termForm.exec(part) ?? [];
  if (version === '' || (sign === '' && end === undefined)) {
    return undefined;
  }

  const isWildcard = end?.startsWith('.') ?? false;

  // `<=2025.x` includes all of 2025, and `>2025.x` excludes all of it.
  if (isWildcard && sign === '<=') {
    return `version:<${computeUpperBound('', version)}`;
  }
  if (isWildcard && sign === '>') {
    return `version:>=${computeUpperBound('', version)}`;
  }

  switch (sign) {
    case '':
      return isWildcard ? `version:${version}.*` : `version:>=${version}`;
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
