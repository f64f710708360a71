import {
  addDays,
  addMonths,
  countDaysBetween,
  formatDay,
  startOfQuarter,
  type Day,
} from '../../../core/model/dates.ts';
import { formatRange } from '../../../core/text/wording.ts';

/** The span of days of a picture. */
export interface TimeAxis {
  /** The first day, and the day after the last. Both begin a quarter or a year, so pictures change only then. */
  readonly start: Day;
  readonly end: Day;
  /** The number of days. */
  readonly days: number;
}

const maxDaysByMonth = 430;
const maxDaysByQuarter = 1500;
const maxYears = 8;

function createAxis(start: Day, end: Day): TimeAxis {
  return { start, end, days: countDaysBetween(start, end) };
}

/** An axis in whole quarters if it is short, otherwise in whole years. */
export function createTimeAxis(first: Day, last: Day): TimeAxis {
  const quarters = createAxis(startOfQuarter(first), addMonths(startOfQuarter(last), 3));
  if (quarters.days <= maxDaysByQuarter) {
    return quarters;
  }

  return createAxis(`${first.slice(0, 4)}-01-01`, addMonths(`${last.slice(0, 4)}-01-01`, 12));
}

/** The lines across a picture for months, quarters or years, by the length of the axis, some with names that fit a narrow window. */
export function computeTicks(axis: TimeAxis) {
  const { start, end, days } = axis;
  const step = chooseTickMonths(days);
  const firstYear = Number(start.slice(0, 4));
  const yearsPerName = Math.ceil(days / 366 / maxYears);
  const ticks = [];

  for (let day = start; day < end; day = addMonths(day, step)) {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
    const left = `${computePercent(axis, day)}%`;

    // The name of a partial year needs room before the next year.
    const namesPartialYear = day === start && step === 3 && month <= 7;
    if (month === 1 || namesPartialYear) {
      const isNamed = (year - firstYear) % yearsPerName === 0;
      ticks.push({ left, kind: 'year', name: isNamed ? String(year) : '' });
      continue;
    }

    // A narrow window names one month in each quarter.
    const name = step === 1 ? formatDay(day).slice(2, 5) : '';
    ticks.push({ left, kind: month % 3 === 1 ? 'part' : 'month', name });
  }

  return ticks;
}

function chooseTickMonths(days: number): number {
  if (days <= maxDaysByMonth) {
    return 1;
  }

  return days <= maxDaysByQuarter ? 3 : 12;
}

/** Position of a day in per cent of the width; days beyond the axis are at its ends. */
export function computePercent({ start, days }: TimeAxis, day: Day): number {
  const share = countDaysBetween(start, day) / days;
  return roundToHundredth(Math.min(Math.max(share, 0), 1) * 100);
}

export function roundToHundredth(value: number): number {
  return Math.round(value * 100) / 100;
}

/** `2024 to 2027`, or a year that is the only one. */
export function describeYears({ start, end }: TimeAxis): string {
  return formatRange(start.slice(0, 4), addDays(end, -1).slice(0, 4));
}
