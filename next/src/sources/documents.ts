/** Reads documents of upstreams: JSON, YAML and XML by their schemas, and entries as releases. */
import { type Day, earliestPlausibleDay, toDay } from '../core/day.ts';
import { digestLengths } from '../core/digest.ts';
import { describeProblems, showValue } from '../core/errors.ts';
import { HttpsUrl } from '../core/schema/scalars.ts';
import { quote, toLine } from '../core/text.ts';
import { compareVersions, isPrereleaseForm, parseVersion } from '../core/version.ts';
import { parseTimestamp } from './timestamps.ts';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import parseSemver from 'semver/functions/parse.js';
import * as z from 'zod';
import type { HttpResponse } from './http/client.ts';
import { SourceError } from './http/failures.ts';
import type { SourceAnswer, SourceRelease } from './types.ts';

/** More versions than any product has. */
const maxEntries = 100_000;

/** An optional value of a registry. Of another type, it makes its entry unreadable. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined);
/** An optional value without which an entry is as good: of another type, it is ignored. */
export const anyText = z
  .string()
  .trim()
  .nullish()
  .catch(undefined)
  .transform((value) => value || undefined);

export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  return readBySchema(response.url, response.json(), schema);
}

export function readBySchema<T>(url: string, document: unknown, schema: z.ZodType<T>): T {
  const { data, success } = schema.safeParse(document);
  if (!success) {
    throw SourceError.at(url, describeProblems(document, schema)[0]!);
  }
  return data;
}

/** All values are text: with YAML's own types, the version 1.10 would be the number 1.1. A few aliases can expand without end. */
export function parseYaml({ url, text: read }: HttpResponse): unknown {
  try {
    return load(read(), { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: 50 });
  } catch (error) {
    throw SourceError.at(
      url,
      `cannot be read as YAML: ${toLine((error as Error).message, 200)}`,
      error,
    );
  }
}

/** All values are text. Entities of a DOCTYPE can expand without end. `list`: the path of an element that is a list, even of one. */
export function parseXml({ url, text: read }: HttpResponse, list: string): unknown {
  const xml = read();
  const validity = XMLValidator.validate(xml);
  if (/<!DOCTYPE/i.test(xml) || validity !== true) {
    throw SourceError.at(
      url,
      validity === true
        ? 'contains <!DOCTYPE. Not read'
        : `cannot be read as XML: ${toLine(validity.err.msg, 200)} (line ${validity.err.line})`,
    );
  }

  try {
    return new XMLParser({
      ignoreDeclaration: true,
      parseTagValue: false,
      isArray: (_name, path) => String(path) === list,
    }).parse(xml);
  } catch (error) {
    throw SourceError.at(
      url,
      `cannot be read as XML: ${toLine((error as Error).message, 200)}`,
      error,
    );
  }
}

/** Throws if a document is about another package than requested. */
export function expectPackage(url: string, expected: string, got: string | undefined): void {
  if (got !== undefined && got !== expected) {
    throw SourceError.at(
      url,
      `expected the document of "${expected}"; got that of ${showValue(got)}`,
    );
  }
}

/** What a source states of a release: `digests` in any form, separated by spaces or as a list. */
export interface StatedRelease extends Omit<SourceRelease, 'digests' | 'deprecated'> {
  /** Empty if no reason is stated. */
  deprecated?: string | undefined;
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
  const releases = unite(
    values
      .filter((value) => value !== undefined)
      .map((release) => checkRelease(release, day, notes)),
  );
  return notes.length === 0
    ? { releases, notes }
    : { releases, notes, isPartial: values.length < entries.length };
}

