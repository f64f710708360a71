import {
  addMonths,
  countDaysBetween,
  newestFirst,
  startOfQuarter,
  cutDay,
  type Day,
} from '../../../core/model/dates.ts';
import { describeDuration, describeReason, stateLabels } from '../../../core/model/words.ts';
import { formatNumber, formatCount } from '../../../core/text/wording.ts';
import type { JudgedRelease, Judgement } from '../../../decide/judge.ts';
import { listDatedReleases } from '../../../decide/release-days.ts';
import { layOutMarks, layOutScale } from './picture.ts';
import { computePercent, createTimeAxis, describeYears } from './time-axis.ts';
import type { PublishedReleaseOn } from '../../../ask/answers/component-on.ts';
import { isInForceOn } from '../../../core/model/states.ts';
import type { Reason } from '../../../core/schemas/published/reason.ts';
import { describeSecurity } from '../../../decide/advisories.ts';
import { nameReleaseAnchor } from './anchors.ts';
import { drawDay, drawLink, markDays, markup, type Markup } from './markup.ts';

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
  const { releases, latest, day } = judgement;
  const quarter = startOfQuarter(day);
  const from = addMonths(quarter, -monthsBack);
  const days = listDatedReleases(judgement)
    .map(({ releaseDay }) => releaseDay)
    .sort();
  const recent = days.filter((on) => on >= from);
  const [since, last] = [recent[0], recent.at(-1)];

  // One release has no frequency.
  if (days.length < 2 || since === undefined || last === undefined || !latest) {
    return undefined;
  }

  const axis = createTimeAxis(since < quarter ? since : quarter, quarter);
  const period = { kind: 'bar', from: computePercent(axis, since), to: computePercent(axis, last) };
  const track = { segments: [period], ...layOutMarks(recent, axis) };

  return {
    years: describeYears(axis),
    picture: { ...layOutScale(axis, day), tracks: [track] },
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
    ],
  };
}

/** The mean time between releases; empty where most days have several. */
function describeInterval(first: Day, last: Day, count: number): string {
  const mean = Math.round(countDaysBetween(first, last) / (count - 1));
  return mean > 0 ? `about one in ${describeDuration(mean)}` : '';
}

/** The table of releases that the build judged. `unknownDay`: the words for a release without a day. */
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

export function describeLeftOut(count: number): string {
  return count > 0 ? formatCount(count, 'older release') : '';
}

/** The facts of a row. */
type TableRelease = Pick<
  PublishedReleaseOn,
  | 'version'
  | 'releaseTimestamp'
  | 'timestampKind'
  | 'changelogUrl'
  | 'isPrerelease'
  | 'isDeprecated'
  | 'state'
  | 'because'
  | 'security'
> & { readonly reasons?: readonly Reason[] | undefined };

/** A table of releases, by the build and by the script. Each row has an address. Of neighbours with the same reason, the first names it. */
export function renderReleaseTable(
  caption: string,
  releases: readonly TableRelease[],
  day: Day,
  unknownDay?: string,
): Markup {
  const rows: Markup[] = [];
  let reasonAbove: string | undefined;
  for (const release of releases) {
    const { version } = release;
    const reason = describeReasons(release, day);
    const notes = renderNotes(release, reason, reasonAbove);
    rows.push(
      markup`<tr id="${nameReleaseAnchor(version)}"><th scope="row">${version}</th><td>${renderDay(release, unknownDay)}</td><td>${notes}</td></tr>\n`,
    );
    reasonAbove = reason;
  }

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
export function renderDay(
  {
    releaseTimestamp,
    timestampKind,
  }: { releaseTimestamp?: string | undefined; timestampKind?: unknown },
  unknownDay = 'day unknown',
): Markup | string {
  if (releaseTimestamp === undefined) {
    return unknownDay;
  }

  return drawDay({ day: cutDay(releaseTimestamp), isObserved: timestampKind === 'observed' });
}

/** The notes of a release, most of which have none. `reasonAbove`: of the row above, which names an equal reason. */
function renderNotes(release: TableRelease, reason: string, reasonAbove?: string): Markup[] {
  const { version, state, because, isDeprecated, isPrerelease, changelogUrl } = release;
  const notes: Markup[] = [];
  if (isPrerelease) {
    notes.push(markup`prerelease `);
  }
  if (reason !== '' && isDeprecated && state !== 'ended') {
    notes.push(markup`<b>${stateLabels[state].toLowerCase()}</b> `);
  }
  if (changelogUrl !== undefined) {
    const suffix = markup`<span class="visually-hidden"> of ${version}</span>`;
    notes.push(markup`<a href="${changelogUrl}">Notes${suffix}</a>`);
  }

  const { security = '' } = release;
  const isRepeated = reason === reasonAbove;
  const text = isRepeated ? security : `${reason} ${security}`.trim();
  if (text !== '') {
    const links = isRepeated ? [] : because.map(({ url }) => drawLink('Read why', url));
    notes.push(markup`<p class="note">${markDays(text)}${links}</p>`);
  }

  return notes;
}
