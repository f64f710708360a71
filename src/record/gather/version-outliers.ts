import type { Day } from '../../core/dates.ts';
import type { Version } from '../../core/version.ts';

export interface Outlier {
  version: Version;
  why: string;
}

/** A digit group may be this many times the highest known one. */
const toleratedGrowth = 10n;
const firstCalendarYear = 2000;

/**
 * The new versions of which a digit group is far above what it was behind the same groups, or, behind groups that are new,
 * in the same place. A first answer may bring a history of its own: of it, only the first group counts. `known` is sorted.
 */
export function findOutliers(
  added: readonly Version[],
  known: readonly Version[],
  { day, isFirst }: { day: Day; isFirst: boolean },
): Outlier[] {
  const greatest = known.at(-1);
  if (!greatest || added.length === 0) return [];
  const highest = new Map<string | number, number | bigint>();
  for (const { groups } of known)
    for (const [place, group] of groups.entries())
      for (const key of [groups.slice(0, place).join('.'), place])
        if (group > (highest.get(key) ?? -1)) highest.set(key, group);
  const year = Number(day.slice(0, 4));
  const first = greatest.groups[0]!;
  const isCalendar = first >= firstCalendarYear && first <= year + 1;
  return added.flatMap((version) => {
    const { groups } = version;
    if (isCalendar ? groups[0]! > first && groups[0]! > year : isFar(groups[0]!, first)) {
      const why = isCalendar
        ? `its year has not begun, and the highest recorded version is ${greatest.text}`
        : `more than ten times the highest recorded version (${greatest.text})`;
      return [{ version, why }];
    }
    if (isFirst) return [];
    for (const [place, group] of groups.entries()) {
      const prefix = groups.slice(0, place).join('.');
      const before = highest.get(prefix) ?? highest.get(place);
      if (place === 0 || before === undefined || !isFar(group, before)) continue;
      return [{ version, why: `${group} is more than ten times what its place had a month ago (${before})` }];
    }
    return [];
  });
}

function isFar(group: number | bigint, before: number | bigint): boolean {
  return group > BigInt(before > 0 ? before : 1) * toleratedGrowth;
}