/** The readable entries of a list. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
) {
  if (entries.length === 0 || entries.length > maxEntries) {
    throw SourceError.at(
      url,
      entries.length === 0
        ? `lists no ${noun}`
        : `lists ${entries.length} entries, more than the ${maxEntries} that we read`,
    );
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

  const skipped = entries.length - values.length;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${skipped} entries can be read`);
  }
  return {
    values,
    notes:
      problem === undefined ? [] : [`${problem}. Skipped ${skipped} of ${entries.length} entries.`],
  };
}

/** Leaves out values of another form, with a note. Renovate drops a whole component for one bad field, and a browser follows `javascript:`. */
export function checkRelease(
  { version, ...stated }: StatedRelease,
  day: Day,
  notes: string[],
): SourceRelease {
  const release: SourceRelease = { version };
  const reject = (what: string, value: unknown) =>
    notes.push(`${quote(version)}: expected ${what}; got ${showValue(value)}. Left out.`);

  if (stated.releaseTimestamp) {
    const timestamp = parseTimestamp(stated.releaseTimestamp);
    if (
      timestamp !== undefined &&
      toDay(timestamp) >= earliestPlausibleDay &&
      toDay(timestamp) <= day
    ) {
      release.releaseTimestamp = timestamp;
    } else {
      reject(`a date between ${earliestPlausibleDay} and ${day}`, stated.releaseTimestamp);
    }
  }
  if (stated.changelogUrl) {
    if (HttpsUrl.safeParse(stated.changelogUrl).success) {
      release.changelogUrl = stated.changelogUrl;
    } else {
      reject('an https: address', stated.changelogUrl);
    }
  }
  if (stated.deprecated !== undefined) {
    release.deprecated = toLine(stated.deprecated, 500) || 'no reason given';
  }
  if (stated.isPrerelease !== undefined) {
    release.isPrerelease = stated.isPrerelease;
  }

  const digests = (stated.digests ?? [])
    .flatMap((each) => (each ?? '').split(/\s+/))
    .flatMap((each) => readDigest(each) ?? []);
  if (digests.length > 0) {
    release.digests = [...new Set(digests)].sort().slice(0, 100);
  }
  return release;
}

/** `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity). */
function readDigest(word: string): string | undefined {
  const [, , hex = ''] = /^(?:(\w+):)?([\da-f]+)$/i.exec(word) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(word) ?? [];
  const digits = hex.toLowerCase() || Buffer.from(base64, 'base64').toString('hex');
  const found = Object.entries(digestLengths).find(([, length]) => length === digits.length);
  return found && `${found[0]}:${digits}`;
}

/**
 * Each version once. Several entries of one version are its parts, such as a gem for each platform or a chart for each configuration: it
 * came out with the earliest, and is deprecated if all are.
 */
function unite(releases: readonly SourceRelease[]): SourceRelease[] {
  return Array.from(
    Map.groupBy(releases, ({ version }) => version).values(),
    ([first, ...others]) => {
      const parts = [first!, ...others];
      const timestamps = parts.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []).sort();
      const digests = [...new Set(parts.flatMap((part) => part.digests ?? []))].sort();
      return {
        ...first!,
        ...(timestamps[0] !== undefined && { releaseTimestamp: timestamps[0] }),
        ...(digests.length > 0 && { digests }),
        ...(parts.some(({ deprecated }) => deprecated === undefined) && { deprecated: undefined }),
      };
    },
  );
}

/**
 * Whether SemVer calls a version a prerelease where its form does not say so: each version with a hyphen is one (section 9), but for a
 * suffix such as `-jre`. Undefined where both agree.
 */
export function readSemverPrerelease(version: string): boolean | undefined {
  const parsed = parseSemver(version);
  const own = parseVersion(version);
  if (!parsed || !own || isReleaseForm(own.suffix)) {
    return undefined;
  }

  const isPrerelease = parsed.prerelease.length > 0;
  return isPrerelease === isPrereleaseForm(own) ? undefined : isPrerelease;
}

const releaseWords = new Set(['jre', 'android', 'final', 'release', 'ga', 'alpine']);

function isReleaseForm(suffix: string): boolean {
  const names =
    suffix
      .split('+')[0]!
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  return names.length > 0 && names.every((name) => releaseWords.has(name));
}

/** The greatest stable version of a list of names, else the greatest prerelease. */
export function findLatestVersion(names: readonly unknown[]): string | undefined {
  const versions = names.flatMap((name) =>
    typeof name === 'string' ? (parseVersion(name) ?? []) : [],
  );
  const sorted = versions.sort(compareVersions);
  return (sorted.findLast((version) => !isPrereleaseForm(version)) ?? sorted.at(-1))?.text;
}
