import { formatDays } from '../../../core/model/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { SiteContext } from '../site-context.ts';
import {
  createEndRow,
  describeAnnouncedEnd,
  drawEndBars,
  listEndsAhead,
  maxEndRows,
} from './end-rows.ts';
import { renderTemplate } from './templates.ts';

/** The height of the title with the names of years above the rows, and of a row, in pixels. */
const headHeight = 92;
const rowHeight = 32;

/** The place of a key in the legend. */
const keyWidth = 210;
const keyHeight = 20;
const keysInRow = 4;

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
  const rows = ends.map((end) => ({ ...createEndRow(end), ...describeAnnouncedEnd(end, day) }));
  const { tracks, ticks, legend } = drawEndBars(rows, day);
  const rowsEnd = headHeight + rows.length * rowHeight;
  const legendRows = Math.ceil(legend.length / keysInRow);

  return renderTemplate(theme, 'support', {
    title: config.title,
    height: rowsEnd + 20 + legendRows * keyHeight,
    gridDepth: rowsEnd - 36,
    ticks,
    rows: tracks.map((track, index) => ({
      ...track,
      y: headHeight + index * rowHeight,
      until: formatDays(track.end.words),
    })),
    legend: legend.map((key, index) => ({ ...key, ...placeKey(index, rowsEnd + 8) })),
  });
}

/** `top`: of the legend. */
function placeKey(index: number, top: number) {
  return {
    x: 16 + (index % keysInRow) * keyWidth,
    y: top + Math.floor(index / keysInRow) * keyHeight,
  };
}
