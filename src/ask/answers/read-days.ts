import {
  addDays,
  addMonths,
  findMonth,
  isDay,
  startOfQuarter,
  startOfWeek,
  type Day,
} from '../../core/model/dates.ts';
import { simplifyLetters } from '../../core/text/foreign-text.ts';

/** Days from `from` to `to`, both included. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** Whether days without a year, or counted from today, lie ahead or back. */
export type Side = 'next' | 'last';

/** Reads a span between two days, a span that is open on one side, or days in one of the usual forms. */
export function readDays(text: string, today: Day, side: Side): DaySpan | undefined {
  const plain = simplifyLetters(text)
    .replaceAll(/(?<=\b\d{1,2})(?:st|nd|rd|th|\.(?=\s))/g, '')
    .replaceAll(/[,\s]+/g, ' ')
    .trim();
  return (
    readRange(plain, today, side) ??
    readOpenSpan(plain, today, side) ??
    readPeriod(plain, today, side)
  );
}

/** `between 2025 and 2026`, `from 1 March to 15 June`. */
function readRange(text: string, today: Day, side: Side): DaySpan | undefined {
  const { first = '', last = '' } =
    /^(?:between|from) (?<first>.+) (?:and|to|until) (?<last>.+)$/.exec(text)?.groups ?? {};
  const start = readPeriod(first, today, side)?.from;
  const end = readPeriod(last, today, side)?.to;
  if (start === undefined || end === undefined) {
    return undefined;
  }

  // In `between March and June 2026`, March is the last one before June; after `November 2027`, February is the next one.
  const spans = [
    { from: start, to: end },
    { from: readCalendar(first, end, 'last')?.from ?? start, to: end },
    { from: start, to: readCalendar(last, start, 'next')?.to ?? end },
  ];
  return spans.find(({ from, to }) => from <= to);
}

/** `before 2026`, `after 2026`, `since March`. */
function readOpenSpan(text: string, today: Day, side: Side): DaySpan | undefined {
  const [, opener = '', days = ''] =
    /^(before|after|until|till|by|up to|since|from) (.+)/.exec(text) ?? [];
  const span = readPeriod(days, today, side);
  return span && extendSpan(span, opener, today, side);
}

function readPeriod(text: string, today: Day, side: Side): DaySpan | undefined {
  return readCalendar(text, today, side) ?? readRelative(text, today, side);
}

/** No release is older. */
const firstDay = '1970-01-01';
/** No support ends later. */
const lastDay = '9999-12-31';

/** The days before or after a span, as its first word says. */
function extendSpan({ from, to }: DaySpan, opener: string, today: Day, side: Side): DaySpan {
  if (['since', 'from', 'after'].includes(opener)) {
    const start = opener === 'after' ? addDays(to, 1) : from;
    const isPast = (opener === 'since' || side === 'last') && start <= today;
    return { from: start, to: isPast ? today : lastDay };
  }

  const end = opener === 'before' ? addDays(from, -1) : to;
  if (side === 'next' && end >= today) {
    return { from: today, to: end };
  }

  // `before 1960` selects nothing.
  return { from: end < firstDay ? end : firstDay, to: end };
}

/** The forms of a day, a quarter, a month and a year. */
const calendarForms = [
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<dayOfMonth>\d{1,2})$/,
  // With dots, a single digit belongs to a version: 2025.1.3.
  /^(?<year>\d{4})\.(?<month>\d{2})\.(?<dayOfMonth>\d{2})$/,
  // Most countries write the day first. If that gives no valid month, the month is first.
  /^(?<dayOfMonth>\d{1,2})[-/. ] ?(?<month>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[-/. ] ?(?<dayOfMonth>\d{1,2})[-/. ] ?(?<year>\d{4})$/,
  /^(?:(?<dayOfMonth>\d{1,2}) )?(?<name>[a-z]{3,})\.?(?: (?<year>\d{4}))?$/,
  /^(?<name>[a-z]{3,})\.? (?<dayOfMonth>\d{1,2})(?: (?<year>\d{4}))?$/,
  /^q(?<quarter>[1-4])(?:[ /-]?(?<year>20\d\d))?$/,
  /^(?<quarter>[1-4]) quarter(?: (?<year>20\d\d))?$/,
  /^(?<year>20\d\d)[ /-]?q(?<quarter>[1-4])$/,
  /^(?<month>0?[1-9]|1[0-2])[/.](?<year>20\d\d)$/,
  /^(?<year>20\d\d)(?:[-/](?<month>0[1-9]|1[0-2]))?$/,
];

/** The named groups of these forms. */
type DateParts = Readonly<Record<string, string | undefined>>;

/** Reads a day, a month, a quarter or a year in one of the forms. */
function readCalendar(text: string, today: Day, side: Side): DaySpan | undefined {
  for (const form of calendarForms) {
    const parts = form.exec(text)?.groups;
    const span = parts && findDays(parts, today, side);
    if (span) {
      return span;
    }
  }

  return undefined;
}

