import { compareVersions, parseVersion, type Version } from '../version.ts';
import type { FieldType } from './fields.ts';

/** A value of a type that has an order; instants and durations in milliseconds. */
export type Ordered = number | Version;

/** The first and the last value that a text stands for: a day stands for all of its milliseconds. */
export interface Span {
  first: Ordered;
  last: Ordered;
}

export type OrderedType = Exclude<FieldType, 'String' | 'Key-value' | 'Boolean'>;

/** How the text of a value is read, as of the start of a day; undefined where it is no such value. */
export const readers: Readonly<Record<OrderedType, (text: string, now: number) => Span | undefined>> = {
  Version: (text) => exactly(isVersionText.test(text) ? parseVersion(text) : undefined),
  Timestamp: (text, now) => readRelative(text.toLowerCase(), now) ?? readInstant(text.toUpperCase()),
  Duration: (text) => exactly(parseDuration(text)),
  Number: (text) => exactly(isNumber.test(text) ? Number(text) : undefined),
  'Storage size': (text) => exactly(readSize(text.toLowerCase())),
};

export function compare(a: Ordered, b: Ordered): number {
  return typeof a === 'number' ? a - (b as number) : compareVersions(a, b as Version);
}

const mostRemembered = 200_000;
const isVersionText = /^[\w.+~!:-]+(?: [\w.+~!:-]+)*$/;
// Of more digits, a number would be read as a near one.
const isNumber = /^\d{1,15}(?:\.\d{1,9})?$/;

function exactly(value: Ordered | undefined): Span | undefined {
  return value === undefined ? undefined : { first: value, last: value };
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

function readRelative(text: string, now: number): Span | undefined {
  if (text === 'today') return spanOf(now, day);
  const [, count, unit] = /^([+-]\d{1,6})([dwh])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  if (unit === 'h') return spanOf(now + Number(count) * hour, 1);
  return spanOf(now + Number(count) * (unit === 'w' ? 7 * day : day), day);
}

const instant =
  /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.(\d{3}))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))?)?$/;

/** In ISO 8601, in capitals; a time without an offset is UTC. */
export function readInstant(text: string): { first: number; last: number } | undefined {
  const [, date, time, seconds, fraction, sign, hours, minutes] = instant.exec(text) ?? [];
  const whole = `${date}T${time ?? '00:00'}:${seconds ?? '00'}.${fraction ?? '000'}Z`;
  const utc = Date.parse(whole);
  // What does not exist, such as 30 February or 24:00, is taken for the day after.
  if (Number.isNaN(utc) || new Date(utc).toISOString() !== whole) return undefined;
  const ahead = sign ? Number(`${sign}1`) * (Number(hours) * hour + Number(minutes) * minute) : 0;
  const length = fraction ? 1 : seconds ? second : time ? minute : day;
  return spanOf(utc - ahead, length);
}

function spanOf(first: number, length: number): { first: number; last: number } {
  return { first, last: first + length - 1 };
}

const duration = /^(p)?(?:(\d{1,9})w)?(?:(\d{1,9})d)?(t)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?$/i;

/** Of a day or an instant of a release; a day means the midnight with which it begins. */
export const instantOf = remembering((text) => Date.parse(text));

/** Of a version of a release. */
export const versionOf = remembering(parseVersion);

/** Reads a text once: the same releases are asked about again and again. */
function remembering<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      value = read(text);
      if (known.size >= mostRemembered) known.clear();
      known.set(text, value);
    }
    return value;
  };
}

/** `1d12h`, `PT5M`: from weeks down to seconds; ISO 8601 has a `T` exactly before a time. */
export function parseDuration(text: string): number | undefined {
  const [, period, weeks, days, time, hours, minutes, seconds] = duration.exec(text) ?? [];
  const hasTime = Boolean(hours ?? minutes ?? seconds);
  // In any other case, 1M could be meant as a month.
  if (text !== (period ? text.toUpperCase() : text.toLowerCase())) return undefined;
  if (!(weeks ?? days) && !hasTime) return undefined;
  if (Boolean(time) !== (Boolean(period) && hasTime)) return undefined;
  return (
    Number(weeks ?? 0) * 7 * day +
    Number(days ?? 0) * day +
    Number(hours ?? 0) * hour +
    Number(minutes ?? 0) * minute +
    Number(seconds ?? 0) * second
  );
}

/** In whole seconds, as ISO 8601 writes it. */
export function formatDuration(milliseconds: number): string {
  const [days, rest] = [Math.floor(milliseconds / day), milliseconds % day];
  if (rest === 0) return `P${days}D`;
  const [hours, minutes, seconds] = new Date(rest).toISOString().slice(11, 19).split(':').map(Number);
  return `P${days}DT${hours}H${minutes}M${seconds}S`.replaceAll(/(?<!\d)0[DHMS]/g, '');
}

function readSize(text: string): number | undefined {
  const [, number, unit = '', binary] = /^([\d.]+)([kmgt]?)(i?)b?$/.exec(text) ?? [];
  if (number === undefined || !isNumber.test(number) || (binary && !unit)) return undefined;
  const size = Number(number) * (binary ? 1024 : 1000) ** ' kmgt'.indexOf(unit || ' ');
  // 1.005 times 1,000 is a little less than 1,005 to a computer.
  return Number(size.toPrecision(15));
}
