import { addMonths, type Day } from '../../../core/model/dates.ts';
import { counted } from '../../../core/text/wording.ts';
import type { EndOfSupport } from '../../../decide/line-ends.ts';
import { announcedEnd } from './end-rows.ts';
import { isSoon } from './time-axis.ts';

const months = 12;
/** The squares in a row of the strip, their distance and their side. */
const squares = 6;
const step = 12;
const side = 9;

/** The ends of the next twelve months as squares and by day, and later ends by year. `ends`: soonest first. */
export function groupByMonth(ends: readonly EndOfSupport[], day: Day) {
  // An end that may have passed is due now.
  const dueOn = (end: EndOfSupport) => (end.day < day ? day : end.day);
  const start = `${day.slice(0, 7)}-01`;
  const firsts = Array.from({ length: months }, (_, index) => addMonths(start, index));
  const byMonth = Map.groupBy(ends, (end) => dueOn(end).slice(0, 7));
  const highest = Math.max(...firsts.map((first) => byMonth.get(first.slice(0, 7))?.length ?? 0));
  const height = Math.max(1, Math.ceil(highest / squares)) * step;
  const chooseTone = (end: EndOfSupport) => (isSoon(day, end.day) ? 'soon' : 'ok');

  // Without the time until a near end: the list is by month.
  const toRow = (end: EndOfSupport) => {
    const row = announcedEnd(end, day);
    return { ...row, end: { ...row.end, isNear: false }, tone: chooseTone(end) };
  };

  const shown = firsts.map((first) => {
    const month = first.slice(0, 7);
    const of = byMonth.get(month) ?? [];
    const days = Map.groupBy(of, dueOn);

    return {
      id: `month-${month}`,
      name: monthName(first),
      short: monthName(first).slice(0, 3),
      year: first.endsWith('-01-01') || first === start ? month.slice(0, 4) : '',
      count: of.length,
      size: `${counted(of.length, 'end')} of ${counted(new Set(of.map(({ component }) => component)).size, 'component')}`,
      // The soonest ends are at the bottom.
      squares: (['soon', 'ok'] as const).map((tone) => ({
        tone,
        path: of
          .map((end, index) => (chooseTone(end) === tone ? squareAt(index, height) : ''))
          .join(''),
      })),
      days: Array.from(days, ([on, ending]) => ({
        on,
        weekday: nameWeekday(on),
        ends: ending.map(toRow),
      })),
    };
  });

  const last = addMonths(start, months);
  return {
    height,
    width: squares * step,
    months: shown,
    opened: shown.filter(({ count }) => count > 0),
    later: groupByYear(
      ends.filter((end) => dueOn(end) >= last).map((end) => ({ day: end.day, row: toRow(end) })),
    ),
  };
}

function squareAt(index: number, height: number): string {
  const y = height - step * (Math.floor(index / squares) + 1);
  return `M${(index % squares) * step} ${y}h${side}v${side}h-${side}z`;
}

function groupByYear(rows: readonly { readonly day: Day; readonly row: object }[]) {
  const byYear = Map.groupBy(rows, ({ day }) => day.slice(0, 4));
  return Array.from(byYear, ([year, of]) => ({
    name: year,
    size: counted(of.length, 'end'),
    ends: of.map(({ row }) => row),
  }));
}

/** `August 2026`. */
export function monthName(day: Day): string {
  return new Date(day).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

function nameWeekday(day: Day): string {
  return new Date(day).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' });
}
