import { addMonths, dayNumber, daysBetween, startOfQuarter, type Day } from '../../../core/dates.ts';

/** A span of days that all pictures of a page share. */
export interface TimeAxis {
  /** First day, and the day after the last: of whole quarters, or whole years, so that a picture moves only with them. */
  readonly start: Day;
  readonly end: Day;
  /** The number of days. */
  readonly days: number;
  /** `start` in days since 1970, the horizontal unit of every picture and of `today.css`. */
  readonly from: number;
}

const mostDaysByQuarter = 850;
const mostYearTicks = 8;

export function axisBetween(start: Day, end: Day): TimeAxis {
  const from = dayNumber(start);
  return { start, end, from, days: dayNumber(end) - from };
}

/** An axis over all of these days: of whole quarters if it is short, of whole years if it is long. */
export function timeAxis(first: Day, last: Day): TimeAxis {
  const quarters = axisBetween(startOfQuarter(first), addMonths(startOfQuarter(last), 3));
  if (quarters.days <= mostDaysByQuarter) return quarters;
  return axisBetween(`${first.slice(0, 4)}-01-01`, `${Number(last.slice(0, 4)) + 1}-01-01`);
}

/** Where years begin; as many as a narrow window can show. */
export function yearTicks(axis: TimeAxis): { at: string; year: string }[] {
  const days = [`${axis.start.slice(0, 4)}-01-01`];
  for (let day = days[0]!; (day = addMonths(day, 12)) < axis.end;) days.push(day);
  const step = Math.ceil(days.length / mostYearTicks);
  return days
    .filter((_, index) => index % step === 0)
    .map((day) => ({ at: position(axis, day), year: day.slice(0, 4) }));
}

/** Position of a day in per cent of the width, for an attribute of SVG; days beyond the axis are at its ends. */
export function position({ from, days }: TimeAxis, day: Day): string {
  const share = Math.min(Math.max((dayNumber(day) - from) / days, 0), 1);
  return `${Math.round(share * 10_000) / 100}%`;
}

const daysOfSoon = 90;

/** Whether an end of support is near enough to be marked. */
export function isSoon(day: Day, end: Day): boolean {
  return daysBetween(day, end) <= daysOfSoon;
}
