import { readableDay, splitDays } from '../../../core/model/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { SiteContext } from '../site-context.ts';
import { announcedEnd, endRow, endsAhead, mostRows, describePicture } from './end-rows.ts';
import { renderTemplate } from './templates.ts';

/** Pixels of the picture. */
const rowHeight = 32;
const headHeight = 92;
const keyWidth = 210;
const keysInRow = 4;

/**
 * `support.svg`, for an `img` on any page, with its own light and dark colours. It shows no line of today, so it changes only
 * with its data.
 */
export function renderSupportPicture(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
): string {
  const ends = endsAhead(summaries, site.day).slice(0, mostRows);
  const rows = ends.map((end) => ({ ...endRow(end), ...announcedEnd(end, site.day) }));
  const { tracks, ticks, legend } = describePicture(rows, site.day);
  const depth = headHeight + ends.length * rowHeight;

  return renderTemplate(site.theme, 'support', {
    title: site.config.title,
    ticks,
    rows: tracks.map((row, index) => ({
      ...row,
      until: splitDays(row.words)
        .map(({ text, isDay }) => (isDay ? readableDay(text) : text))
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
