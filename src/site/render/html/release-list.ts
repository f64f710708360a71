import {
  addMonths,
  countDaysBetween,
  startOfQuarter,
  type Day,
} from '../../../core/model/dates.ts';
import { describeDuration } from '../../../core/model/words.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import { describeSecurity } from '../../../decide/advisories.ts';
import type { JudgedRelease, Judgement } from '../../../decide/judge.ts';
import { groupByYear, listKnownDays, sortByDay } from '../../../decide/release-days.ts';
import type { Markup } from './markup.ts';
import { layOutMarks, layOutScale } from './picture.ts';
import { renderReleaseTable } from './release-table.ts';
import { computePercent, createTimeAxis, describeYears } from './time-axis.ts';

/** Larger tables are slow in a browser: the releases of a page. */
export const maxReleases = 300;
/** The number of groups that are unfolded: two years, or a single year and the releases without a known day. */
const unfoldedGroups = 2;
/** The number of newest versions that are unfolded where no day is known. */
const unfoldedVersions = 20;
/** The period of "Release frequency", before the present quarter. */
const monthsBack = 24;

/** Whether no line has a phase of support, as without a policy. Then age and frequency say more than an empty timeline. */
export function hasNoPhases({ lines }: Pick<Judgement, 'lines'>): boolean {
  return lines.every(({ phases }) => phases.length === 0);
}

/** The releases of a component without phases of support, by year, and how often they come. */
export function createReleaseList(judgement: Judgement) {
  const { releases } = judgement;
  const shown = sortByDay(releases).slice(0, maxReleases);
  const { groups, unfoldedCount } = createGroups(shown, judgement);
  const older = groups.slice(unfoldedCount);

  return {
    frequency: createFrequencyView(judgement),
    // Links to the years of a long list.
    linkedYears: older.length > 1 ? groups : [],
    years: groups.slice(0, unfoldedCount),
    olderYears: older,
    olderSize: describeLeftOut(older.reduce((sum, { size }) => sum + size, 0)),
    left: describeLeftOut(releases.length - shown.length),
  };
}

/**
 * The releases of each year, then a group of those without a known day, and how many of the first groups are unfolded. If no
 * day is known, there are two groups: the newest versions, which are unfolded, and the older ones. `shown`: newest first.
 */
function createGroups(shown: readonly JudgedRelease[], { releases, day }: Judgement) {
  const { years, undated } = groupByYear(shown, releases);
  const hasDays = years.size > 0;
  const newestCount = hasDays ? undated.length : unfoldedVersions;
  const groups = [
    ...Array.from(years, ([year, group]) => createGroupView(year, group, day)),
    createGroupView('Release days unknown', undated.slice(0, newestCount), day),
    createGroupView('Older versions', undated.slice(newestCount), day),
  ];

  return {
    groups: groups.filter(({ size }) => size > 0),
    unfoldedCount: hasDays ? unfoldedGroups : 1,
  };
}

/** A group of releases. Without a day, a cell is empty: the name of the group says that days are unknown. */
function createGroupView(name: string, releases: readonly JudgedRelease[], day: Day) {
  return {
    id: `of-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    size: releases.length,
    table: createReleaseTable(name, releases, day, ''),
  };
}

/**
 * Marks and numbers for the dated releases, which change only with the quarter and with releases. Undefined without a latest release,
 * with fewer than two dated ones, or with none in the last two years.
 */
function createFrequencyView(judgement: Judgement) {
  const { latest, day, releases } = judgement;
  const days = listKnownDays(releases);
  const quarter = startOfQuarter(day);
  const from = addMonths(quarter, -monthsBack);
  const recent = days.filter((on) => on >= from);
  const [first] = days;
  const [since] = recent;
  const last = recent.at(-1);
  if (!latest || !first || days.length < 2 || !since || !last) {
    return undefined;
  }

  const undatedCount = releases.length - days.length;
  const axis = createTimeAxis(since < quarter ? since : quarter, quarter);
  const period = { kind: 'bar', from: computePercent(axis, since), to: computePercent(axis, last) };
  const track = { segments: [period], ...layOutMarks(recent, axis) };

  return {
    years: describeYears(axis),
    picture: { ...layOutScale(axis, day), tracks: [track] },
    facts: [
      {
        term: `Releases since ${first.slice(0, 4)}`,
        value: formatNumber(days.length),
        note: undatedCount > 0 ? `${formatNumber(undatedCount)} more without a known day` : '',
      },
      {
        term: `Since ${from}`,
        value: formatNumber(recent.length),
        note: describeInterval(since, last, recent.length),
      },
    ],
  };
}

/** The mean time between releases; empty for one or two, which have no frequency, and where most days have several. */
function describeInterval(first: Day, last: Day, count: number): string {
  if (count < 3) {
    return '';
  }

  const mean = Math.round(countDaysBetween(first, last) / (count - 1));
  return mean > 0 ? `about one in ${describeDuration(mean)}` : '';
}

/** The table of releases that the build judged, on any page. `unknownDay`: the words for a release without a day. */
export function createReleaseTable(
  caption: string,
  releases: readonly JudgedRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows = releases.map((release) => ({
    ...release,
    security: describeSecurity(release).join(' '),
  }));
  return renderReleaseTable(caption, rows, day, unknownDay);
}

/** How many older releases a list leaves out; empty for none. */
export function describeLeftOut(count: number): string {
  return count > 0 ? formatCount(count, 'older release') : '';
}
