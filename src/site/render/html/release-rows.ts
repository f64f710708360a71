import {
  addMonths,
  cutDay,
  type Day,
  countDaysBetween,
  newestFirst,
  startOfQuarter,
} from '../../../core/model/dates.ts';
import { isInForceOn, type State } from '../../../core/model/states.ts';
import { describeDuration, describeReason, stateLabels } from '../../../core/model/words.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import type { JudgedRelease, Judgement } from '../../../decide/judge.ts';
import { listDatedReleases } from '../../../decide/recent.ts';
import { describeSecurity } from '../../../decide/sentences.ts';
import { drawDay, drawLink, markDays, markup, nameReleaseAnchor, type Markup } from './markup.ts';
import { chooseAxis, drawPicture } from './picture.ts';
import { describeYears } from './time-axis.ts';

/** Larger tables are slow in a browser. */
const maxReleases = 300;
/** The number of years that are open. */
const openYears = 2;
/** The number of releases that are open where no day is known. */
const openUndated = 20;
/** The period of "Release frequency", before the present quarter. */
const monthsBack = 24;

/** The table of releases that the build judged. */
export function createReleaseTable(
  caption: string,
  releases: readonly JudgedRelease[],
  day: Day,
  showDay = renderDay,
): Markup {
  const rows = releases.map((release) => ({
    ...release,
    security: describeSecurity(release).join(' '),
  }));
  return renderReleaseTable(caption, rows, day, showDay);
}

export function describeLeftOut(count: number): string {
  return count > 0 ? formatCount(count, 'older release') : '';
}

/** Whether no end is stated. Then age and frequency say more than an empty timeline. */
export function hasNoStatedEnd({ lines }: Pick<Judgement, 'lines'>): boolean {
  return lines.every(({ phases = [] }) => phases.length === 0);
}

/** The releases of a component without a support policy, by year, and how often they come. */
export function createReleaseList(judgement: Judgement) {
  const { releases, day } = judgement;
  const dated = new Set<JudgedRelease>(listDatedReleases(judgement));
  const sorted = releases
    .toReversed()
    .sort((a, b) => newestFirst(a.releaseDay ?? '', b.releaseDay ?? ''));
  const shown = sorted.slice(0, maxReleases);
  const withDay = shown.filter((release) => dated.has(release));
  const withoutDay = shown.filter((release) => !dated.has(release));
  const years = Map.groupBy(withDay, ({ releaseDay = '' }) => releaseDay.slice(0, 4));

  // Without any day, the newest versions come first.
  const openCount = withDay.length === 0 ? openUndated : 0;
  const views = [
    ...Array.from(years, ([year, group]) => createGroupView(year, group, day)),
    createGroupView('Release days unknown', withoutDay.slice(0, openCount), day, renderNoDay),
    createGroupView(
      openCount > 0 ? 'Older versions' : 'Release days unknown',
      withoutDay.slice(openCount),
      day,
      renderNoDay,
    ),
  ].filter(({ table }) => table);
  const shownGroups = openCount > 0 ? 1 : openYears;
  const older = views.slice(shownGroups);
  const olderCount = older.reduce((sum, { size }) => sum + size, 0);

  return {
    often: createOftenView(judgement),
    // Links to the years of a long list.
    contents: older.length > 1 ? views : [],
    years: views.slice(0, shownGroups),
    olderYears: older,
    olderSize: describeLeftOut(olderCount),
    left: describeLeftOut(releases.length - shown.length),
  };
}

function createGroupView(
  name: string,
  releases: readonly JudgedRelease[],
  day: Day,
  showDay = renderDay,
) {
  return {
    id: `of-${name.toLowerCase().replaceAll(' ', '-')}`,
    name,
    size: releases.length,
    table: releases.length > 0 && createReleaseTable(name, releases, day, showDay),
  };
}

/** Marks and numbers for the releases of the last two years. They change only with the quarter and with releases. */
function createOftenView(judgement: Judgement) {
  const { releases, lines, latest, day } = judgement;
  const from = addMonths(startOfQuarter(day), -monthsBack);
  const days = listDatedReleases(judgement)
    .map(({ releaseDay }) => releaseDay)
    .filter((value) => value !== undefined)
    .sort();
  const recent = days.filter((on) => on >= from);
  const [since, last] = [recent[0], recent.at(-1)];

  // One release has no frequency.
  if (days.length < 2 || since === undefined || last === undefined || !latest) {
    return false;
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
      { term: `Since ${from}`, value: formatNumber(recent.length), note: describeInterval(recent) },
      { term: 'Lines in that time', value: describeLinesSince(lines, from) },
    ],
  };
}

