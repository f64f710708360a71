import type { Day } from '../../../core/model/dates.ts';
import type { Version } from '../../../core/model/version.ts';

/** The largest plausible ratio between a digit group and the highest known one. */
export const toleratedGrowth = 10n;
const firstCalendarYear = 2000;

/**
 * New versions with a digit group far above all known ones: after the same leading groups, or, if those are new (such as a new
 * year), in the same place. A first answer may bring another history, so only its first group is checked. `known`: sorted.
 * `minMeasure`: the least number to compare later groups with, as 1.12 may follow 1.0.
 */
export function findOutliers(
  added: readonly Version[],
  known: readonly Version[],
  { day, isFirst, minMeasure }: { day: Day; isFirst: boolean; minMeasure: number },
): { version: Version; why: string }[] {
  const greatest = known.at(-1);
  const [first] = greatest?.groups ?? [];
  if (!greatest || first === undefined || added.length === 0) {
    return [];
  }

  const highest = new Map<string | number, number | bigint>([[0, first > 0 ? first : 1]]);

  for (const { groups } of isFirst ? [] : known) {
    for (const [place, group] of groups.entries()) {
      for (const key of place > 0 ? [prefixOf(groups, place), place] : []) {
        const least = highest.get(key) ?? minMeasure;
        highest.set(key, group > least ? group : least);
      }
    }
  }

  const year = Number(day.slice(0, 4));
  const isCalendar = first >= firstCalendarYear && first <= year + 1;

  const whyOf = ({ groups }: Version, place: number, group: number | bigint) => {
    if (place === 0 && isCalendar) {
      return group > first && group > year
        ? `its year has not begun, and the highest recorded version is ${greatest.text}`
        : undefined;
    }

    const measure = highest.get(prefixOf(groups, place)) ?? highest.get(place);
    if (measure === undefined || !isFar(group, measure)) {
      return undefined;
    }

    return place === 0
      ? `more than ten times the highest recorded version (${greatest.text})`
      : `${group} is more than ten times what its place had before (${measure})`;
  };

  return added.flatMap((version) => {
    for (const [place, group] of version.groups.entries()) {
      const why = whyOf(version, place, group);
      if (why !== undefined) {
        return { version, why };
      }
    }

    return [];
  });
}

function prefixOf(groups: Version['groups'], place: number): string {
  return groups.slice(0, place).join('.');
}

function isFar(group: number | bigint, measure: number | bigint): boolean {
  return group > BigInt(measure) * toleratedGrowth;
}
