import { addMonths, formatDay, splitDays, type Day } from '../../../core/model/dates.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { isSoon } from '../../../core/model/states.ts';
import { describePhases } from '../../../core/model/words.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary, LineSummary } from '../../../decide/component.ts';
import { listEndsOfSupport, type EndOfSupport } from '../../../decide/ends-of-support.ts';
import type { SiteContext } from '../site-context.ts';
import { createEndView, type Markup } from './markup.ts';
import { drawPlan } from './draw-picture.ts';
import { chooseAxis, drawPicture, type Picture, type PictureRow } from './picture.ts';
import { renderTemplate } from './templates.ts';

/** With more rows, the picture shows the ends by month. */
export const mostRows = 12;

const maxNames = 2;
/** Months around the present quarter. */
const window = { back: 24, ahead: 30 };

/** The ends that have not certainly passed, the soonest first. */
export function listEndsAhead(summaries: readonly ComponentSummary[], day: Day): EndOfSupport[] {
  return listEndsOfSupport(summaries).filter((end) => isAhead(end, day));
}

/** Whether an end has not certainly passed. */
function isAhead(end: EndOfSupport, day: Day): boolean {
  return hasEnded({ until: end.day, untilAtMost: end.atMost }, day) !== true;
}

/** A picture of ends of support. `rows`: a row for each end. */
function describePicture<Row extends PictureRow>(rows: readonly Row[], day: Day): Picture<Row> {
  return drawPicture(rows, day, chooseAxis(rows, day, window));
}

/** The picture of ends with its words. */
export function drawEnds(ends: readonly EndOfSupport[], { day, theme }: SiteContext): Markup {
  const rows = ends.map((end) => {
    const isLong = end.lines.length > maxNames && !end.isOfAll;
    const view = {
      ...describeAnnouncedEnd(end, day),
      size: isLong && formatCount(end.lines.length, 'line'),
      phases: describePhases(end.lines[0].phases),
    };
    return {
      ...createEndRow(end),
      name: { markup: renderTemplate(theme, 'end-name', view) },
      until: { markup: renderTemplate(theme, 'end-until', view) },
    };
  });

  return drawPlan(describePicture(rows, day), 'Ends of support');
}

/** One row for lines that end together. */
function createEndRow({ lines, newest: { state, phases } }: EndOfSupport): PictureRow {
  // An unknown beginning comes first.
  const findStart = ({ began: { from, atMost = from } }: LineSummary) => atMost ?? '';
  const { began } = lines.reduce((first, line) =>
    findStart(line) < findStart(first) ? line : first,
  );
  const releaseDays = lines.flatMap((line) => line.releaseDays).sort();
  return { state, phases, began, releaseDays };
}

/** An end in words. */
export function describeAnnouncedEnd(end: EndOfSupport, day: Day) {
  const { atMost, component, lines, phase, isOfAll } = end;
  const isOne = !isOfAll && lines.length === 1;
  const notes = [phase, end.newest.inferred && 'inferred'].filter(Boolean).join(', ');
  const view = createEndView(
    { until: end.day === atMost ? undefined : end.day, untilAtMost: atMost },
    day,
  );

  return {
    end: view,
    words: view.words,
    title: component.definition.title,
    subject: isOfAll ? 'all versions' : joinNames(end),
    notes: notes && `(${notes})`,
    href: `${component.name}.html#${isOne ? `line-${lines[0].name}` : 'lines'}`,
    move: createMoveView(end, view),
  };
}

/** The move before an end. The script of the pages updates it: on the day of the build there may be no reason yet. */
function createMoveView(
  { component, newest }: EndOfSupport,
  { until, atMost }: ReturnType<typeof createEndView>,
): object {
  return { component: component.name, line: newest.name, to: newest.moveTo, until, atMost };
}

/** `13.1 to 21.2` if no other line is between them. */
function joinNames({ component, lines, newest }: EndOfSupport): string {
  const [oldest] = lines;
  const { lines: allLines } = component;
  const isWhole = allLines.indexOf(newest) - allLines.indexOf(oldest) === lines.length - 1;
  if (lines.length > maxNames && isWhole) {
    return `${oldest.name} to ${newest.name}`;
  }

  return formatList(
    lines.map(({ name }) => name),
    maxNames,
  );
}

/** The replacement of a component, `Edge node 2.2`; empty if there is none. */
export function nameReplacement({ definition, replacement }: ComponentSummary): string {
  const { title = definition.replacedBy, version } = replacement ?? {};
  return [title, version].filter(Boolean).join(' ');
}

const months = 12;
/** The squares in a row of the strip, their distance and their side. */
const squares = 6;
const step = 12;
const side = 9;

