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
    return `version:<${computeNextLine(version)}`;
  }
  if (isWildcard && sign === '>') {
    return `version:>=${computeNextLine(version)}`;
  }

  switch (sign) {
    case '':
      return isWildcard ? `version:${version}.*` : `version:>=${version}`;
    case '^':
      return `version:>=${version} version:<${computeCaretBound(version)}`;
    case '~':
      return `version:>=${version} version:<${computeTildeBound(version)}`;
    case '~>':
    case '~=': {
      // The wildcard is the last number, which may grow.
      const bound = computePessimisticBound(isWildcard ? `${version}.0` : version);
      return `version:>=${version} version:<${bound}`;
    }
    default:
      return `version:${sign}${version}`;
  }
}

/**
 * As in npm and Cargo, the first number that is not 0 stays the same: `^2025.2` is below 2026, `^0.2.3` below 0.3. If all are 0,
 * all but the last stay: `^0.0` is below 0.1.
 */
function computeCaretBound(version: string): string {
  const groups = listGroups(version);
  const firstSet = groups.findIndex((group) => Number(group) > 0);
  return incrementGroup(groups, firstSet === -1 ? groups.length - 1 : firstSet);
}

/** As in npm: `~2025.2` and `~2025.2.1` are below 2025.3, `~2025` is below 2026. */
function computeTildeBound(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, groups.length > 1 ? 1 : 0);
}

/**
 * `~>` as in RubyGems and Terraform, `~=` as in PEP 440. Only the last number may grow: `~> 2025.2` is below 2026, `~> 2025.2.1`
 * below 2025.3. A single number stays, as in RubyGems: `~> 2025` is below 2026.
 */
function computePessimisticBound(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, Math.max(0, groups.length - 2));
}

/** 2026 for 2025, and 2025.3 for 2025.2. */
function computeNextLine(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, groups.length - 1);
}

/** The numbers of a version, without a suffix such as in `2025.2rc1`. */
function listGroups(version: string): string[] {
  const [groups = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  return groups.split('.');
}

/** The groups up to `index`, whose number is one higher. */
function incrementGroup(groups: readonly string[], index: number): string {
  return [...groups.slice(0, index), Number(groups[index]) + 1].join('.');
}
