import { endsOfSupport } from '../../../decide/ends.ts';
import { addMonths, readableDay, splitDays, startOfQuarter } from '../../../core/model/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted } from '../../../core/text/text.ts';
import type { SiteContext, SiteFile } from '../site-context.ts';
import {
  announcedEnd,
  endsAhead,
  isAhead,
  mostRows,
  pictureOf,
  planOf,
  endRow,
} from './end-rows.ts';
import { labelChips } from './labels.ts';
import { endedMonths, monthsOf } from './months.ts';
import { renderPage, renderTemplate } from './templates.ts';
import { isSoon } from './time-axis.ts';

/** Older ends are only on the pages of components. */
const monthsBack = 6;

/** `timeline.html`, and `support.svg` as a picture for wikis. */
export function renderTimeline(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
): SiteFile[] {
  const { day } = site;
  const ahead = endsAhead(summaries, day);
  const isLong = ahead.length > mostRows;
  const soon = ahead.filter((end) => isSoon(day, end.day));
  const counts = isLong ? soon : ahead;
  const oldest = addMonths(startOfQuarter(day), -monthsBack);
  const past = endsOfSupport(summaries).filter((end) => !isAhead(end, day) && end.day >= oldest);
  const drawn = new Set(ahead.map(({ component }) => component));
  const others = summaries.filter((summary) => !drawn.has(summary)).length;

  const view = {
    isLong,
    ends: counted(counts.length, 'end'),
    components: counted(new Set(counts.map(({ component }) => component)).size, 'component'),
    plan: !isLong && ahead.length > 0 && planOf(ahead, day),
    twelve: isLong && monthsOf(ahead, day),
    chips: isLong ? labelChips(summaries.filter((summary) => drawn.has(summary))) : [],
    past: endedMonths(past, day),
    others: isLong || others === 0 ? '' : counted(others, 'component'),
  };

  return [
    { path: 'timeline.html', body: renderPage(site, 'timeline', view) },
    { path: 'support.svg', body: renderPicture(site, summaries) },
  ];
}

/** Pixels of the picture. */
const rowHeight = 32;
const headHeight = 92;
const keyWidth = 210;
const keysInRow = 4;

/**
 * `support.svg`, for an `img` on any page, with its own light and dark colours. It shows no line of today, so it changes only
 * with its data.
 */
function renderPicture(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const ends = endsAhead(summaries, site.day).slice(0, mostRows);
  const rows = ends.map((end) => ({ ...endRow(end), ...announcedEnd(end, site.day) }));
  const { tracks, ticks, legend } = pictureOf(rows, site.day);
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
