// Where a range that allows newer releases ends: at the first version above it. `^2025.2` ends below 2026.

/**
 * As in npm and Cargo, the first number that is not 0 stays the same: `^2025.2` is below 2026, `^0.2.3` below 0.3. If all are 0,
 * all but the last stay: `^0.0` is below 0.1.
 */
export function computeCaretBound(version: string): string {
  const groups = listGroups(version);
  const firstSet = groups.findIndex((group) => Number(group) > 0);
  return incrementGroup(groups, firstSet === -1 ? groups.length - 1 : firstSet);
}

/** As in npm: `~2025.2` and `~2025.2.1` are below 2025.3, `~2025` is below 2026. */
export function computeTildeBound(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, groups.length > 1 ? 1 : 0);
}

/**
 * `~>` as in RubyGems and Terraform, `~=` as in PEP 440. Only the last number may grow: `~> 2025.2` is below 2026, `~> 2025.2.1`
 * below 2025.3. A single number stays, as in RubyGems: `~> 2025` is below 2026.
 */
export function computePessimisticBound(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, Math.max(0, groups.length - 2));
}

/** 2026 for 2025, and 2025.3 for 2025.2. */
export function computeNextLine(version: string): string {
  const groups = listGroups(version);
  return incrementGroup(groups, groups.length - 1);
}

/** The numbers of a version, without a suffix such as in `2025.2rc1`. */
function listGroups(version: string): string[] {
  const [groups = ''] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  return groups.split('.');
}

/** The groups up to `index`, whose number is one higher. Numbers of any size keep their digits. */
function incrementGroup(groups: readonly string[], index: number): string {
  return [...groups.slice(0, index), BigInt(groups[index] ?? 0) + 1n].join('.');
}
