import {
  addMonths,
  countDaysBetween,
  newestFirst,
  startOfQuarter,
  type Day,
} from '../../../core/model/dates.ts';
import { describeDuration } from '../../../core/model/words.ts';
import { formatNumber, formatRange } from '../../../core/text/wording.ts';
import type { JudgedRelease, Judgement } from '../../../decide/judge.ts';
import { listDatedReleases } from '../../../decide/recent.ts';
import { chooseAxis, drawPicture } from './picture.ts';
import { createReleaseTable, describeLeftOut } from './release-rows.ts';
import { describeYears } from './time-axis.ts';

/** Larger tables are slow in a browser. */
const maxReleases = 300;
/** The number of years that are open. */
const openYears = 2;
/** The number of releases that are open where no day is known. */
const openUndated = 20;
/** The period of "Release frequency", before the present quarter. */
const monthsBack = 24;

/** Whether no end is stated. Then age and frequency say more than an empty timeline. */
export function hasNoStatedEnd({ lines }: Pick<Judgement, 'lines'>): boolean {
  return lines.every(({ phases = [] }) => phases.length === 0);
}

/** The releases of a component without a support policy, by year, and how often they come. */
export function createReleaseList(judgement: Judgement) {
  const { releases, day } = judgement;
  const dated = new Set<JudgedRelease>(listDatedReleases(judgement));
  const shown = releases
    .toReversed()
    .sort((a, b) => newestFirst(a.releaseDay ?? '', b.releaseDay ?? ''))
    .slice(0, maxReleases);

  const groups = groupByYear(shown, dated, day);
  const openCount = shown.some((release) => dated.has(release)) ? openYears : 1;
  const older = groups.slice(openCount);

  return {
    often: createOftenView(judgement),
    // Links to the years of a long list.
    contents: older.length > 1 ? groups : [],
    years: groups.slice(0, openCount),
    olderYears: older,
    olderSize: describeLeftOut(older.reduce((sum, { size }) => sum + size, 0)),
    left: describeLeftOut(releases.length - shown.length),
  };
}

/** The releases of each year, then those without a known day. `shown`: newest first. */
function groupByYear(shown: readonly JudgedRelease[], dated: ReadonlySet<JudgedRelease>, day: Day) {
  const withDay = shown.filter((release) => dated.has(release));
  const undated = shown
    .filter((release) => !dated.has(release))
    .map((release) => ({ ...release, releaseTimestamp: undefined }));
  const years = Map.groupBy(withDay, ({ releaseDay = '' }) => releaseDay.slice(0, 4));

  // Without any day, the newest versions are apart, since they are open.
  const newestCount = withDay.length > 0 ? undated.length : openUndated;
  return [
    ...Array.from(years, ([year, group]) => createGroupView(year, group, day)),
    createGroupView('Release days unknown', undated.slice(0, newestCount), day),
    createGroupView('Older versions', undated.slice(newestCount), day),
  ].filter(({ size }) => size > 0);
}

/** A group of releases with one caption, which says it where their days are unknown. */
function createGroupView(name: string, releases: readonly JudgedRelease[], day: Day) {
  return {
    id: `of-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    size: releases.length,
    table: createReleaseTable(name, releases, day, ''),
  };
}

/** Marks and numbers for the releases of the last two years. They change only with the quarter and with releases. */
function createOftenView(judgement: Judgement) {
  const { releases, lines, latest, day } = judgement;
  const from = addMonths(startOfQuarter(day), -monthsBack);
  const days = listDatedReleases(judgement)
    .map(({ releaseDay }) => releaseDay)
    .sort();
  const recent = days.filter((on) => on >= from);
  const [since, last] = [recent[0], recent.at(-1)];

  // One release has no frequency.
  if (days.length < 2 || since === undefined || last === undefined || !latest) {
    return undefined;
  }

  const row = {
    state: 'no-promise',
    began: { from: since },
    releaseDays: recent,
    phases: [{ name: 'support', until: last }],
  } as const;
  const picture = drawPicture([row], day, chooseAxis([row], day, { back: monthsBack, ahead: 0 }));

  return {
    years: describeYears(picture.axis),
    picture,
    facts: [
      {
        term: `Releases since ${days[0]!.slice(0, 4)}`,
        value: formatNumber(releases.length),
      },
      {
        term: `Since ${from}`,
        value: formatNumber(recent.length),
        note: describeInterval(since, last, recent.length),
      },
      { term: 'Lines in that time', value: describeLinesSince(lines, from) },
    ],
  };
}

/** The mean time between releases; empty where most days have several. */
function describeInterval(first: Day, last: Day, count: number): string {
  const mean = Math.round(countDaysBetween(first, last) / (count - 1));
  return mean > 0 ? `about one in ${describeDuration(mean)}` : '';
}

/** The range of lines with a release since a day. */
function describeLinesSince(lines: Judgement['lines'], from: Day): string {
  const names = lines
    .filter(({ releases }) => releases.some(({ releaseDay = '' }) => releaseDay >= from))
    .map(({ name }) => name);
  return formatRange(names[0] ?? '', names.at(-1) ?? '');
}