/** The ends of the next twelve months as squares and by day, and later ends by year. `ends`: soonest first. */
export function groupByMonth(ends: readonly EndOfSupport[], day: Day) {
  const start = `${day.slice(0, 7)}-01`;
  const firsts = Array.from({ length: months }, (_, index) => addMonths(start, index));
  const byMonth = Map.groupBy(ends, (end) => findDueDay(end, day).slice(0, 7));
  const due = firsts.map((first) => byMonth.get(first.slice(0, 7)) ?? []);
  const height = Math.ceil(Math.max(1, ...due.map(({ length }) => length)) / squares) * step;
  const views = firsts.map((first, index) => ({
    ...createMonthView(due[index]!, first, day),
    year: first.endsWith('-01-01') || first === start ? first.slice(0, 4) : '',
    squares: drawSquares(due[index]!, day, height),
  }));

  const last = addMonths(start, months);
  const later = Map.groupBy(
    ends.filter((end) => findDueDay(end, day) >= last),
    (end) => end.day.slice(0, 4),
  );
  return {
    height,
    width: squares * step,
    months: views,
    opened: views.filter(({ count }) => count > 0),
    later: Array.from(later, ([year, group]) => ({
      name: year,
      size: formatCount(group.length, 'end'),
      ends: group.map((end) => createListRow(end, day)),
    })),
  };
}

/** An end that may have passed is due now. */
function findDueDay(end: EndOfSupport, day: Day): Day {
  return end.day < day ? day : end.day;
}

function chooseTone(end: EndOfSupport, day: Day) {
  return isSoon(day, end.day) ? 'soon' : 'ok';
}

/** A row without the time until a near end: the list is by month. */
function createListRow(end: EndOfSupport, day: Day) {
  const row = describeAnnouncedEnd(end, day);
  return { ...row, end: { ...row.end, isNear: false }, tone: chooseTone(end, day) };
}

function createMonthView(due: readonly EndOfSupport[], first: Day, day: Day) {
  const name = formatMonth(first);
  const components = new Set(due.map(({ component }) => component));
  const days = Map.groupBy(due, (end) => findDueDay(end, day));
  return {
    id: `month-${first.slice(0, 7)}`,
    name,
    short: name.slice(0, 3),
    count: due.length,
    size: `${formatCount(due.length, 'end')} of ${formatCount(components.size, 'component')}`,
    days: Array.from(days, ([on, group]) => ({
      on,
      weekday: nameWeekday(on),
      ends: group.map((end) => createListRow(end, day)),
    })),
  };
}

/** A path for each tone. The soonest ends are at the bottom. */
function drawSquares(due: readonly EndOfSupport[], day: Day, height: number) {
  return (['soon', 'ok'] as const).map((tone) => ({
    tone,
    path: due
      .map((end, index) => (chooseTone(end, day) === tone ? drawSquare(index, height) : ''))
      .join(''),
  }));
}

function drawSquare(index: number, height: number): string {
  const y = height - step * (Math.floor(index / squares) + 1);
  return `M${(index % squares) * step} ${y}h${side}v${side}h-${side}z`;
}

/** `August 2026`. */
export function formatMonth(day: Day): string {
  return new Date(day).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function nameWeekday(day: Day): string {
  return new Date(day).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' });
}

/** Pixels of the picture. */
const rowHeight = 32;
const headHeight = 92;
const keyWidth = 210;
const keysInRow = 4;

/**
 * `support.svg`, for an `img` on any page, with its own light and dark colours. It shows no line of today: with equal data,
 * it changes only when a quarter begins, or an end comes near or passes.
 */
export function renderSupportPicture(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
): string {
  const ends = listEndsAhead(summaries, site.day).slice(0, mostRows);
  const rows = ends.map((end) => ({
    ...createEndRow(end),
    ...describeAnnouncedEnd(end, site.day),
  }));
  const { tracks, ticks, legend } = describePicture(rows, site.day);
  const depth = headHeight + ends.length * rowHeight;

  return renderTemplate(site.theme, 'support', {
    title: site.config.title,
    ticks,
    rows: tracks.map((row, index) => ({
      ...row,
      until: splitDays(row.words)
        .map(({ text, isDay }) => (isDay ? formatDay(text) : text))
        .join(''),
      y: headHeight + index * rowHeight,
    })),
    gridDepth: depth - 36,
    legend: legend.map((key, index) => ({
      ...key,
      x: 16 + (index % keysInRow) * keyWidth,
      y: depth + 8 + Math.floor(index / keysInRow) * 20,
    })),
    height: depth + 20 + Math.ceil(legend.length / keysInRow) * 20,
  });
}
