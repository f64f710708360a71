import { addMonths, msPerDay, toDay } from '../model/dates.ts';

/** The first and the last millisecond that a text means. */
type TimeSpan = readonly [first: number, last: number];

/** 1 for a duration that counts from a day on, -1 for one that counts back. */
export type Sign = 1 | -1;

const msPerSecond = 1000;
const msPerMinute = 60 * msPerSecond;
const msPerHour = 60 * msPerMinute;

/** The units of a duration whose length is fixed, the longest first, as in both forms. */
const units = [
  { name: 'w', length: 7 * msPerDay },
  { name: 'd', length: msPerDay },
  { name: 'h', length: msPerHour },
  { name: 'm', length: msPerMinute },
  { name: 's', length: msPerSecond },
  { name: 'ms', length: 1 },
] as const;

/** `1d12h`, `1500ms`; `1y` and `3mo` stand alone. */
const shortUnits = units.map(({ name }) => String.raw`(?:(\d{1,9})${name})?`).join('');
const shortDuration = new RegExp(String.raw`^(?:(\d{1,3})y|(\d{1,3})mo|(?=.)${shortUnits})$`);
/** In ISO 8601, `P90D`, `P1Y3M`, `PT1.5H`. Only capitals: in the other form, 1M could mean a month. */
const isoDuration =
  /^P(?=.)(?:(\d{1,3})Y)?(?:(\d{1,3})M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?=.)(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?$/;
/** Only the last number may have a fraction. */
const isoNumbers = /^P(?:\d{1,9}[A-Z]|T)*(?:\d{1,9}[.,]\d{1,9}[A-Z])?$/;

/** The months of a duration, whose length depends on the day, and its other units in milliseconds. */
function parseDuration(text: string) {
  const match = isoNumbers.test(text) ? isoDuration.exec(text) : shortDuration.exec(text);
  if (!match) {
    return undefined;
  }

  const [, years = 0, months = 0, ...counts] = match;
  let timeMs = 0;
  for (const [index, { length }] of units.entries()) {
    timeMs += Number(counts[index]?.replace(',', '.') ?? 0) * length;
  }

  return { months: Number(years) * 12 + Number(months), timeMs: Math.round(timeMs) };
}

/** The milliseconds of a duration; undefined with months or years, whose length depends on the day. */
export function readExactDuration(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration?.months === 0 ? duration.timeMs : undefined;
}

/** The milliseconds of a duration from a day on, or back. `3mo`, `1y` and `P1Y3M` end on the same day of a month, or on the last day of a shorter one. */
export function readDuration(text: string, dayStart: number, sign: Sign): number | undefined {
  const duration = parseDuration(text);
  if (!duration) {
    return undefined;
  }

  const end = addMonths(toDay(new Date(dayStart)), sign * duration.months);
  return Math.abs(Date.parse(end) - dayStart) + duration.timeMs;
}

/** A time in a query, as of the start of a day. */
export function readTime(text: string, dayStart: number): TimeSpan | undefined {
  return readRelative(text, dayStart) ?? readMonth(text) ?? readInstant(text.toUpperCase());
}

/** `today`, `-5d`, `+3mo`, `-p1m`: a day, or a millisecond if the duration is finer than a day. */
function readRelative(text: string, dayStart: number): TimeSpan | undefined {
  if (text.toLowerCase() === 'today') {
    return createSpan(dayStart, msPerDay);
  }

  if (!/^[+-]/.test(text)) {
    return undefined;
  }

  const sign = text.startsWith('-') ? -1 : 1;
  const amount = text.slice(1);
  const duration = /^p/i.test(amount) ? amount.toUpperCase() : amount;
  const length = readDuration(duration, dayStart, sign);
  if (length === undefined) {
    return undefined;
  }

  // `5h`, `5s`, `5ms`, `5m` but not `5mo`, `PT5M` and `P1.5D`.
  const isBelowDay = /[hs]|m(?!o)|[T.,]/.test(duration);
  return createSpan(dayStart + sign * length, isBelowDay ? 1 : msPerDay);
}

/** `2027`, `2027-01`. */
function readMonth(text: string): TimeSpan | undefined {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(text) ?? [];
  if (year === undefined) {
    return undefined;
  }

  const first = Date.parse(`${year}-${month ?? '01'}-01`);
  // The 31st, or the last day of a shorter month.
  const lastDay = addMonths(`${year}-01-31`, Number(month ?? 12) - 1);
  return [first, Date.parse(lastDay) + msPerDay - 1];
}

/** `2026-01-31`, `2026-01-31T10:30:15.25+01:00`. */
const instant =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** In ISO 8601, in capitals: all of a day, a minute, a second or a part of it. Without an offset, it is UTC. */
export function readInstant(text: string): TimeSpan | undefined {
  const match = instant.exec(text);
  if (!match) {
    return undefined;
  }

  const [, date, clock, seconds, fraction = '', zone = 'Z'] = match;
  const time = `${clock ?? '00:00'}:${seconds ?? '00'}.${fraction.padEnd(3, '0')}`;
  const dateTime = `${date}T${time}`;

  // JavaScript reads 30 February and 24:00 as a later day; reject them.
  if (new Date(`${dateTime}Z`).toJSON() !== `${dateTime}Z`) {
    return undefined;
  }

  return createSpan(Date.parse(dateTime + zone), findPrecision(clock, seconds, fraction));
}

/** The milliseconds of the last stated part of a time. */
function findPrecision(
  clock: string | undefined,
  seconds: string | undefined,
  fraction: string,
): number {
  if (clock === undefined) {
    return msPerDay;
  }
  if (seconds === undefined) {
    return msPerMinute;
  }

  return msPerSecond / 10 ** fraction.length;
}

function createSpan(first: number, length: number): TimeSpan {
  return [first, first + length - 1];
}

/** In whole seconds, as ISO 8601 writes it, without weeks and zeros: `P1DT12H`, `PT1H5S`. */
export function formatDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / msPerDay);
  let rest = milliseconds % msPerDay;
  let time = '';
  for (const { name, length } of units.slice(2, -1)) {
    const count = Math.floor(rest / length);
    rest %= length;
    time += count > 0 ? `${count}${name.toUpperCase()}` : '';
  }

  if (time === '') {
    return `P${days}D`;
  }

  return `P${days > 0 ? `${days}D` : ''}T${time}`;
}
