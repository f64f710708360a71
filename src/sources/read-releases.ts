/**
 * Reads the entries of an upstream list as releases or release lines. Checks the fields of each release, such as dates, digests and URLs.
 */
import { prerelease } from 'semver';
import type * as z from 'zod';
import { createRange, type Day, findEarliest, toDay } from '../core/day.ts';
import { digestLengths, uniteDigests } from '../core/digest.ts';
import { isObject } from '../core/objects.ts';
import { describeProblems, showValue, toText } from '../core/parse-document.ts';
import type { Phase } from '../core/schema/published.ts';
import type { StatedLine } from '../core/schema/recorded.ts';
import { FileName, HttpsUrl, LineName } from '../core/schema/scalars.ts';
import { formatCount, formatList, formatShare, quote, toLine } from '../core/text.ts';
import { keyLine } from '../core/version.ts';
import { SourceError } from './http/failures.ts';
import { parseTimestamp } from './timestamps.ts';
import type { StatedAnswer, StatedAsset, StatedRelease, Tag } from './types.ts';

/**
 * Reads the releases of a list. `schema` returns undefined for an entry that is not a release. Reports all unreadable entries in one
 * note. Throws a `SourceError` if no entry can be read, because a broken source must not withdraw all releases.
 */
export function readReleases(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedRelease | undefined>,
): StatedAnswer {
  const { values, notes } = readEntries(url, entries, schema);
  return {
    releases: values.filter((release) => release !== undefined),
    notes,
    isPartial: values.length < entries.length,
  };
}

/** The greatest number of entries in a list: 500 pages of 1000 entries. */
const maxEntries = 500_000;

/** Returns the entries of a list. Throws if there are more than `maxEntries`, because reading them would block the whole run. */
export function limitEntries<T>(url: string, entries: readonly T[]): readonly T[] {
  if (entries.length > maxEntries) {
    throw SourceError.at(url, `lists more than ${formatCount(maxEntries, 'value')}`);
  }
  return entries;
}

/** Reads the entries of a list, and collects the entries that cannot be read. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
) {
  if (entries.length === 0) {
    throw SourceError.at(url, `lists no ${noun}`);
  }

  const results = limitEntries(url, entries).map((entry) => schema.safeParse(entry));
  const values = results.flatMap(({ data, success }) => (success ? [data] : []));
  const unread = entries.filter((_, index) => !results[index]!.success);
  if (unread.length === 0) {
    return { values, notes: [], unread };
  }

  const [first] = unread;
  const problem = `entry ${entries.indexOf(first) + 1}: ${describeProblems(first, schema)[0]}`;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${unread.length} entries can be read`);
  }
  const skipped = `${problem}. Skipped ${formatShare(unread.length, entries.length)} entries.`;
  return { values, notes: [skipped], unread };
}

/** Reads release lines, and merges entries for the same line. `nameKey`: the key that has the line's name in an entry. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
  nameKey = 'line',
): StatedAnswer {
  const { values, notes, unread } = readEntries(url, entries, schema, 'release line');
  const lines = new Map<string, StatedLine>();
  // If a name is listed twice, the last entry is used.
  for (const line of new Map(values.map((value) => [value.line, value])).values()) {
    const other = lines.get(keyLine(line.line));
    lines.set(keyLine(line.line), other ? uniteLines(other, line) : line);
  }
  for (const entry of unread) {
    const name = isObject(entry) ? entry[nameKey] : undefined;
    // An object is not a name, even if its text contains digits.
    const [line] = (typeof name !== 'object' && /\d+(?:\.\d+)*/.exec(String(name))) || [];
    if (line !== undefined && LineName.safeParse(line).success) {
      const { data: other } = schema.safeParse({ ...(entry as object), [nameKey]: line });
      const own = lines.get(keyLine(line)) ?? { line, phases: [] };
      lines.set(keyLine(line), uniteLines(own, other));
    }
  }
  const names = unread.flatMap((entry) => (isObject(entry) ? toText(entry[nameKey]) : []));
  return {
    releases: [],
    lines: [...lines.values()],
    notes: notes.map((text) => `${text} Not read: ${formatList(names.map(quote), 10)}.`),
    isPartial: notes.length > 0,
  };
}

