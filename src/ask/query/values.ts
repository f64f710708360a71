/** Reads values of query fields, and compares values whose type has an order. */
import { addMonths, isDay, msPerDay, toDay } from '../../core/day.ts';
import { compareVersions, parseVersion, type Version } from '../../core/version.ts';

export type FieldType = keyof typeof expectedForms;

/** A value that can be compared: a version, or a number. Instants and durations are numbers of milliseconds. */
export type Ordered = number | Version;

/** The first and the last value that a text stands for: a date stands for all milliseconds of its day. */
export type Span = readonly [first: Ordered, last: Ordered];

export const expectedForms = {
  String: 'a text, in which * stands for any characters',
  'Key-value': 'key=value, in both of which * stands for any characters',
  Version: 'a version such as 2025.3',
  Timestamp: 'a day or time such as 2026-01-31, 2026-01, 2026-01-31T10:30, today or -5d',
  Duration: 'a duration such as 90d, 24h, 1d12h, 1500ms, 3mo or P90D',
  Number: 'a number such as 10 or 1.5',
  'Storage size': 'a size such as 10, 1.5gi or 500mb',
  Boolean: 'true, false or *',
};

/** Reads a value in a query. Undefined if the text is not a value of this type. */
export function readSpan(type: FieldType, text: string, now: number): Span | undefined {
  if (type === 'Timestamp') {
    return readTime(text, now);
  }

  const value = readValue(type, text);
  return value === undefined ? undefined : [value, value];
}

/** Reads a single value from a query or from a row. */
export function readValue(type: FieldType, value: unknown): Ordered | undefined {
  if (typeof value !== 'string') {
    return typeof value === 'number' ? value : undefined;
  }

  return readers[type]?.(value);
}

const readers: Partial<Record<FieldType, (text: string) => Ordered | undefined>> = {
  Version: parseVersion,
  Timestamp: Date.parse,
  Duration: readDuration,
  Number: (text) => (numberForm.test(text) ? Number(text) : undefined),
  'Storage size': readSize,
};

/** Compares two values of one type. */
export function compareOrdered(a: Ordered, b: Ordered): number {
  return typeof a === 'number' ? a - (b as number) : compareVersions(a, b as Version);
}

/** Matches a number. JavaScript stores whole numbers of up to 15 digits exactly. */
const numberForm = /^\d{1,15}(?:\.\d{1,9})?$/;

function readSize(text: string): number | undefined {
  const [, amount = '', unit = '', binary] = /^([\d.]+)(?:([kmgt])(i?))?b?$/i.exec(text) ?? [];
  if (!numberForm.test(amount)) {
    return undefined;
  }

  const exponent = ['', 'k', 'm', 'g', 't'].indexOf(unit.toLowerCase());
  // In floating point, 1.005 times 1,000 is a little less than 1,005; `1.005e3` is not.
  return binary ? Number(amount) * 1024 ** exponent : Number(`${amount}e${3 * exponent}`);
}

/** The lengths of units in milliseconds. A month has 30 days here, and a year has 365 days. */
const unitLengths: Readonly<Record<string, number>> = {
  y: 365 * msPerDay,
  mo: 30 * msPerDay,
  w: 7 * msPerDay,
  d: msPerDay,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};
const shortDuration = /^(?:\d+(?:mo|ms|[ywdhms]))+$/;
const isoDuration =
  /^P(?=.)(?:[\d.,]+Y)?(?:[\d.,]+M)?(?:[\d.,]+W)?(?:[\d.,]+D)?(?:T(?=.)(?:[\d.,]+H)?(?:[\d.,]+M)?(?:[\d.,]+S)?)?$/;

/** Returns the milliseconds of a duration such as `1d12h` or `P1DT12H`. */
function readDuration(text: string): number | undefined {
  if (text.length > 50 || !(shortDuration.test(text) || isoDuration.test(text))) {
    return undefined;
  }

  // Before the T of an ISO duration, M means months.
  const units = text.replace(/^(P[^T]*)M/, '$1MO').toLowerCase();
  let length = 0;
  for (const [, count = '', unit = ''] of units.matchAll(/([\d.,]+)(mo|ms|[a-z])/g)) {
    length += Number(count.replace(',', '.')) * unitLengths[unit]!;
  }
  return Number.isNaN(length) ? undefined : Math.round(length);
}

function readTime(text: string, now: number): Span | undefined {
  if (/^[+-]/.test(text)) {
    return readRelative(text, now);
  }

  const time = /^today$/i.test(text) ? toDay(new Date(now)) : text;
  return readMonth(time) ?? readInstant(time);
}

/** Reads a relative time, such as `-5d`. The start of a day stands for the whole day. Any other instant stands for one millisecond. */
function readRelative(text: string, now: number): Span | undefined {
  const duration = readDuration(text.slice(1));
  if (duration === undefined) {
    return undefined;
  }

  const first = text.startsWith('-') ? now - duration : now + duration;
  return [first, first % msPerDay === 0 ? first + msPerDay - 1 : first];
}

/** Reads a year or a month: `2027`, `2027-01`. */
function readMonth(text: string): Span | undefined {
  if (!/^\d{4}(?:-(?:0[1-9]|1[0-2]))?$/.test(text)) {
    return undefined;
  }

  const next = addMonths(new Date(text).toJSON().slice(0, 10), text.length > 4 ? 1 : 12);
  return [Date.parse(text), Date.parse(next) - 1];
}

const instantForm =
  /^(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/** Reads an instant as the whole day, minute, second or fraction that it names. Without an offset, it is UTC. */
function readInstant(text: string): Span | undefined {
  const [, day = '', clock, seconds, fraction, zone = 'Z'] =
    instantForm.exec(text.toUpperCase()) ?? [];
  if (!isDay(day)) {
    return undefined;
  }

  const first = Date.parse(
    `${day}T${clock ?? '00:00'}:${seconds ?? '00'}.${fraction ?? '0'}${zone}`,
  );
  const clockLength = seconds === undefined ? 60_000 : 1000 / 10 ** (fraction?.length ?? 0);
  const length = clock === undefined ? msPerDay : clockLength;
  return [first, first + length - 1];
}
