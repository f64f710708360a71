import { cutDay, type Day } from '../../../core/model/dates.ts';
import { compareVersions, parseVersion, type Version } from '../../../core/model/version.ts';
import type { RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

/** A digit group towers if it is at least so many times the highest recorded one. */
export const toweringGrowth = 10;
/** More versions than these are another scheme. */
const mostFirstOutliers = 3;
/** Later groups may be numbers of builds. */
const groupsToCompare = 3;
const patchIndex = 2;
/** A greater first group is no year. */
const years = { from: 2000, before: 2100 };

interface Outlier {
  readonly version: Version;
  readonly why: string;
}

/**
 * New versions with a digit group far above all recorded ones after the same leading groups or, if those are new (such as a new
 * year), in the same position. New versions above the same gap are outliers, too. A first answer may have another history, so
 * only its first group is checked. `minMeasure`: the least number that later groups are compared with, as 1.12 may follow 1.0.
 * Both lists are sorted.
 */
export function findOutliers(
  added: readonly Version[],
  recorded: readonly Version[],
  { day, isFirst, minMeasure }: { day: Day; isFirst: boolean; minMeasure: number },
): Outlier[] {
  const greatest = recorded.at(-1);
  if (!greatest) {
    return [];
  }

  const highest = findHighestGroups(isFirst ? [] : recorded, greatest.groups[0]!, minMeasure);
  const outliers = new Map<Version, string>();

  for (const version of added) {
    if (isYearAhead(version, recorded, day)) {
      outliers.set(
        version,
        `its year has not begun, and the highest recorded version is ${greatest.text}`,
      );
      continue;
    }

    const index = findOutlyingIndex(version, highest);
    if (index === undefined) {
      continue;
    }

    outliers.set(version, describeOutlier(version, index, greatest, highest));
    for (const other of findBeyondGap(version, index, added, recorded)) {
      if (!outliers.has(other)) {
        outliers.set(other, `beyond the same gap as ${version.text}`);
      }
    }
  }

  return Array.from(outliers, ([version, why]) => ({ version, why }));
}

/** The greatest versions of a first list, where a few are far above all others. Not for schemes that begin with a year. */
export function findFirstOutliers(versions: readonly Version[]): readonly Version[] {
  for (let count = 1; count <= mostFirstOutliers; count += 1) {
    const [below, lowest] = versions.slice(-count - 1);
    const [groupBelow = 0] = below?.groups ?? [];
    const [group = 0] = lowest?.groups ?? [];
    const isYear = group >= years.from && group < years.before;
    if (!isYear && isTowering(group, groupBelow > 0 ? groupBelow : 1)) {
      return versions.slice(-count);
    }
  }

  return [];
}

function isTowering(group: Group, measure: Group): boolean {
  return group >= BigInt(measure) * BigInt(toweringGrowth);
}

function isYearAhead({ groups }: Version, recorded: readonly Version[], day: Day): boolean {
  const thisYear = Number(day.slice(0, 4));
  const [year = 0] = groups;
  const recordedYears = recorded.map((version) => version.groups[0]!);
  const isByYear = recordedYears.some(
    (recordedYear) => recordedYear >= years.from && recordedYear <= thisYear + 1,
  );
  return (
    isByYear &&
    year > thisYear &&
    year < years.before &&
    recordedYears.every((recordedYear) => recordedYear < year || recordedYear >= years.before)
  );
}

type Group = Version['groups'][number];

/** The highest group of each index, and after each prefix. */
function findHighestGroups(
  recorded: readonly Version[],
  first: Group,
  minMeasure: number,
): ReadonlyMap<string | number, Group> {
  const highest = new Map<string | number, Group>([[0, first > 0 ? first : 1]]);
  for (const { groups } of recorded) {
    for (const [index, group] of groups.entries()) {
      for (const key of index > 0 ? [joinPrefix(groups, index), index] : []) {
        const least = highest.get(key) ?? minMeasure;
        highest.set(key, group > least ? group : least);
      }
    }
  }
  return highest;
}

/** The index of the first group that towers. */
function findOutlyingIndex(
  { groups }: Version,
  highest: ReadonlyMap<string | number, Group>,
): number | undefined {
  const towering = groups.slice(0, groupsToCompare).findIndex((group, index) => {
    const measure = highest.get(joinPrefix(groups, index)) ?? highest.get(index);
    if (measure === undefined || !isTowering(group, measure)) {
      return false;
    }

    // Another line may have build numbers as patches, too.
    const highestPatch = index === patchIndex ? highest.get(patchIndex) : undefined;
    return highestPatch === undefined || group > highestPatch;
  });
  return towering < 0 ? undefined : towering;
}

function describeOutlier(
  { groups }: Version,
  index: number,
  greatest: Version,
  highest: ReadonlyMap<string | number, Group>,
): string {
  if (index === 0) {
    return `at least ten times the highest recorded version (${greatest.text})`;
  }

  const measure = highest.get(joinPrefix(groups, index)) ?? highest.get(index);
  return `${groups[index]} is at least ten times what its place had before (${measure})`;
}

/** The new versions after the same leading groups that lie beyond the widest gap below an outlier. */
function findBeyondGap(
  { groups }: Version,
  index: number,
  added: readonly Version[],
  recorded: readonly Version[],
): Version[] {
  const prefix = joinPrefix(groups, index);
  const isSibling = (other: Version) =>
    other.groups[index] !== undefined && joinPrefix(other.groups, index) === prefix;
  const readNumber = (version: Version) => Number(version.groups[index]);
  const siblings = added.filter(isSibling);
  const numbers = siblings.map(readNumber).filter((number) => number <= Number(groups[index]));

  let widest = { gap: 1, edge: Number(groups[index]) };
  let last = Math.max(0, ...recorded.filter(isSibling).map(readNumber));
  for (const number of numbers) {
    if (number - last > widest.gap) {
      widest = { gap: number - last, edge: number };
    }

    last = Math.max(last, number);
  }
  return siblings.filter((other) => readNumber(other) >= widest.edge);
}

function joinPrefix(groups: Version['groups'], length: number): string {
  return groups.slice(0, length).join('.');
}

/** New versions that are dated before the first release of their line. */
export function findEarlyPatches(
  added: readonly RecordedRelease[],
  recorded: readonly RecordedRelease[],
  rejectedDays: ReadonlyMap<string, Day>,
): Outlier[] {
  const dated: { version: Version; day: Day }[] = [];
  for (const release of [...recorded, ...added]) {
    const version = parseVersion(release.version);
    const day = rejectedDays.get(release.version) ?? findStatedDay(release);
    if (version && day !== undefined) {
      dated.push({ version, day });
    }
  }
  dated.sort((a, b) => compareVersions(a.version, b.version));
  const byLine = Map.groupBy(dated, ({ version }) => joinPrefix(version.groups, 2));
  const addedVersions = new Set(added.map(({ version }) => version));
  const outliers: Outlier[] = [];

  for (const { version, day } of dated) {
    const [first] = byLine.get(joinPrefix(version.groups, 2))!;
    if (addedVersions.has(version.text) && day < first!.day) {
      const start = `${first!.version.text} of ${first!.day}`;
      outliers.push({ version, why: `dated ${day}, before its line began with ${start}` });
    }
  }

  return outliers;
}

function findStatedDay({ releaseTimestamp, timestampKind }: RecordedRelease): Day | undefined {
  return releaseTimestamp === undefined || timestampKind === 'observed'
    ? undefined
    : cutDay(releaseTimestamp);
}
