/** Reads the entries of lists as releases. */
import type * as z from 'zod';
import { toDay, type Day, isDay, toTimestamp } from '../core/day.ts';
import { digestLengths, uniteDigests } from '../core/digest.ts';
import { describeProblems, showValue } from '../core/errors.ts';
import { HttpsUrl } from '../core/schema/scalars.ts';
import { quote, toLine } from '../core/text.ts';
import { SourceError } from './http/failures.ts';
import type { SourceAnswer, SourceRelease } from './types.ts';

/** No earlier day is believed. */
const earliestDay = '2000-01-01';

/** What a source states of a release: `deprecated` is empty without a reason, `digests` are in any form, also separated by spaces. */
export interface StatedRelease extends Omit<SourceRelease, 'digests'> {
  digests?: readonly (string | null | undefined)[] | undefined;
}

/**
 * The releases of a list. `schema` turns an entry into a release, or into nothing if it is none. Entries that cannot be read are
 * reported together. Throws for a list without a readable entry: that is a fault of the source, and no reason to withdraw everything.
 */
export function readReleases(
  url: string,
  day: Day,
  entries: readonly unknown[],
  schema: z.ZodType<StatedRelease | undefined>,
): SourceAnswer {
  const { values, notes } = readEntries(url, entries, schema);
  const { releases, notes: leftOut } = checkReleases(values, day);
  return {
    releases,
    notes: [...notes, ...leftOut],
    isPartial: values.length < entries.length,
  };
}

/** The readable entries of a list. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
): { values: T[]; notes: string[] } {
  if (entries.length === 0) {
    throw SourceError.at(url, `lists no ${noun}`);
  }

  const values: T[] = [];
  let problem: string | undefined;
  for (const [index, entry] of entries.entries()) {
    const { data, success } = schema.safeParse(entry);
    if (success) {
      values.push(data);
    } else {
      problem ??= `entry ${index + 1}: ${describeProblems(entry, schema)[0]}`;
    }
  }

  if (problem === undefined) {
    return { values, notes: [] };
  }
  const skipped = entries.length - values.length;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${skipped} entries can be read`);
  }
  return { values, notes: [`${problem}. Skipped ${skipped} of ${entries.length} entries.`] };
}

/** Each version once, with values of the right form. */
export function checkReleases(
  stated: readonly (StatedRelease | undefined)[],
  day: Day,
): SourceAnswer {
  const checked = stated.flatMap((release) => (release ? checkRelease(release, day) : []));
  const byVersion = Map.groupBy(
    checked.map(({ release }) => release),
    ({ version }) => version,
  );
  return {
    releases: Array.from(byVersion.values(), uniteParts),
    notes: checked.flatMap(({ notes }) => notes),
  };
}

/** Leaves out values of another form, with a note. Renovate drops a whole component for one bad field, and a browser follows `javascript:`. */
export function checkRelease(
  { version, isPrerelease, ...stated }: StatedRelease,
  day: Day,
): { release: SourceRelease; notes: string[] } {
  const notes: string[] = [];
  const reject = (expected: string, value: string) =>
    notes.push(`${quote(version)}: expected ${expected}; got ${showValue(value)}. Left out.`);

  const timestamp = parseTimestamp(stated.releaseTimestamp ?? '');
  const isPlausible = timestamp && timestamp >= earliestDay && toDay(timestamp) <= day;
  const releaseTimestamp = isPlausible ? timestamp : undefined;
  if (stated.releaseTimestamp && !releaseTimestamp) {
    reject(`a date between ${earliestDay} and ${day}`, stated.releaseTimestamp);
  }
  const changelogUrl = HttpsUrl.safeParse(stated.changelogUrl).data;
  if (stated.changelogUrl && !changelogUrl) {
    reject('an https: address', stated.changelogUrl);
  }

  const deprecated =
    stated.deprecated === undefined
      ? undefined
      : toLine(stated.deprecated, 500) || 'no reason given';
  const words = (stated.digests ?? []).flatMap((text) => text?.split(/\s+/) ?? []);
  const digests = uniteDigests(words.flatMap((word) => readDigest(word) ?? []));
  const digest = stated.digest && (readDigest(stated.digest) ?? null);
  return {
    release: { version, releaseTimestamp, changelogUrl, deprecated, isPrerelease, digests, digest },
    notes,
  };
}

/** `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity). */
function readDigest(word: string): string | undefined {
  const [, hex] = /^(?:\w+:)?([\da-f]+)$/i.exec(word) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(word) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64, 'base64').toString('hex');
  const lengths = Object.entries(digestLengths);
  const [algorithm] = lengths.find(([, length]) => length === digits.length) ?? [];
  return algorithm && `${algorithm}:${digits}`;
}

/**
 * Several entries of one version are its parts, such as a gem for each platform or a chart for each configuration: it came out with the
 * earliest, and is deprecated if all are.
 */
function uniteParts(parts: readonly SourceRelease[]): SourceRelease {
  const [first] = parts as [SourceRelease];
  const timestamps = parts.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: timestamps.sort()[0],
    deprecated: isDeprecated ? first.deprecated : undefined,
    digests: uniteDigests(parts.flatMap(({ digests = [] }) => digests)),
  };
}

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** The number of a month by its name, whole or cut to three or four letters (`sept`): 0 for any other word, which makes no day. */
function readMonth(name: string): number {
  const isCut = name.length === 3 || name === 'sept';
  return months.findIndex((month) => month === name || (isCut && month.startsWith(name))) + 1;
}

/** ISO 8601: a day, or a day and a time: `2026-03-25 14:30:00.5+01:00`, `2026-03-25T14:30Z`, `2026-03-25 14:30 UTC`. */
const isoForm =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d+)?)?\s?(?:Z|UTC|(?<sign>[+-])(?<offsetHours>\d{2}):?(?<offsetMinutes>\d{2})?)?)?$/i;
/** `2026/3/25`, and `25.3.2026`: with dots, the day is always first. */
const slashForm = /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/;
const dotForm = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/;
/** RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`; also with an offset of zero, as in mails. */
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
export function parseTimestamp(text: string): string | undefined {
  const line = text.trim().replace(/\s+/g, ' ');
  for (const form of [isoForm, slashForm, dotForm, httpDate, dayMonthYear, monthDayYear]) {
    const groups = form.exec(line)?.groups;
    if (groups) {
      return composeTimestamp(groups);
    }
  }
  return undefined;
}

function composeTimestamp(
  groups: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { year, month = '', day = '', hours = '00', minutes = '00', seconds = '00' } = groups;
  const { sign = '+', offsetHours = '00', offsetMinutes = '00' } = groups;
  const monthNumber = /^\d/.test(month) ? month : String(readMonth(month.toLowerCase()));
  const date = `${year}-${monthNumber.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const offset = `${sign}${offsetHours}:${offsetMinutes}`;
  const instant = new Date(`${date}T${hours}:${minutes}:${seconds}${offset}`);

  // JavaScript reads 30 February and 24:00 as a later day, and gives a year of more than four digits a sign.
  if (Number.isNaN(instant.getTime()) || !isDay(date) || hours === '24') {
    return undefined;
  }

  const text = instant.toISOString();
  return /^\d/.test(text) ? toTimestamp(text) : undefined;
}
