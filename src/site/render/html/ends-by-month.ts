import { addMonths, formatMonth, type Day } from '../../../core/model/dates.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { EndAhead } from '../../../decide/ends-of-support.ts';
import { describeEndOfSupport } from './ends-ahead.ts';

const monthCount = 12;

/** The squares in a row of a month, their distance and their side. */
const squaresInRow = 6;
const distance = 12;
const side = 9;

/** The ends of the next twelve months as squares and by day, and later ends by year. `ends`: soonest first. */
export function groupByMonth(ends: readonly EndAhead[], day: Day) {
  const start = `${day.slice(0, 7)}-01`;
  const dueByMonth = Map.groupBy(ends, ({ dueOn }) => dueOn.slice(0, 7));
  const months = Array.from({ length: monthCount }, (_, index) => {
    const first = addMonths(start, index);
    return { first, due: dueByMonth.get(first.slice(0, 7)) ?? [] };
  });

  const maxDue = Math.max(1, ...months.map(({ due }) => due.length));
  const height = Math.ceil(maxDue / squaresInRow) * distance;
  const views = months.map(({ first, due }) => ({
    ...createMonthView(due, first, day),
    year: first.endsWith('-01-01') || first === start ? first.slice(0, 4) : '',
    squares: drawSquares(due, height),
  }));

  const afterwards = addMonths(start, monthCount);
  const later = ends.filter(({ dueOn }) => dueOn >= afterwards);
  const byYear = Map.groupBy(later, ({ dueOn }) => dueOn.slice(0, 4));

  return {
    height,
    width: squaresInRow * distance,
    months: views,
    opened: views.filter(({ count }) => count > 0),
    later: Array.from(byYear, ([name, group]) => ({
      name,
      size: formatCount(group.length, 'end'),
      ends: group.map((end) => describeEndOfSupport(end, day)),
    })),
  };
}

function createMonthView(due: readonly EndAhead[], first: Day, day: Day) {
  const name = formatMonth(first);
  const components = new Set(due.map(({ component }) => component));
  const days = Map.groupBy(due, ({ dueOn }) => dueOn);
  return {
    id: `month-${first.slice(0, 7)}`,
    name,
    short: name.slice(0, 3),
    count: due.length,
    size: `${formatCount(due.length, 'end')} of ${formatCount(components.size, 'component')}`,
    days: Array.from(days, ([on, group]) => ({
      on,
      ends: group.map((end) => describeEndOfSupport(end, day)),
    })),
  };
}

/** A path for each tone. The soonest ends are at the bottom. */
function drawSquares(due: readonly EndAhead[], height: number) {
  const paths = { soon: '', ok: '' };
  for (const [index, { tone }] of due.entries()) {
    const x = (index % squaresInRow) * distance;
    const y = height - distance * (Math.floor(index / squaresInRow) + 1);
    paths[tone] += `M${x} ${y}h${side}v${side}h-${side}z`;
  }

  return Object.entries(paths).map(([tone, path]) => ({ tone, path }));
}