/**
 * Merges two entries with the same numbers, such as 4.9 and 4.9-lts, into one release line. Its support ends between their end dates.
 * `until` is the earlier date, and `untilAtMost` is the later date. If an entry has no end date, the merged line has no phases.
 */
function uniteLines(line: StatedLine, other: StatedLine | undefined): StatedLine {
  return { line: line.line, phases: uniteEnds([line, other]) };
}

function uniteEnds(lines: readonly (StatedLine | undefined)[]): Phase[] {
  const ends = lines.map((each) => each?.phases.findLast(({ paid }) => !paid));
  const days = ends.map((end) => end?.until && [end.until, end.untilAtMost ?? end.until]);
  if (days.includes(undefined)) {
    return [];
  }

  const sorted = days.flat().sort();
  const { from: until, atMost: untilAtMost } = createRange(sorted[0], sorted.at(-1));
  return [{ name: 'support', until, untilAtMost }];
}

/* Checks the fields of listed releases, such as dates, digests and URLs, and merges entries of the same version. */

/** A release whose fields have the right form. */
export type SourceRelease = Tag & Partial<ReturnType<typeof checkRelease>['release']>;
export type Asset = StatedAsset & { name: string };

export interface SourceAnswer extends Omit<StatedAnswer, 'releases'> {
  releases: SourceRelease[];
}

/**
 * Checks the fields of all releases, such as dates, digests and URLs, and merges entries of the same version. `isOwn`: whether the owner of
 * the index writes the list. Then a date in the future is not a mistake, but a plan.
 */
export function checkAnswer(answer: StatedAnswer, day: Day, isOwn = false): SourceAnswer {
  const checked = answer.releases.map((release) => checkRelease(release, day, isOwn));
  const releases = checked.map(({ release }) => release);
  const byVersion = Map.groupBy(releases, ({ version }) => version);
  return {
    ...answer,
    releases: Array.from(byVersion.values(), uniteParts),
    notes: [...answer.notes, ...checked.flatMap(({ notes }) => notes)],
  };
}

/**
 * Checks the fields of a release. Leaves out a field with a wrong form, and reports it as a note. A single wrong value would make
 * Renovate drop a whole component. A browser would follow a `javascript:` link.
 */
export function checkRelease(stated: StatedRelease, day: Day, isOwn = false) {
  const { version, deprecated, isSemver } = stated;
  const notes: string[] = [];
  const reject = (expected: string, value: string, leftOut = 'Left out') => {
    notes.push(`${quote(version)}: expected ${expected}; got ${showValue(value)}. ${leftOut}.`);
  };

  const releaseTimestamp = readTimestamp(stated.releaseTimestamp, day);
  const plannedFor = isOwn ? readFutureDay(stated.releaseTimestamp, day) : undefined;
  if (stated.releaseTimestamp && !releaseTimestamp && !plannedFor) {
    const expected = `a date between ${earliestDay} and ${day}`;
    reject(expected, stated.releaseTimestamp, 'The date is left out');
  }
  const readUrl = (text: string | undefined) => {
    const url = text && HttpsUrl.safeParse(text).data;
    if (text && !url) {
      reject('an https: address', text);
    }
    return url;
  };
  const changelogUrl = readUrl(stated.changelogUrl);

  const reason =
    deprecated === undefined ? undefined : toLine(deprecated, 500) || 'no reason given';
  const hasSuffix = isSemver && prerelease(version) !== null;
  const texts = (stated.digests ?? []).flatMap((text) => text?.split(/\s+/) ?? []);
  const digests = texts.flatMap((text) => readDigest(text) ?? []);
  const files = stated.files && readFiles(stated.files, reject);
  const named = Object.entries(files ?? {});
  for (const [name, file] of named) {
    file.url = readUrl(stated.urls?.[name]);
  }
  const [first = null] = digests;
  return {
    release: {
      version,
      releaseTimestamp,
      plannedFor,
      isUpperBound: releaseTimestamp && stated.isUpperBound ? true : undefined,
      changelogUrl,
      deprecated: reason,
      isPrerelease: hasSuffix || stated.isPrerelease,
      hasProvenance: stated.hasProvenance,
      isStop: stated.isStop,
      digests: uniteDigests([...digests, ...named.map(([, { digest }]) => digest)].sort()),
      // If the source gives named files, none of their digests is the digest of the release. The release then has a digest only if the
      // source also gives one in `digests`.
      digest: files ? first : stated.digest,
      assets: stated.assets?.flatMap(readAsset),
      url: readUrl(stated.url),
      files,
    } satisfies Record<Exclude<keyof StatedRelease, 'isSemver' | 'urls'> | 'plannedFor', unknown>,
    notes,
  };
}

