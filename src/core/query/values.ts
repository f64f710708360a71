import { addMonths, toDay } from '../model/dates.ts';
import { compareVersions, parseVersion, type Version } from '../model/version.ts';

export type FieldType =
  | 'String'
  | 'Key-value'
  | 'Version'
  | 'Timestamp'
  | 'Duration'
  | 'Number'
  | 'Storage size'
  | 'Boolean';

/** A value of a field, as JSON. */
export interface Values {
  String: string | readonly string[];
  'Key-value': Readonly<Record<string, string>>;
  Version: string;
  /** A day, or an instant in UTC. */
  Timestamp: string;
  /** In ISO 8601, such as `P90D`. */
  Duration: string;
  Number: number;
  'Storage size': number;
  Boolean: boolean;
}

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly values?: readonly string[];
  /** No item has a value. */
  readonly isUnrecorded?: true;
}

/** A value of an ordered type; instants and durations in milliseconds. */
export type Ordered = number | Version;

/** The first and the last value that a text means: a day means all of its milliseconds. */
export type Span = readonly [first: Ordered, last: Ordered];

type Sign = 1 | -1;

interface ValueType {
  /** The expected form in a query, for messages. */
  readonly expected: string;
  /** The least number of pieces that makes a text pattern: 1 for any text, 2 for a text with a wildcard. `*` always does. */
  readonly minPieces?: number;
  /**
   * Reads a value of an ordered type in a query, as of the start of a day; undefined where invalid. `sign`: 1 if a duration counts
   * from the day on, -1 if it counts back.
   */
  readonly readText?: (text: string, now: number, sign: Sign) => Ordered | Span | undefined;
  /** Reads the value of a release, unless that is a number. */
  readonly readValue?: (text: string) => Ordered | undefined;
}

/** In milliseconds. */
const units = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
type Unit = keyof typeof units;

// More digits lose precision.
const number = /^\d{1,15}(?:\.\d{1,9})?$/;
const size = /^([\d.]+)(?:([kmgt])(i?))?b?$/;
const duration = new RegExp(`^(?=.)${describeCounts(Object.keys(units), String.raw`\d{1,9}`)}$`);
// ISO 8601 requires a T before a time. Only capitals: in the other form, 1M could mean a month.
const decimal = String.raw`\d{1,9}(?:[.,]\d{1,9})?`;
const period = new RegExp(
  `^P(?=.)${describeCounts(['W', 'D'], decimal)}(?:T(?=.)${describeCounts(['H', 'M', 'S'], decimal)})?$`,
);
const calendar = /^(?:(?<years>\d{1,3})y|(?<months>\d{1,3})mo)$/;
const isoCalendar = /^P(?=\d+[YM])(?:(?<years>\d{1,3})Y)?(?:(?<months>\d{1,3})M)?(?<time>.*)$/;
const month = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/;
const instant =
  /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

export const valueTypes: Readonly<Record<FieldType, ValueType>> = {
  String: {
    expected: 'a text, in which * stands for any characters',
    minPieces: 1,
  },
  'Key-value': { expected: 'key=value, in both of which * stands for any characters' },
  Version: {
    expected: 'a version such as 2025.3',
    minPieces: 2,
    readText: parseVersion,
    readValue: parseVersion,
  },
  Timestamp: {
    expected:
      'a day that exists, or a time on it, such as 2026-01-31, 2026-01, 2026-01-31T10:30, today, -5d or +3mo',
    readText: (text, now) =>
      readRelative(text.toLowerCase(), now) ?? readMonth(text) ?? readInstant(text.toUpperCase()),
    // A day means its first midnight.
    readValue: (text) => Date.parse(text),
  },
  Duration: {
    expected: 'a duration such as 90d, 3mo, 1y, 24h, 1d12h, 1500ms or P90D',
    readText: readDuration,
    readValue: parseDuration,
  },
  Number: {
    expected: 'a number such as 10 or 1.5',
    readText: (text) => (number.test(text) ? Number(text) : undefined),
  },
  'Storage size': {
    expected: 'a size such as 10, 1.5gi or 500mb',
    readText: readSize,
  },
  Boolean: { expected: 'true, false or *' },
};

export function compare(a: Ordered, b: Ordered): number {
  return typeof a === 'number' ? a - (b as number) : compareVersions(a, b as Version);
}

/** The pattern of counts with these units, each optional. */
function describeCounts(units: readonly string[], count: string): string {
  return units.map((unit) => `(?:${count}${unit})?`).join('');
}

/** All milliseconds of a length. */
function computeSpan(first: number, length: number): readonly [first: number, last: number] {
  return [first, first + length - 1];
}

