/** A calendar day in UTC, `YYYY-MM-DD`. Days compare as strings. */
export type Day = string;

/**
 * A day that may be uncertain:
 * - only `from`: exactly this day
 * - only `atMost`: this day or earlier
 * - both: a day between them
 * - neither: an unknown day
 */
export interface DayRange {
  readonly from?: Day | undefined;
  readonly atMost?: Day | undefined;
}

export const msPerDay = 86_400_000;

export function isDay(text: string): boolean {
  // JavaScript reads 30 February as 2 March.
  return (
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(text) &&
    (text.slice(8) <= '28' || new Date(text).getUTCDate() === Number(text.slice(8)))
  );
}

/** Returns the day of an instant or a day. Years after 9999 become 9999-12-31, because longer years do not compare as strings. */
export function toDay(time: Date | string): Day {
  const text = typeof time === 'string' ? time : time.toISOString();
  return text.startsWith('+') ? '9999-12-31' : text.slice(0, 10);
}

/** Returns an instant in whole seconds. A day becomes the instant of its start. */
export function toTimestamp(text: string): string {
  return text.length === 10 ? `${text}T00:00:00Z` : text.replace(/\.\d+/, '');
}

export function addDays(day: Day, days: number): Day {
  return toDay(new Date(Date.parse(day) + days * msPerDay));
}

/** Adds months. A day that does not exist becomes the last day of the month: 31 August plus 18 months → 28 or 29 February. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(day);
  const dayOfMonth = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0);
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()));
  return toDay(date);
}

export function countDays(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / msPerDay;
}

/** Returns the earliest of several days, or undefined if all are undefined. */
export function findEarliest(days: readonly (Day | undefined)[]): Day | undefined {
  // `sort` moves undefined to the end.
  return days.toSorted()[0];
}

/** Creates a range from two bounds. It is an exact day if both bounds are the same day. */
export function createRange(from: Day | undefined, atMost: Day | undefined): DayRange {
  return from === atMost ? { from } : { from, atMost };
}

export function isUnknown({ from, atMost }: DayRange): boolean {
  return from === undefined && atMost === undefined;
}

export function mapRange({ from, atMost }: DayRange, change: (day: Day) => Day): DayRange {
  return createRange(from && change(from), atMost && change(atMost));
}

/** Tells whether an uncertain day is `day` or earlier. Undefined if this is not known, because `day` lies between the bounds. */
export function hasCome({ from, atMost }: DayRange, day: Day): boolean | undefined {
  const latest = atMost ?? from;
  if (latest !== undefined && latest <= day) {
    return true;
  }

  return from !== undefined && day < from ? false : undefined;
}

/** Returns `2027-12-30`, `between 2027-10-01 and 2027-12-30`, or `on or before 2027-12-30`. */
export function describeRange({ from, atMost }: DayRange): string {
  if (atMost === undefined) {
    return from ?? 'an unknown day';
  }

  return from === undefined ? `on or before ${atMost}` : `between ${from} and ${atMost}`;
}

export function today(): Day {
  return toDay(new Date());
}

/** Returns `instant` if it is later than `last`, or else the millisecond after `last`. */
export function toLaterInstant(instant: string, last = ''): string {
  return instant > last ? instant : new Date(Date.parse(last) + 1).toISOString();
}
