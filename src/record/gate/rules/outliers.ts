import type { Day } from '../../../core/model/dates.ts';
import type { Version } from '../../../core/model/version.ts';

/** The largest plausible ratio between a digit group and the highest known one. */
export const toleratedGrowth = 10n;
const firstCalendarYear = 2000;

/**
 * New versions with a digit group far above all known ones: after the same leading groups, or, if those are new (such as a new
 * year), in the same place. A first answer may bring another history, so only its first group is checked. `recorded`: sorted.
 * `minMeasure`: the least number to compare later groups with, as 1.12 may follow 1.0.
 */
export function findOutliers(
  added: readonly Version[],
  recorded: readonly Version[],
  { day, isFirst, minMeasure }: { day: Day; isFirst: boolean; minMeasure: number },
): { version: Version; why: string }[] {
  const greatest = recorded.at(-1);
  const [first] = greatest?.groups ?? [];
  if (!greatest || first === undefined) {
    return [];
  }

  const year = Number(day.slice(0, 4));
  const isCalendar = first >= firstCalendarYear && first <= year + 1;
  const highest = highestGroups(isFirst ? [] : recorded, first, minMeasure);
  const outliers: { version: Version; why: string }[] = [];

  for (const version of added) {
    const [group = 0] = version.groups;
    const isToCome = isCalendar && group > first && group > year;
    const why = isToCome
      ? `its year has not begun, and the highest recorded version is ${greatest.text}`
      : whyFar(version, greatest, highest, isCalendar);

    if (why !== undefined) {
      outliers.push({ version, why });
    }
  }

  return outliers;
}

type Group = Version['groups'][number];

/** The highest group of each place, and after each prefix. */
function highestGroups(
  recorded: readonly Version[],
  first: Group,
  minMeasure: number,
): ReadonlyMap<string | number, Group> {
  const highest = new Map<string | number, Group>([[0, first > 0 ? first : 1]]);

  for (const { groups } of recorded) {
    for (const [place, group] of groups.entries()) {
      for (const key of place > 0 ? [prefixOf(groups, place), place] : []) {
        const least = highest.get(key) ?? minMeasure;
        highest.set(key, group > least ? group : least);
      }
    }
  }

  return highest;
}

/** Years are compared with the day instead. */
function whyFar(
  { groups }: Version,
  greatest: Version,
  highest: ReadonlyMap<string | number, Group>,
  isCalendar: boolean,
): string | undefined {
  for (const [place, group] of groups.entries()) {
    const measure = highest.get(prefixOf(groups, place)) ?? highest.get(place);
    const isYear = place === 0 && isCalendar;
    if (isYear || measure === undefined || group <= BigInt(measure) * toleratedGrowth) {
      continue;
    }

    return place === 0
      ? `more than ten times the highest recorded version (${greatest.text})`
      : `${group} is more than ten times what its place had before (${measure})`;
  }

  return undefined;
}

function prefixOf(groups: Version['groups'], place: number): string {
  return groups.slice(0, place).join('.');
}
