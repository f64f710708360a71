import { endsOfSupport, type EndOfSupport } from '../../../decide/ends.ts';
import { addMonths, startOfQuarter, type Day } from '../../../core/dates.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import { counted } from '../../../core/text.ts';
import type { SiteContext } from '../site-context.ts';
import { renderPage } from './page-frame.ts';

/**
 * `ends.html`: every end of support ahead, and what ended in this quarter and the two before. It moves when an end comes, and
 * with the quarter.
 */
export function renderEndsPage(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const ends = endsOfSupport(summaries);
  const ahead = ends.filter(({ day }) => day > site.day);
  const oldest = addMonths(startOfQuarter(site.day), -6);
  const past = ends.filter(({ day }) => day <= site.day && day >= oldest);
  return renderPage(site, 'ends', {
    size: ahead.length === 0 ? '' : `${counted(ahead.length, 'end')} of support ahead`,
    first: ahead[0]?.day ?? '',
    ahead: quartersOf(ahead, ''),
    past: quartersOf(past.toReversed(), 'past-'),
  });
}

/** In the order of the ends. */
function quartersOf(ends: readonly EndOfSupport[], prefix: string): object[] {
  return Array.from(
    Map.groupBy(ends, ({ day }) => startOfQuarter(day)),
    ([quarter, members]) => ({ ...quarterName(quarter, prefix), ends: members.map(endRow) }),
  );
}

const months = ['January to March', 'April to June', 'July to September', 'October to December'];

function quarterName(start: Day, prefix: string): object {
  const [year, month] = start.split('-').map(Number) as [number, number];
  const quarter = Math.ceil(month / 3);
  return { id: `${prefix}${year}-q${quarter}`, name: `${year} Q${quarter}`, months: months[quarter - 1] };
}

function endRow({ day, component, title, lines, isOfAll }: EndOfSupport): object {
  const page = `${component}.html`;
  return {
    day,
    title,
    page,
    lines: isOfAll
      ? [{ name: 'all versions', href: `${page}#lines` }]
      : lines.map((name) => ({ name, href: `${page}#line-${name}` })),
    calendar: `calendars/${component}.ics`,
  };
}