/** The earliest accepted release date. An earlier date is an upstream mistake. */
const earliestDay = '2000-01-01';

function readTimestamp(text = '', day: Day): string | undefined {
  const timestamp = parseTimestamp(text) ?? '';
  const isPlausible = timestamp >= earliestDay && toDay(timestamp) <= day;
  return isPlausible ? timestamp : undefined;
}

/** Returns the day of a date after `day`. Undefined if the date is not later, or cannot be read. */
function readFutureDay(text = '', day: Day): Day | undefined {
  const date = toDay(parseTimestamp(text) ?? '');
  return date > day ? date : undefined;
}

const algorithms = Object.entries(digestLengths);

/** Reads `sha256:<hex>` (OCI, GitHub), `<hex>` (PyPI, Helm) or `sha512-<base64>` (npm; W3C, Subresource Integrity). */
function readDigest(text: string): string | undefined {
  const [, hex] = /^(?:\w+:)?([\da-f]+)$/i.exec(text) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(text) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64, 'base64').toString('hex');
  // The number of digits shows which algorithm was used. Registries write the name of the algorithm in several ways, so it is not read.
  const [algorithm] = algorithms.find(([, length]) => length === digits.length) ?? [];
  return algorithm && `${algorithm}:${digits}`;
}

const maxFiles = 100;

/** Reads the SHA-256 of each named file. */
function readFiles(
  stated: Readonly<Record<string, string | undefined>>,
  reject: (expected: string, value: string) => void,
) {
  const files: Record<string, { digest: string; url?: string | undefined }> = {};
  for (const [name, text = ''] of Object.entries(stated).slice(0, maxFiles)) {
    const digest = readDigest(text);
    if (!FileName.safeParse(name).success) {
      reject('a name such as linux-amd64', name);
    } else if (!digest?.startsWith('sha256:')) {
      reject(`the SHA-256 of ${name}`, text);
    } else {
      files[name] = { digest };
    }
  }
  return files;
}

function readAsset({ name: text = '', digest, url }: StatedAsset): Asset[] {
  const name = toLine(text, 200);
  if (name === '') {
    return [];
  }
  return [
    {
      name,
      digest: digest && readDigest(digest),
      url: url && HttpsUrl.safeParse(url).data,
    },
  ];
}

/**
 * Merges entries of the same version, such as a gem for each platform. The release has the earliest of their dates. It is deprecated only
 * if all entries are deprecated.
 */
function uniteParts(parts: readonly SourceRelease[]): SourceRelease {
  // `parts` is a group of `Map.groupBy`, so it is not empty.
  const first = parts[0]!;
  if (parts.length === 1) {
    return first;
  }

  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    plannedFor: parts.every(({ plannedFor }) => plannedFor) ? first.plannedFor : undefined,
    deprecated: isDeprecated ? first.deprecated : undefined,
    ...(parts.some(({ hasProvenance }) => hasProvenance === false) && { hasProvenance: false }),
    digests: uniteDigests(parts.flatMap(({ digests = [] }) => digests).sort()),
    ...(first.assets && { assets: uniteAssets(parts) }),
    ...(first.files && { files: uniteFiles(parts) }),
  };
}

/**
 * Merges the named files of several entries. If several entries have a file of the same name, the first entry's file is used.
 * `Object.assign` cannot be used: a version may have more entries than one call may have arguments.
 */
function uniteFiles(parts: readonly SourceRelease[]): SourceRelease['files'] {
  return Object.fromEntries(parts.toReversed().flatMap(({ files = {} }) => Object.entries(files)));
}

/** Lists each asset once. A list that grows while its pages are read has some entries twice. */
function uniteAssets(parts: readonly SourceRelease[]): Asset[] {
  const all = parts.flatMap(({ assets = [] }) => assets);
  return [...new Map(all.map((asset) => [`${asset.digest} ${asset.name}`, asset])).values()];
}