/** The mean time between releases. `days`: oldest first. */
function describeInterval(days: readonly Day[]): string {
  if (days.length < 2) {
    return '';
  }

  const mean = countDaysBetween(days[0]!, days.at(-1)!) / (days.length - 1);
  return `about one in ${describeDuration(Math.round(mean))}`;
}

/** The range of lines with a release since a day. */
function describeLinesSince(lines: Judgement['lines'], from: Day): string {
  const names = lines
    .filter(({ releases }) => releases.some(({ releaseDay = '' }) => releaseDay >= from))
    .map(({ name }) => name);
  const [oldest = '', newest = oldest] = [names[0], names.at(-1)];
  return oldest === newest ? oldest : `${oldest} to ${newest}`;
}

/** The facts of a row. */
interface TableRelease {
  readonly version: string;
  readonly releaseTimestamp?: string | undefined;
  readonly timestampKind?: unknown;
  readonly changelogUrl?: string | undefined;
  readonly isPrerelease: boolean;
  readonly isDeprecated: boolean;
  readonly state: State;
  readonly reasons?: readonly Reason[] | undefined;
  readonly because: readonly Reason[];
  /** Sentences on its advisories. */
  readonly security?: string | undefined;
}

/** A table of releases, by the build and by the script. Each row has an address. Of neighbours with the same reason, the first names it. */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  showDay = renderDay,
): Markup {
  const reasons = releases.map((release) => describeReasons(release, day));
  const rows = releases.map((release, index) => {
    const { version } = release;
    const on = showDay(release);
    const notes = renderNotes(release, reasons[index]!, reasons[index - 1]);
    return markup`<tr id="${nameReleaseAnchor(version)}"><th scope="row">${version}</th><td>${on}</td><td>${notes}</td></tr>\n`;
  });

  return markup`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Version</th><th scope="col">Released</th><th scope="col">Notes</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Why a release is or will be deprecated, apart from the support policy; empty without a reason. */
function describeReasons({ reasons = [] }: TableRelease, day: Day): string {
  const inForce = reasons.filter((reason) => isInForceOn(reason, day));
  const shown = inForce.length > 0 ? inForce : reasons.slice(0, 1);
  return shown.map((reason) => describeReason(reason, day)).join(' ');
}

/** The day of a release, in every table and list of releases. */
export function renderDay({
  releaseTimestamp,
  timestampKind,
}: Pick<TableRelease, 'releaseTimestamp' | 'timestampKind'>): Markup | string {
  if (releaseTimestamp === undefined) {
    return 'day unknown';
  }

  return drawDay({ day: cutDay(releaseTimestamp), isObserved: timestampKind === 'observed' });
}

/** For a table whose caption says that the days are unknown. */
export function renderNoDay(): string {
  return '';
}

/** Empty for most releases. */
function renderNotes(release: TableRelease, reason: string, reasonAbove?: string): Markup[] {
  const { version, because, isDeprecated, isPrerelease, changelogUrl, security = '' } = release;
  const suffix = markup`<span class="visually-hidden"> of ${version}</span>`;
  const isRepeated = reason === reasonAbove;
  const text = `${isRepeated ? '' : reason} ${security}`.trim();
  const links = isRepeated ? [] : because.map(({ url }) => url);
  const notes: Markup[] = [];
  if (isPrerelease) {
    notes.push(markup`prerelease `);
  }

  if (reason !== '' && isDeprecated && release.state !== 'ended') {
    notes.push(markup`<b>${stateLabels[release.state].toLowerCase()}</b> `);
  }
  if (changelogUrl !== undefined) {
    notes.push(markup`<a href="${changelogUrl}">Notes${suffix}</a>`);
  }

  if (text !== '') {
    const reasonLinks = links.map((url) => drawLink('Read why', url));
    notes.push(markup`<p class="note">${markDays(text)}${reasonLinks}</p>`);
  }

  return notes;
}
