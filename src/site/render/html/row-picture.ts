import type { EndOfSupport } from '../../../decide/ends.ts';
import { dayNumber, daysBetween, type Day } from '../../../core/dates.ts';
import { isLineOfNoEnd, type ComponentSummary } from '../../../decide/component.ts';
import { counted } from '../../../core/text.ts';
import { isSoon, position, type TimeAxis } from './time-axis.ts';

/** Height of a row without labels. */
const plainHeight = 48;

/**
 * The picture of a component in its row of the timetable: paths in days across and pixels down. `ahead` is visible only from
 * today on. `ends`: those ahead of the day, soonest first.
 */
export function pictureOf(
  { lines, latest, releaseDays }: ComponentSummary,
  ends: readonly EndOfSupport[],
  axis: TimeAxis,
  day: Day,
) {
  const middle = plainHeight / 2;
  const kind = lines.some((line) => line.isSupported) ? 'open promised' : 'open';
  const open = latest ? `M${axis.from} ${middle}h${axis.days}` : '';
  const plain = {
    height: plainHeight,
    middle,
    rows: 0,
    labels: [],
    unlabelled: 0,
    bar: '',
    soon: '',
    leader: '',
  };
  const { bar, soon, leader, ...picture } =
    ends.length > 0 ? staircaseOf(axis, day, ends, lines.some(isLineOfNoEnd)) : plain;
  return {
    ...picture,
    viewBox: `${axis.from} 0 ${axis.days} ${picture.height}`,
    ahead: shapes(ends.length > 0 ? { bar, soon } : { [kind]: open }),
    marks: shapes({ leader, dots: dotsAt(releaseDays, picture.middle) }),
  };
}

/** A line of no length for each day, relative to the one before it: such paths compress well. */
function dotsAt(days: readonly Day[], y: number): string {
  return days
    .map((day, index) => {
      const before = days[index - 1];
      return `${before === undefined ? `M${dayNumber(day)} ${y}` : `m${daysBetween(before, day)} 0`}h0`;
    })
    .join('');
}

/** Without those that are empty. */
function shapes(paths: Readonly<Record<string, string>>): { kind: string; path: string }[] {
  return Object.entries(paths).flatMap(([kind, path]) => (path === '' ? [] : { kind, path }));
}

const stairs = 16;
const rowHeight = 13;
const maxRows = 5;
/** The narrowest picture, in a window of 320. */
const narrowest = 288;
const gap = 4;

/**
 * Steps down at each end of support: a `bar` from the beginning of the axis, of which the page hides what is before today; the
 * part of it up to the last end that comes `soon`; and a `leader` from each label down to its step. `ends`: one or more, soonest
 * first. `isOpenEnded`: a line without a stated end is supported as well.
 */
export function staircaseOf(axis: TimeAxis, day: Day, ends: readonly EndOfSupport[], isOpenEnded: boolean) {
  const placed = placeLabels(axis, ends);
  const rows = Math.max(...placed.map(({ row }) => row)) + 1;
  const top = rows * rowHeight + 5;
  const bottom = top + stairs;
  const step = Math.round((stairs / (ends.length + Number(isOpenEnded))) * 100) / 100;
  const pathTo = (last: number, steps: readonly EndOfSupport[]) => {
    const down = steps.map((end) => `H${placeOf(axis, end.day)}v${step}`).join('');
    return `M${axis.from} ${top}${down}H${last}V${bottom}H${axis.from}z`;
  };
  const soon = ends.filter((end) => isSoon(day, end.day));
  const yOf = (row: number) => (rows - row) * rowHeight;
  return {
    height: bottom + 8,
    middle: (top + bottom) / 2,
    rows,
    bar: pathTo(isOpenEnded ? axis.from + axis.days : placeOf(axis, ends.at(-1)!.day), ends),
    soon: soon.length === 0 ? '' : pathTo(placeOf(axis, soon.at(-1)!.day), soon),
    leader: placed.map(({ place, row }) => `M${place} ${yOf(row) - 9}V${top}`).join(''),
    labels: placed.map(({ text, at, anchor, row }) => ({
      text,
      at,
      y: yOf(row),
      anchor,
      gap: anchor === 'start' ? gap : -gap,
    })),
    unlabelled: ends.length - placed.length,
  };
}

/** The lines that end, in a short text. */
export function linesThatEnd({ lines, isOfAll }: EndOfSupport): string {
  if (isOfAll) return 'all versions';
  return lines.length > 2 ? counted(lines.length, 'line') : lines.join(', ');
}

/** The labels that do not overlap in the narrowest picture, the soonest first. Rows count from below; `place` is in days. */
function placeLabels(axis: TimeAxis, ends: readonly EndOfSupport[]) {
  const occupiedTo: number[] = [];
  return ends.flatMap((end) => {
    const text = `${linesThatEnd(end)} ${end.day}${end.day > axis.end ? ' →' : ''}`;
    const at = position(axis, end.day);
    const x = (Number.parseFloat(at) / 100) * narrowest;
    const width = widthOf(text) + gap;
    const anchor = width > x ? 'start' : 'end';
    const left = anchor === 'start' ? x : x - width;
    const free = occupiedTo.findIndex((right) => right <= left);
    const row = free === -1 ? occupiedTo.length : free;
    if (row === maxRows) return [];
    occupiedTo[row] = left + width;
    return { text, at, anchor, row, place: placeOf(axis, end.day) };
  });
}

/** Upper bound in pixels, for the widest common font: only digits, letters and arrows are wide. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (/[\p{L}\p{N}→]/u.test(character) ? 7 : 4), 0);
}

/** A day beyond the axis is at its end. */
function placeOf({ from, days }: TimeAxis, day: Day): number {
  return Math.min(dayNumber(day), from + days);
}
