import { formatDays, oldestFirst, type Day } from '../../../core/model/dates.ts';
import { describePhases } from '../../../core/model/words.ts';
import { removeIllegalCharacters } from '../../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import type { ComponentSummary, LineSummary } from '../../../decide/component-summary.ts';
import { listEndsAhead, type EndAhead } from '../../../decide/ends-of-support.ts';
import type { SiteContext } from '../site-context.ts';
import { nameLineAnchor } from './anchors.ts';
import { createEndView } from './end-view.ts';
import type { Markup } from './markup.ts';
import { drawPicture } from './picture-markup.ts';
import {
  chooseAxis,
  layOutPicture,
  findCertainStart,
  type Picture,
  type PictureRow,
} from './picture.ts';
import { renderTemplate } from './templates.ts';

/** The number of rows in a picture of ends. */
export const maxEndRows = 12;

const maxNames = 2;
/** The months before and after the present quarter. */
const shownMonths = { back: 24, ahead: 30 };

/** A picture with a row for each end: its words, and the bar of its lines. */
export function drawEnds(ends: readonly EndAhead[], { day, theme }: SiteContext): Markup {
  const rows = ends.map((end) => {
    const { lines, newest, isWholeComponent } = end;
    const view = {
      ...describeEndOfSupport(end, day),
      size: lines.length > maxNames && !isWholeComponent && formatCount(lines.length, 'line'),
      phases: describePhases(newest.phases),
    };
    return {
      ...createEndRow(end),
      name: { markup: renderTemplate(theme, 'end-name', view) },
      until: { markup: renderTemplate(theme, 'end-until', view) },
    };
  });

  return drawPicture(layOutEnds(rows, day), 'Ends of support');
}

/** Places the bars of ends on an axis around the present quarter. */
function layOutEnds<Row extends PictureRow>(rows: readonly Row[], day: Day): Picture<Row> {
  return layOutPicture(rows, day, chooseAxis(rows, day, shownMonths));
}

/** One row for lines that end together, from the first beginning on. */
function createEndRow({ lines, newest }: EndAhead): PictureRow {
  const { state, phases } = newest;
  // A line of unknown age may be the first.
  const sortKey = ({ began }: LineSummary) => findCertainStart(began) ?? '';
  const [first = newest] = lines.toSorted((a, b) => oldestFirst(sortKey(a), sortKey(b)));
  const { began } = first;
  return { state, phases, began, releaseDays: lines.flatMap((line) => line.releaseDays).sort() };
}

/** An end in words, and the move before it. */
export function describeEndOfSupport(end: EndAhead, day: Day) {
  const { component, lines, newest, phase, isWholeComponent, tone } = end;
  const isOneLine = !isWholeComponent && lines.length === 1;
  const notes = [phase, newest.inferred && 'inferred'].filter(Boolean).join(', ');
  const view = createEndView(end, day);

  return {
    tone,
    end: view,
    title: component.definition.title,
    subject: isWholeComponent ? 'all versions' : nameLines(end),
    notes: notes && `(${notes})`,
    href: `${component.name}.html#${isOneLine ? nameLineAnchor(newest.name) : 'lines'}`,
    // The script of the pages updates the move: on the day of the build there may be no reason yet.
    move: {
      component: component.name,
      line: newest.name,
      to: newest.moveTo,
      until: view.until,
      atMost: view.atMost,
    },
  };
}

/** `13.1 to 21.2` if no other line is between them. */
function nameLines({ component, lines, newest }: EndAhead): string {
  const [oldest] = lines;
  const { lines: allLines } = component;
  const isWhole = allLines.indexOf(newest) - allLines.indexOf(oldest) === lines.length - 1;
  if (lines.length > maxNames && isWhole) {
    return `${oldest.name} to ${newest.name}`;
  }

  const names = lines.map(({ name }) => name);
  return formatList(names, maxNames);
}

// Lengths in pixels, as in the template `support.hbs`.

/** The height of the title with the names of years above the rows, and of a row. */
const headHeight = 92;
const rowHeight = 32;

/** The place of a key in the legend, with room for `then extended (paid, not for everyone)`. */
const keyWidth = 320;
const keyHeight = 20;
const keysInRow = 3;

/**
 * `support.svg`, for an `img` on any page, with its own light and dark colours. It shows no line of today: with equal data,
 * it changes only when a quarter begins, or an end comes near or passes.
 */
export function renderSupportPicture(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
): string {
  const { day, config, theme } = site;
  const ends = listEndsAhead(summaries, day).slice(0, maxEndRows);
  const rows = ends.map((end) => ({ ...createEndRow(end), ...describeEndOfSupport(end, day) }));
  const { tracks, ticks, legend } = layOutEnds(rows, day);
  const rowsEnd = headHeight + rows.length * rowHeight;

  const picture = renderTemplate(theme, 'support', {
    title: config.title,
    height: rowsEnd + 20 + Math.ceil(legend.length / keysInRow) * keyHeight,
    gridDepth: rowsEnd - 36,
    ticks,
    rows: tracks.map((track, index) => ({
      ...track,
      y: headHeight + index * rowHeight,
      until: formatDays(track.end.words),
    })),
    legend: legend.map((key, index) => ({
      ...key,
      x: 16 + (index % keysInRow) * keyWidth,
      y: rowsEnd + 8 + Math.floor(index / keysInRow) * keyHeight,
    })),
  });
  return removeIllegalCharacters(picture);
}
