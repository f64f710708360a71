/** A calendar day in UTC, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** An instant in UTC, `YYYY-MM-DDTHH:MM:SSZ`. Instants compare as strings. */
export type Timestamp = string;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const instantPattern = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;

export function isDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const month = numberAt(text, 5, 2);
  const day = numberAt(text, 8, 2);
  // Every month has 28 days: only the others need a calendar.
  if (day <= 28) return day >= 1 && month >= 1 && month <= 12;
  return month >= 1 && month <= 12 && day <= daysInMonth(numberAt(text, 0, 4), month);
}

/** A day, or an instant in UTC, which may have a fraction of a second; on a day that exists. */
export function isDayOrInstant(text: string): boolean {
  return isDay(text) || (instantPattern.test(text) && isDay(text.slice(0, 10)));
}

export function dayOf(timestamp: string): Day {
  return timestamp.slice(0, 10);
}

export function toDay(date: Date): Day {
  return date.toISOString().slice(0, 10);
}

/** The instant at which a day begins; an instant stays what it is, less its fraction of a second. */
export function toTimestamp(dayOrInstant: string): Timestamp {
  if (dayOrInstant.length === 10) return `${dayOrInstant}T00:00:00Z`;
  return dayOrInstant.length === 20 ? dayOrInstant : `${dayOrInstant.slice(0, 19)}Z`;
}

/**
 * The same day `months` calendar months later. Where that month is too short, its last day:
 * 31 August plus 18 months is 28 (or 29) February.
 */
export function addMonths(day: Day, months: number): Day {
  const total = numberAt(day, 0, 4) * 12 + numberAt(day, 5, 2) - 1 + months;
  const year = Math.floor(total / 12);
  const month = (total % 12) + 1;
  return formatDay(year, month, Math.min(numberAt(day, 8, 2), daysInMonth(year, month)));
}

export function addDays(day: Day, days: number): Day {
  const next = numberAt(day, 8, 2) + days;
  // Every month has 28 days: only the others need a calendar.
  if (next >= 1 && next <= 28) return `${day.slice(0, 8)}${pad(next, 2)}`;
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return toDay(date);
}

/** Whole days from one day to another; negative if the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** Days since the epoch. */
function dayNumber(day: Day): number {
  return Date.UTC(numberAt(day, 0, 4), numberAt(day, 5, 2) - 1, numberAt(day, 8, 2)) / 86_400_000;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function formatDay(year: number, month: number, day: number): Day {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** The digits at a place as a number. The general conversion is what a large index would wait for. */
function numberAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at += 1) number = number * 10 + text.charCodeAt(at) - 48;
  return number;
}