/** `today`, `-5d`, `+3mo`, `-p1m`: a day, or a millisecond if the duration is finer than a day. */
function readRelative(text: string, now: number): Span | undefined {
  if (text === 'today') {
    return computeSpan(now, units.d);
  }

  const [, plusOrMinus, amount = ''] = /^([+-])(.+)$/.exec(text) ?? [];
  const duration = amount.startsWith('p') ? amount.toUpperCase() : amount;
  const sign = plusOrMinus === '-' ? -1 : 1;
  const length = readDuration(duration, now, sign);
  return length === undefined
    ? undefined
    : computeSpan(now + sign * length, isBelowDay(duration) ? 1 : units.d);
}

/** Whether a duration names hours, minutes, seconds or milliseconds. */
function isBelowDay(duration: string): boolean {
  return duration.startsWith('P') ? /[T.,]/.test(duration) : /[hs]|m(?!o)/.test(duration);
}

/** `2027`, `2027-01`. */
function readMonth(text: string): Span | undefined {
  const [, year, ofYear] = month.exec(text) ?? [];
  if (year === undefined) {
    return undefined;
  }

  const first = `${year}-${ofYear ?? '01'}-01`;
  return [Date.parse(first), Date.parse(addMonths(first, ofYear === undefined ? 12 : 1)) - 1];
}

/** The length of a duration from a day on, or back. `3mo`, `1y` and `P1Y3M` end on the same day of a month. */
function readDuration(text: string, now: number, sign: Sign): number | undefined {
  const { groups } = calendar.exec(text) ?? isoCalendar.exec(text) ?? {};
  if (!groups) {
    return parseDuration(text);
  }

  const { years = 0, months = 0, time = '' } = groups;
  const timeMs = time === '' ? 0 : parseDuration(`P${time}`);
  const end = addMonths(toDay(new Date(now)), sign * (Number(years) * 12 + Number(months)));
  return timeMs === undefined ? undefined : Math.abs(Date.parse(end) - now) + timeMs;
}

/** The milliseconds of a day, or of a time by the number of its characters: `T10:30` is a minute, `T10:30:15.2` a tenth of a second. */
const timeLengths: Readonly<Record<number, number>> = {
  0: units.d,
  6: units.m,
  9: units.s,
  11: 100,
  12: 10,
};

/** In ISO 8601, in capitals; a day or a time without an offset is UTC. */
export function readInstant(text: string): readonly [first: number, last: number] | undefined {
  const [, date, time = '', zone = 'Z'] = instant.exec(text) ?? [];
  const dateTime = `${date}${time}${'T00:00:00.000'.slice(time.length)}`;

  // JavaScript reads 30 February and 24:00 as a later day; reject them.
  if (new Date(`${dateTime}Z`).toJSON() !== `${dateTime}Z`) {
    return undefined;
  }

  return computeSpan(Date.parse(dateTime + zone), timeLengths[time.length] ?? 1);
}

/** `1d12h`, `PT5M`: from weeks down to milliseconds. In ISO 8601, the last number may have a fraction. */
function parseDuration(text: string): number | undefined {
  if (!duration.test(text) && !(period.test(text) && !/[.,]\d+[A-Z].*\d/.test(text))) {
    return undefined;
  }

  const parts = text
    .toLowerCase()
    .replaceAll(',', '.')
    .matchAll(/([\d.]+)(ms|.)/g);
  const durations = Array.from(parts, ([, count, unit]) => Number(count) * units[unit as Unit]);
  return Math.round(durations.reduce((a, b) => a + b));
}

/** In whole seconds, as ISO 8601 writes it. */
export function formatDuration(milliseconds: number): string {
  const days = Math.floor(milliseconds / units.d);
  const timeMs = milliseconds % units.d;
  if (timeMs === 0) {
    return `P${days}D`;
  }

  const [hours, minutes, seconds] = new Date(timeMs)
    .toISOString()
    .slice(11, 19)
    .split(':')
    .map(Number);
  return `P${days}DT${hours}H${minutes}M${seconds}S`.replaceAll(/(?<!\d)0[DHMS]/g, '');
}

function readSize(text: string): number | undefined {
  const [, amount = '', unit = ' ', binary] = size.exec(text.toLowerCase()) ?? [];
  if (!number.test(amount)) {
    return undefined;
  }

  const bytes = Number(amount) * (binary ? 1024 : 1000) ** ' kmgt'.indexOf(unit);

  // In floating point, 1.005 times 1,000 is a little less than 1,005.
  return Number(bytes.toPrecision(15));
}

/** The values of fields that documents state, too. */
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;
