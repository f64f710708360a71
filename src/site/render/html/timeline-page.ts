import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { addMonths, startOfQuarter, type Day } from '../../../core/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted } from '../../../core/text.ts';
import type { SiteContext, SiteFile } from '../site-context.ts';
import { announcedEnd, groupsOf, isAhead } from './index-page.ts';
import { renderPage, renderTemplate } from './templates.ts';
import { isSoon } from './time-axis.ts';
import { barsOf, byEnd, endOf, planOf, windowOf, type Bar, type Section } from './timeline.ts';

/** More supported lines are too many for one look: then those that end soon are shown, by month. */
const mostBars = 48;

/** `timeline.html`, the same as a picture for wikis, and the former address of the page. */
export function renderTimeline(site: SiteContext, summaries: readonly ComponentSummary[]): SiteFile[] {
  const { day } = site;
  const all = barsOf(summaries, day);
  const running = all.filter(({ tone }) => tone !== 'over');
  const isLong = running.length > mostBars;
  const counts = isLong ? running.filter(({ tone }) => tone === 'soon') : running;
  const bars = isLong ? counts.toSorted(byEnd) : all;
  const ends = endsOfSupport(summaries);
  const ahead = ends.filter((end) => isAhead(end, day));
  const oldest = addMonths(startOfQuarter(day), -6);
  const past = ends.filter((end) => !isAhead(end, day) && end.day >= oldest);
  const drawn = new Set(all.map(({ component }) => component));
  const others = summaries.filter(({ name, latest }) => latest && !drawn.has(name));
  const view = {
    isLong,
    lines: counted(counts.length, isLong ? 'line' : 'supported line'),
    components: counted(new Set(counts.map(({ component }) => component)).size, 'component'),
    next: ahead.slice(0, 2).map((end) => announcedEnd(end, day, false)),
    plan: bars.length > 0 && planOf(isLong ? byMonth(bars) : [wholeOf(bars)], windowOf(bars, day), day),
    lists: isLong
      ? [
          ...byQuarter(
            ahead.filter((end) => !isSoon(day, end.day)),
            day,
          ),
          ...byQuarter(past.toReversed(), day),
        ]
      : [],
    others: isLong ? [] : groupsOf(others, day),
  };
  return [
    { path: 'timeline.html', body: renderPage(site, 'timeline', view) },
    { path: 'ends.html', body: renderPage(site, 'ends', {}) },
    { path: 'support.svg', body: renderPicture(site, bars.slice(0, mostBars)) },
  ];
}

function wholeOf(bars: readonly Bar[]): Section {
  return { heading: '', size: '', bars };
}

function byMonth(bars: readonly Bar[]): Section[] {
  return Array.from(
    Map.groupBy(bars, (bar) => endOf(bar)!.slice(0, 7)),
    ([month, of]) => ({ heading: monthName(month), size: counted(of.length, 'line'), bars: of }),
  );
}

/** `August 2026` of `2026-08`. */
function monthName(month: string): string {
  const options = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(month).toLocaleDateString('en-GB', options);
}

/** Closed lists, in the order of the ends. */
function byQuarter(ends: readonly EndOfSupport[], today: Day): object[] {
  return Array.from(
    Map.groupBy(ends, ({ day }) => startOfQuarter(day)),
    ([quarter, of]) => ({
      name: `${monthName(quarter)} to ${monthName(addMonths(quarter, 2))}`,
      size: `${counted(of.length, 'end')} of support`,
      ends: of.map((end) => announcedEnd(end, today)),
    }),
  );
}

/** Pixels of the picture. */
const rowHeight = 32;
const headHeight = 84;

/** `support.svg`, for an `img` on any page: it has its own colours, light and dark, and no day that would move it daily. */
function renderPicture(site: SiteContext, bars: readonly Bar[]): string {
  const plan = planOf([wholeOf(bars)], windowOf(bars, site.day), site.day);
  let y = headHeight - rowHeight;
  const rows = plan.sections[0]!.groups.flatMap(({ title, bars: of }) =>
    of.map((bar, index) => ({ ...bar, title: index === 0 ? title : '', y: (y += rowHeight) })),
  );
  return renderTemplate(site.theme, 'support', {
    title: site.config.title,
    ...plan,
    rows,
    depth: y + rowHeight - 40,
    height: y + rowHeight + 8,
  });
}
