import type { Day } from '../../../core/model/dates.ts';
import type { Version } from '../../../core/model/version.ts';

type Group = Version['groups'][number];

/** A digit group is far above another if it is at least so many times as high. */
export const outlierFactor = 10;

/** More outliers than these in a first list are another scheme. */
const maxFirstOutliers = 3;
/** Later groups may be numbers of builds. */
const groupsToCompare = 3;
const patchPosition = 2;
/** A first group outside of this range is no year. */
const years = { from: 2000, before: 2100 };

/** A version that does not fit the recorded ones. */
export interface Outlier {
  version: Version;
  why: string;
}

/** The highest recorded digit groups. */
interface HighestGroups {
  /** By the groups before, joined with dots. */
  byPrefix: ReadonlyMap<string, Group>;
  byPosition: ReadonlyMap<number, Group>;
}

/**
 * Finds new versions of a year that has not begun, and those with a digit group at least ten times the highest recorded one,
 * compared after the same leading groups or, where those are new, at the same position. A first answer is checked in its first
 * group only: it may have another history. Both lists are sorted. `minMeasure`: later groups are compared with at least this number, as 1.12 may follow 1.0.
 */
export function findOutliers(
  added: readonly Version[],
  recorded: readonly Version[],
  { day, isFirst, minMeasure }: { day: Day; isFirst: boolean; minMeasure: number },
): Outlier[] {
  const greatest = recorded.at(-1)?.text;
  if (greatest === undefined) {
    return [];
  }

  const highest = findHighestGroups(recorded, minMeasure);
  const reasons = new Map<Version, string>();

  for (const version of added) {
    if (isYearAhead(version, recorded, day)) {
      reasons.set(
        version,
        `its year has not begun, and the highest recorded version is ${greatest}`,
      );
      continue;
    }

    const outlying = findOutlyingGroup(version, highest, isFirst ? 1 : groupsToCompare);
    if (!outlying) {
      continue;
    }

    reasons.set(version, describeOutlier(version, outlying, greatest));
    for (const neighbour of findBeyondGap(version, outlying.position, added, recorded)) {
      if (!reasons.has(neighbour)) {
        reasons.set(neighbour, `beyond the same gap as ${version.text}`);
      }
    }
  }

  return Array.from(reasons, ([version, why]) => ({ version, why }));
}

/** The greatest versions of a first list, where a few are far above all others. Not for schemes that begin with a year. */
export function findFirstOutliers(versions: readonly Version[]): readonly Version[] {
  for (let count = 1; count <= maxFirstOutliers; count += 1) {
    const lowestOutlier = versions.at(-count)?.groups[0];
    const highestUsual = versions.at(-count - 1)?.groups[0];
    if (lowestOutlier === undefined || highestUsual === undefined) {
      return [];
    }

    const isYear = lowestOutlier >= years.from && lowestOutlier < years.before;
    if (!isYear && isFarAbove(lowestOutlier, pickHigher(highestUsual, 1))) {
      return versions.slice(-count);
    }
  }

  return [];
}

function isFarAbove(group: Group, measure: Group): boolean {
  return group >= BigInt(measure) * BigInt(outlierFactor);
}

/** Whether a version by year is of a later year than this one, and no recorded version is. */
function isYearAhead(
  { groups: [year = 0] }: Version,
  recorded: readonly Version[],
  day: Day,
): boolean {
  const thisYear = Number(day.slice(0, 4));
  if (year <= thisYear || year >= years.before) {
    return false;
  }

  const firstGroups = recorded
    .map(({ groups }) => groups[0]!)
    .filter((group) => group < years.before);
  const isByYear = firstGroups.some((group) => group >= years.from && group <= thisYear + 1);
  return isByYear && firstGroups.every((group) => group < year);
}

function findHighestGroups(recorded: readonly Version[], minMeasure: number): HighestGroups {
  const byPrefix = new Map<string, Group>();
  const byPosition = new Map<number, Group>();

  for (const { groups } of recorded) {
    for (const [position, group] of groups.entries()) {
      const prefix = joinPrefix(groups, position);
      const minimum = position === 0 ? 1 : minMeasure;
      byPrefix.set(prefix, pickHigher(group, byPrefix.get(prefix) ?? minimum));
      byPosition.set(position, pickHigher(group, byPosition.get(position) ?? minimum));
    }
  }

  return { byPrefix, byPosition };
}

function pickHigher(group: Group, highest: Group): Group {
  return group > highest ? group : highest;
}

interface OutlyingGroup {
  position: number;
  /** The highest recorded group that it is compared with. */
  measure: Group;
}

function findOutlyingGroup(
  { groups }: Version,
  { byPrefix, byPosition }: HighestGroups,
  checkedGroups: number,
): OutlyingGroup | undefined {
  for (const [position, group] of groups.slice(0, checkedGroups).entries()) {
    const highest = byPosition.get(position);
    if (highest === undefined) {
      return undefined;
    }

    const measure = byPrefix.get(joinPrefix(groups, position)) ?? highest;
    // Another line may have build numbers as patches, too.
    const isUsualPatch = position === patchPosition && group <= highest;
    if (isFarAbove(group, measure) && !isUsualPatch) {
      return { position, measure };
    }
  }

  return undefined;
}

function describeOutlier(
  { groups }: Version,
  { position, measure }: OutlyingGroup,
  greatest: string,
): string {
  return position === 0
    ? `at least ten times the highest recorded version (${greatest})`
    : `${groups[position]} is at least ten times what its place had before (${measure})`;
}

/** The new versions with the leading groups of an outlier, from above the widest gap at or below it: they came together. */
function findBeyondGap(
  { groups }: Version,
  position: number,
  added: readonly Version[],
  recorded: readonly Version[],
): Version[] {
  const prefix = joinPrefix(groups, position);
  const isSibling = (version: Version) =>
    version.groups[position] !== undefined && joinPrefix(version.groups, position) === prefix;
  const readNumber = (version: Version) => Number(version.groups[position]);
  const siblings = added.filter(isSibling);
  const outlier = Number(groups[position]);

  let below = Math.max(0, ...recorded.filter(isSibling).map(readNumber));
  let widestGap = 1;
  let edge = outlier;
  // Ascending, as the added versions are.
  for (const number of siblings.map(readNumber)) {
    if (number <= outlier && number - below > widestGap) {
      widestGap = number - below;
      edge = number;
    }
    below = Math.max(below, number);
  }

  return siblings.filter((version) => readNumber(version) >= edge);
}

function joinPrefix(groups: Version['groups'], length: number): string {
  return groups.slice(0, length).join('.');
}