/** The days with these parts; without a year, the next or the last ones. Today, this month and this quarter are both. */
function findDays(parts: DateParts, today: Day, side: Side): DaySpan | undefined {
  if (parts['year'] !== undefined) {
    return createSpan(parts['year'], parts);
  }

  const thisYear = Number(today.slice(0, 4));
  // Between two leap days are up to eight years.
  for (let years = 0; years <= 8; years += 1) {
    const span = createSpan(String(side === 'next' ? thisYear + years : thisYear - years), parts);
    if (span && (side === 'next' ? span.to >= today : span.from <= today)) {
      return span;
    }
  }

  return undefined;
}

/** Undefined for a day that does not exist, and for a word that names no month. */
function createSpan(year: string, parts: DateParts): DaySpan | undefined {
  const { month, name, quarter, dayOfMonth } = parts;
  if (quarter !== undefined) {
    return createMonthSpan(year, Number(quarter) * 3 - 2, 3);
  }

  const number = name === undefined ? Number(month ?? 1) : findMonth(name);
  if (number === undefined) {
    return undefined;
  }
  if (dayOfMonth !== undefined) {
    const day = `${year}-${padNumber(number)}-${padNumber(dayOfMonth)}`;
    return isDay(day) ? { from: day, to: day } : undefined;
  }

  return createMonthSpan(year, number, name === undefined && month === undefined ? 12 : 1);
}

const spanFillers = /^(?:an?|the|in|within|of|on)$/;
/** The length of each unit of time. */
const units = {
  day: { days: 1, months: 0 },
  week: { days: 7, months: 0 },
  month: { days: 0, months: 1 },
  quarter: { days: 0, months: 3 },
  year: { days: 0, months: 12 },
};
type Unit = keyof typeof units;

/** By word, the number of units from the present one. */
const shifts: Readonly<Record<string, number>> = {
  previous: -1,
  last: -1,
  past: -1,
  this: 0,
  current: 0,
  next: 1,
};
/** By word, the number of days from today. */
const namedDays: ReadonlyMap<string, number> = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['tomorrow', 1],
]);

const unitPart = String.raw`(?:(\d{1,3}) )?(${Object.keys(units).join('|')})s?`;
/** A direction, a number of units, or both. */
const relativeForm = new RegExp(`^(?:(${Object.keys(shifts).join('|')}) )?${unitPart}$`);
/** `5 days ago`, `a month ago`: one day. */
const agoForm = new RegExp(`^${unitPart} ago$`);

/** `tomorrow`, `this month`, `next quarter`, `past week`, `a week ago`, `within 90 days`. */
function readRelative(text: string, today: Day, side: Side): DaySpan | undefined {
  const words = text.split(' ').filter((word) => !spanFillers.test(word));
  // `past week` is the 7 days up to today, and `last week` the one from Monday to Sunday.
  const plain = words.join(' ').replace(/^past (?=[a-z])/, 'past 1 ');
  const dayShift = namedDays.get(plain);
  if (dayShift !== undefined) {
    return findUnit(today, 'day', dayShift);
  }

  const [, countBack = 1, unitBack] = agoForm.exec(plain) ?? [];
  if (unitBack !== undefined) {
    const day = addUnits(today, unitBack as Unit, -Number(countBack));
    return { from: day, to: day };
  }

  const [, direction, count, unit] = relativeForm.exec(plain) ?? [];
  const shift = direction === undefined ? undefined : shifts[direction];
  if (unit !== undefined && count !== undefined) {
    // Without a direction, a number of units reaches to the side of the topic.
    const isPast = shift === undefined ? side === 'last' : shift < 0;
    const bound = addUnits(today, unit as Unit, isPast ? -Number(count) : Number(count));
    return isPast ? { from: bound, to: today } : { from: today, to: bound };
  }

  return shift === undefined ? undefined : findUnit(today, unit as Unit, shift);
}

/** The whole unit that is a number of units from the present one. */
function findUnit(today: Day, unit: Unit, shift: number): DaySpan {
  const start = {
    day: today,
    week: startOfWeek(today),
    month: `${today.slice(0, 7)}-01`,
    quarter: startOfQuarter(today),
    year: `${today.slice(0, 4)}-01-01`,
  }[unit];
  const from = addUnits(start, unit, shift);
  return { from, to: addDays(addUnits(from, unit, 1), -1) };
}

function addUnits(day: Day, unit: Unit, count: number): Day {
  const { days, months } = units[unit];
  return addDays(addMonths(day, count * months), count * days);
}

function createMonthSpan(year: string, month: number, count: number): DaySpan {
  // The 31st, or the last day of a shorter month.
  const to = addMonths(`${year}-01-31`, month + count - 2);
  return { from: `${year}-${padNumber(month)}-01`, to };
}

function padNumber(number: number | string): string {
  return String(number).padStart(2, '0');
}
