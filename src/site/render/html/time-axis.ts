import { addMonths, dayNumber, daysBetween, startOfQuarter, type Day } from '../../../core/dates.ts';

/** The axis that all pictures of a page share: a span of days with ticks. */
export interface TimeAxis {
  /** First day, and the day after the last: of whole quarters, or whole years. */
  readonly start: Day;
  readonly end: Day;
  /** The number of days. */
  readonly days: number;
  /** `start` in days since 1970, the horizontal unit of every picture and of `today.css`. */
  readonly from: number;
  /** The first days of quarters or years, without the first: a path, one unit high. */
  readonly grid: string;
  readonly ticks: readonly Tick[];
}

/** Missing parts of the label are empty texts. */
interface Tick {
  /** As `position` gives it. */
  readonly at: string;
  readonly year: string;
  readonly quarter: string;
}

const maxQuarters = 9;
const maxYearTicks = 8;

/** An axis over all of these days: by quarter if it is short, by year if it is long. */
export function timeAxis(first: Day, last: Day): TimeAxis {
  const quarters = starts(startOfQuarter(first), last, 3);
  if (quarters.length <= maxQuarters + 1) return axisOf(quarters, quarterTick);
  const years = starts(`${first.slice(0, 4)}-01-01`, last, 12);
  const step = Math.ceil((years.length - 1) / maxYearTicks);
  return axisOf(years, (day, index) => ({ year: index % step === 0 ? day.slice(0, 4) : '', quarter: '' }));
}

/** The first day of each span of months, up to the one after the last day. */
function starts(first: Day, last: Day, months: number): Day[] {
  const days = [first];
  for (let day = first; day <= last;) days.push((day = addMonths(day, months)));
  return days;
}

function axisOf(starts: readonly Day[], tick: (day: Day, index: number) => Omit<Tick, 'at'>): TimeAxis {
  const [start, end] = [starts[0]!, starts.at(-1)!];
  const from = dayNumber(start);
  const axis = { start, end, from, days: dayNumber(end) - from };
  return {
    ...axis,
    grid: starts
      .slice(1, -1)
      .map((day) => `M${dayNumber(day)} 0v1`)
      .join(''),
    ticks: starts.slice(0, -1).map((day, index) => ({ at: position(axis, day), ...tick(day, index) })),
  };
}

function quarterTick(day: Day, index: number): Omit<Tick, 'at'> {
  const quarter = (Number(day.slice(5, 7)) + 2) / 3;
  return { year: index === 0 || quarter === 1 ? day.slice(0, 4) : '', quarter: `Q${quarter}` };
}

/** Position of a day in per cent of the width, for an attribute of SVG; days beyond the axis are at its ends. */
export function position({ from, days }: Pick<TimeAxis, 'from' | 'days'>, day: Day): string {
  const share = Math.min(Math.max((dayNumber(day) - from) / days, 0), 1);
  return `${Math.round(share * 10_000) / 100}%`;
}

const daysOfSoon = 90;

/** Whether an end of support is near enough to be marked. */
export function isSoon(day: Day, end: Day): boolean {
  return daysBetween(day, end) <= daysOfSoon;
}
