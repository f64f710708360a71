/** A calendar day in UTC, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** An instant in UTC, `YYYY-MM-DDTHH:MM:SSZ`. Instants compare as strings. */
export type Timestamp = string;

export const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const instantForm = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
export const msPerDay = 86_400_000;

export function isDay(text: string): boolean {
  // JavaScript reads 30 February as 2 March, and the month 13 as no date.
  return dayForm.test(text) && new Date(text).toJSON()?.slice(0, 10) === text;
}

/** An existing day, or an instant in UTC on an existing day, with or without a fraction of a second. */
export function isDayOrInstant(text: string): boolean {
  return isDay(text) || (instantForm.test(text) && isDay(cutDay(text)));
}

export function cutDay(timestamp: string): Day {
  return timestamp.slice(0, 10);
}

/** The day of an instant; after the year 9999, which is as far as days compare as strings, the last day of that year. */
export function toDay(date: Date): Day {
  const text = date.toISOString();
  return text.startsWith('+') ? '9999-12-31' : cutDay(text);
}

/** The start of a day; an instant is cut to whole seconds. */
export function toTimestamp(dayOrInstant: string): Timestamp {
  return dayOrInstant.length === 10 ? `${dayOrInstant}T00:00:00Z` : `${dayOrInstant.slice(0, 19)}Z`;
}

/** Adds calendar months; a shorter month gives its last day: 31 August plus 18 months is 28 or 29 February. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day);
  const dayOfMonth = date.getUTCDate();

  // Day 0 is the last of the month before.
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return toDay(date);
}

export function addDays(day: Day, days: number): Day {
  return toDay(new Date(Date.parse(day) + days * msPerDay));
}

export function dayAfter(day: Day | undefined): Day | undefined {
  return day && addDays(day, 1);
}

/** Whole days from one day to another; negative if the second is earlier. */
export function countDaysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / msPerDay;
}

/** Days since 1970-01-01. */
export function countDaysSinceEpoch(day: Day): number {
  return Date.parse(day) / msPerDay;
}

/** The earliest of the known days; undefined if none is known. */
export function findEarliestDay(...days: readonly (Day | undefined)[]): Day | undefined {
  // Undefined is sorted to the end, whatever the order.
  return days.toSorted()[0];
}

/** A release day before it is an error of its source. Renovate does not accept earlier dates. */
export const earliestPlausibleDay: Day = '2000-01-01';

/** The latest of the known days. */
export function findLatestDay(first: Day, ...others: readonly (Day | undefined)[]): Day {
  let latest = first;
  for (const day of others) {
    if (day !== undefined && day > latest) {
      latest = day;
    }
  }
  return latest;
}

/** Compares two days or two instants, the oldest first; other texts by their characters. */
export function oldestFirst(a: string, b: string): number {
  if (a === b) {
    return 0;
  }

  return a < b ? -1 : 1;
}

/** Compares two days or two instants, the newest first. */
export function newestFirst(a: string, b: string): number {
  return oldestFirst(b, a);
}

/**
 * Whether an event has happened by `day`. It happens on `earliest`, or on an unknown day between `earliest` and `latest`; without
 * `earliest`, there is no lower bound. Undefined while unknown.
 */
export function hasCome(
  earliest: Day | undefined,
  latest: Day | undefined,
  day: Day,
): boolean | undefined {
  const lastDay = latest ?? earliest;
  if (lastDay !== undefined && lastDay <= day) {
    return true;
  }

  return earliest !== undefined && day < earliest ? false : undefined;
}

/** The first day of the same quarter. */
export function startOfQuarter(day: Day): Day {
  const month = Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1;
  return `${day.slice(0, 5)}${String(month).padStart(2, '0')}-01`;
}

/** The Monday of the same week, as in ISO 8601. */
export function startOfWeek(day: Day): Day {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

export const monthNames =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

const shortMonths = monthNames.map((name) => name.charAt(0).toUpperCase() + name.slice(1, 3));

/** `15 Jan 2027`: a day as people read it. */
export function formatDay(day: Day): string {
  return `${Number(day.slice(8))} ${shortMonths[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

const anyDay = /\b(\d{4}-\d{2}-\d{2})\b/g;

/** Splits a text into days and the text between them. */
export function splitDays(text: string): { text: string; isDay: boolean }[] {
  return text
    .split(anyDay)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isDay: isDay(part) }));
}

/** A text in which each day is as people read it. */
export function formatDays(text: string): string {
  return text.replaceAll(anyDay, (day) => (isDay(day) ? formatDay(day) : day));
}

/** ISO 8601: a day, or a day and a time, with or without a fraction and an offset: `2026-03-25 14:30:00.5+01:00`. */
const isoForm =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d+)?)?\s?(?:Z|UTC|(?<sign>[+-])(?<offsetHours>\d{2}):?(?<offsetMinutes>\d{2})?)?)?$/i;
/** RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate =
  /^(?:[a-z]{3,9}, )?(?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<hours>\d{2}):(?<minutes>\d{2}):(?<seconds>\d{2}) (?:GMT|UTC|[+-]0000)$/i;
/** `25th March 2026`; vendors print `06th June` and `21th November` as well. */
const dayMonthYear =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>[a-z]{3,9})\.?,? (?<year>\d{4})$/i;
/** `March 25, 2026`. */
const monthDayYear = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i;

/**
 * Reads a date in a form with one meaning everywhere. A day means its midnight in UTC, and a time without an offset is UTC.
 * Undefined for a day that does not exist (30 February), and for forms such as 01/02/2025 whose meaning differs by country.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const line = text.trim().replace(/\s+/g, ' ');
  const match =
    isoForm.exec(line) ?? httpDate.exec(line) ?? dayMonthYear.exec(line) ?? monthDayYear.exec(line);
  return match?.groups && composeTimestamp(match.groups);
}

function composeTimestamp(
  groups: Readonly<Record<string, string | undefined>>,
): Timestamp | undefined {
  const { year, month = '', day = '', hours = '00', minutes = '00', seconds = '00' } = groups;
  const { sign = '+', offsetHours = '00', offsetMinutes = '00' } = groups;
  const date = `${year}-${findMonth(month)}-${day.padStart(2, '0')}`;
  const offset = `${sign}${offsetHours}:${offsetMinutes}`;
  const instant = new Date(`${date}T${hours}:${minutes}:${seconds}${offset}`).toJSON();

  // JavaScript reads 30 February and 24:00 as a later day, and gives a year of more than four digits a sign.
  const isValid = isDay(date) && hours !== '24' && /^\d/.test(instant);
  return isValid ? toTimestamp(instant) : undefined;
}

/** A month in two digits; `00`, which makes no day, for any other word. English has both `Sept` and `Sep`. */
function findMonth(month: string): string {
  if (/^\d/.test(month)) {
    return month;
  }

  const word = month.toLowerCase().replace(/^sept$/, 'sep');
  const index = monthNames.findIndex((name) => word === name || word === name.slice(0, 3));
  return String(index + 1).padStart(2, '0');
}
