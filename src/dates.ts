/** A calendar day in UTC, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/** An instant in UTC, `YYYY-MM-DDTHH:MM:SSZ`. Instants compare as strings. */
export type Timestamp = string;

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

export function isDay(text: string): boolean {
  if (!dayPattern.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  // Every month has 28 days: only the others need a calendar.
  if (day <= 28) return day >= 1 && month >= 1 && month <= 12;
  return month >= 1 && month <= 12 && day <= daysInMonth(Number(text.slice(0, 4)), month);
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
  const total = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const year = Math.floor(total / 12);
  const month = (total % 12) + 1;
  return formatDay(year, month, Math.min(Number(day.slice(8, 10)), daysInMonth(year, month)));
}

export function addDays(day: Day, days: number): Day {
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
  return Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8))) / 86_400_000;
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function formatDay(year: number, month: number, day: number): Day {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return toDay(date);
}
