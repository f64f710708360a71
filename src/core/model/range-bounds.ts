/** The first version above a range that begins with a sign: 2026 for `^2025.2`. Without a sign, above a line: 2025.3 for `2025.2`. */
export function computeUpperBound(sign: string, version: string): string {
  // Without a suffix such as in `2025.2rc1`.
  const [numbers = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const groups = numbers.split('.');
  const index = findGrowingGroup(sign, groups);

  // Numbers of any size keep their digits.
  return [...groups.slice(0, index), BigInt(groups[index] ?? 0) + 1n].join('.');
}

/** The index of the number that is one higher in the first version above the range. */
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
