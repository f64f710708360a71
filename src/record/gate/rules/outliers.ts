import { findStatedDay, type Day } from '../../../core/model/dates.ts';
import { nameReleaseLine, sortVersions, type Version } from '../../../core/model/version.ts';
import type { RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';

type Group = Version['groups'][number];

/** A digit group is far above another if it is at least this many times as high. */
export const outlierFactor = 10;

/** Later groups may be numbers of builds. */
const groupsToCompare = 3;
const patchPosition = 2;
/** A first group outside of this range is no year. */
const years = { from: 2000, before: 2100 };

/** By version, why it does not fit the recorded ones. */
export type Reasons = ReadonlyMap<string, string>;

type HighestGroups = ReturnType<typeof findHighestGroups>;

interface OutlierOptions {
  day: Day;
  /** A first answer may have another history, so only the first group of its versions is checked. */
  isFirst: boolean;
  /** Groups after the first are measured by at least this number, as 1.12 may follow 1.0. */
  minMeasure: number;
}

/**
 * Finds new versions that do not fit earlier recorded ones. Both lists are sorted. An outlier is
 * - a version of a year that has not begun,
 * - a version with one of its first three digit groups far above the highest recorded one after the same leading groups or, where
 *   those are new, at the same position,
 * - a version that came together with such a one.
 */
export function findOutliers(
  added: readonly Version[],
  recorded: readonly Version[],
  { day, isFirst, minMeasure }: OutlierOptions,
): Reasons {
  const reasons = new Map<string, string>();
  const greatest = recorded.at(-1)?.text;
  if (greatest === undefined) {
    return reasons;
  }

  const highestGroups = findHighestGroups(recorded);
  const lastYear = findLastYear(recorded, day);
  const checkedGroups = isFirst ? 1 : groupsToCompare;

  for (const version of added) {
    const year = version.groups[0]!;
    if (year > lastYear && year < years.before) {
      const why = `its year has not begun, and the highest recorded version is ${greatest}`;
      reasons.set(version.text, why);
      continue;
    }

    const outlying = findOutlyingGroup(version, highestGroups, checkedGroups, minMeasure);
    if (!outlying) {
      continue;
    }

    // The versions are sorted, so an outlier in the batch of a lower one adds nothing to that batch.
    const batch = reasons.has(version.text) ? [] : findSameBatch(version, outlying, added);
    reasons.set(version.text, describeOutlier(version, outlying, greatest));
    for (const { text } of batch) {
      if (!reasons.has(text)) {
        reasons.set(text, `beyond the same gap as ${version.text}`);
      }
    }
  }

  return reasons;
}

/** This year, or the highest recorded one if that is later. Without recorded versions by year, no year is later than the returned one. */
function findLastYear(recorded: readonly Version[], day: Day): Group {
  const thisYear = Number(day.slice(0, 4));
  // Sorted like the versions.
  const firstGroups = recorded
    .map(({ groups }) => groups[0]!)
    .filter((group) => group < years.before);
  const isByYear = firstGroups.some((group) => group >= years.from && group <= thisYear + 1);
  return isByYear ? pickHigher(thisYear, firstGroups.at(-1)!) : years.before;
}

/** The highest recorded digit groups, by the leading groups before them, joined with dots, and by position. */
function findHighestGroups(recorded: readonly Version[]) {
  const byPrefix = new Map<string, Group>();
  const byPosition = new Map<number, Group>();

  for (const { groups } of recorded) {
    for (const [position, group] of groups.entries()) {
      const prefix = joinPrefix(groups, position);
      byPrefix.set(prefix, pickHigher(group, byPrefix.get(prefix) ?? group));
      byPosition.set(position, pickHigher(group, byPosition.get(position) ?? group));
    }
  }

  return { byPrefix, byPosition };
}

function pickHigher(a: Group, b: Group): Group {
  return a > b ? a : b;
}

interface OutlyingGroup {
  position: number;
  /** The highest recorded group that it is compared with. */
  highest: Group;
}

function findOutlyingGroup(
  { groups }: Version,
  { byPrefix, byPosition }: HighestGroups,
  checkedGroups: number,
  minMeasure: number,
): OutlyingGroup | undefined {
  for (const [position, group] of groups.slice(0, checkedGroups).entries()) {
    const highestAtPosition = byPosition.get(position);
    if (highestAtPosition === undefined) {
      return undefined;
    }

    const highest = byPrefix.get(joinPrefix(groups, position)) ?? highestAtPosition;
    // Patches may be numbers of builds, so one that is no higher than in another line is usual.
    const isUsualPatch = position === patchPosition && group <= highestAtPosition;
    const measure = pickHigher(highest, position === 0 ? 1 : minMeasure);
    if (group >= BigInt(measure) * BigInt(outlierFactor) && !isUsualPatch) {
      return { position, highest };
    }
  }

  return undefined;
}

function describeOutlier(
  { groups }: Version,
  { position, highest }: OutlyingGroup,
  greatest: string,
): string {
  return position === 0
    ? `at least ${outlierFactor} times the highest recorded version (${greatest})`
    : `${groups[position]} is far above the highest number at its place in earlier versions (${highest})`;
}

/** The new versions with the leading groups of an outlier that are at least as near to it as to the highest recorded group. */
function findSameBatch(
  { groups }: Version,
  { position, highest }: OutlyingGroup,
  added: readonly Version[],
): Version[] {
  const prefix = joinPrefix(groups, position);
  const middle = (Number(groups[position]) + Number(highest)) / 2;
  return added.filter(
    (version) =>
      joinPrefix(version.groups, position) === prefix && Number(version.groups[position]) >= middle,
  );
}

function joinPrefix(groups: Version['groups'], length: number): string {
  return groups.slice(0, length).join('.');
}

/** New versions that are dated before the lowest dated version with the same first two groups. A rejected day shows their age, too. */
export function findVersionsBeforeTheirLine(
  added: readonly RecordedRelease[],
  recorded: readonly RecordedRelease[],
  rejectedDays: ReadonlyMap<string, Day>,
): Reasons {
  const releases = [...recorded, ...added];
  const days = new Map(releases.map((release) => [release.version, findStatedDay(release)]));
  const addedVersions = new Set(added.map(({ version }) => version));
  const starts = new Map<string, { text: string; day: Day }>();
  const early = new Map<string, string>();

  for (const version of sortVersions(releases)) {
    const { text } = version;
    const day = rejectedDays.get(text) ?? days.get(text);
    if (day === undefined) {
      continue;
    }

    const line = nameReleaseLine(version, 2);
    const start = starts.get(line) ?? { text, day };
    starts.set(line, start);

    if (addedVersions.has(text) && day < start.day) {
      early.set(text, `dated ${day}, before its line began with ${start.text} of ${start.day}`);
    }
  }

  return early;
}
