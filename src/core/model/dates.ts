import { capitalise } from '../text/wording.ts';

/** A calendar day in UTC, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** An instant in UTC, `YYYY-MM-DDTHH:MM:SSZ`. Instants compare as strings. */
export type Timestamp = string;

export const dayForm = /^\d{4}-\d{2}-\d{2}$/;
export const msPerDay = 86_400_000;

/** A release day before it is an error of its source. Renovate does not accept earlier dates. */
export const earliestPlausibleDay: Day = '2000-01-01';

export function isDay(text: string): boolean {
  // JavaScript reads 30 February as 2 March, and the month 13 as no date.
  return dayForm.test(text) && new Date(text).toJSON()?.slice(0, 10) === text;
}

export function cutDay(timestamp: string): Day {
  return timestamp.slice(0, 10);
}

/** The day on which upstream states that a version was released. An observed day is no statement. */
export function findStatedDay({
  releaseTimestamp,
  timestampKind,
}: {
  releaseTimestamp?: string | undefined;
  timestampKind?: string | undefined;
}): Day | undefined {
  return releaseTimestamp === undefined || timestampKind === 'observed'
    ? undefined
    : cutDay(releaseTimestamp);
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

/** A day that may only have bounds: exact without `atMost`, unknown where it is empty. */
export interface DayRange {
  readonly from?: Day | undefined;
  readonly atMost?: Day | undefined;
}

/** A day between two bounds. If both are one day, that day is exact. */
export function createDayRange(from: Day | undefined, atMost: Day | undefined): DayRange {
  return from === atMost ? { from } : { from, atMost };
}

/** The earliest of the known days; undefined if none is known. */
export function findEarliestDay(days: readonly (Day | undefined)[]): Day | undefined {
  // Undefined is sorted to the end, whatever the order.
  return days.toSorted()[0];
}

/** The latest of the known days. */
export function findLatestDay(first: Day, ...others: readonly (Day | undefined)[]): Day {
  return others.reduce<Day>((latest, day = latest) => (day > latest ? day : latest), first);
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

/** An instant with milliseconds; if the clock is behind the last one, the instant that follows that. */
export function toLaterInstant(instant: string, last = ''): string {
  return instant > last ? instant : new Date(Date.parse(last) + 1).toISOString();
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
  const month = Number(day.slice(5, 7));
  const firstMonth = month - ((month - 1) % 3);
  return `${day.slice(0, 5)}${String(firstMonth).padStart(2, '0')}-01`;
}

/** The Monday of the same week, as in ISO 8601. */
export function startOfWeek(day: Day): Day {
  // JavaScript counts from Sunday, which is 0.
  const daysSinceMonday = (new Date(day).getUTCDay() + 6) % 7;
  return addDays(day, -daysSinceMonday);
}

const monthNames =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** The number of a month from its name, or from its first 3 letters or more, in lower case; undefined for any other word. */
export function findMonth(word: string): number | undefined {
  const month = monthNames.findIndex((name) => name.startsWith(word));
  return month === -1 ? undefined : month + 1;
}

/** `15 Jan 2027`: a day as people read it. */
export function formatDay(day: Day): string {
  return `${Number(day.slice(8))} ${nameMonth(day).slice(0, 3)} ${day.slice(0, 4)}`;
}

/** `January 2027`. */
export function formatMonth(day: Day): string {
  return `${nameMonth(day)} ${day.slice(0, 4)}`;
}

function nameMonth(day: Day): string {
  return capitalise(monthNames[Number(day.slice(5, 7)) - 1]!);
}

/** A day, and not a part of a version such as `2025-01-31.1`. */
const anyDay = /(?<![\w.-])(\d{4}-\d{2}-\d{2})(?![\w-]|\.\w)/g;

/** Splits a text into days and the text between them. A day that does not exist is text. */
export function splitDays(text: string): { text: string; isDay: boolean }[] {
  return text
    .split(anyDay)
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isDay: isDay(part) }));
}

/** Writes each day in a text as people read it. */
export function formatDays(text: string): string {
  return text.replaceAll(anyDay, (day) => (isDay(day) ? formatDay(day) : day));
}
