/** Reads the entries of lists as releases or release lines. */
import { prerelease } from 'semver';
import type * as z from 'zod';
import { toDay, type Day } from '../core/day.ts';
import { digestLengths, uniteDigests } from '../core/digest.ts';
import { describeProblems, showValue } from '../core/parse-document.ts';
import { StatedLine } from '../core/schema/recorded.ts';
import { FileName, HttpsUrl } from '../core/schema/scalars.ts';
import { quote, toLine } from '../core/text.ts';
import { SourceError } from './http/failures.ts';
import { parseTimestamp } from './timestamps.ts';
import type { Asset, SourceAnswer, SourceRelease } from './types.ts';

/** No earlier day is believed. */
const earliestDay = '2000-01-01';

/** What a source states of a release: `deprecated` is empty without a reason, digests are in any form, `digests` also separated by spaces. */
export interface StatedRelease extends Omit<SourceRelease, 'digests' | 'assets' | 'files'> {
  /** The registry orders versions by SemVer, where any suffix marks a prerelease. */
  isSemver?: boolean;
  digests?: readonly (string | null | undefined)[] | undefined;
  assets?: readonly { name?: string | undefined; digest?: string | undefined }[] | undefined;
  files?: Readonly<Record<string, string | undefined>> | undefined;
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
  { version, isPrerelease, isSemver, ...stated }: StatedRelease,
  day: Day,
): { release: SourceRelease; notes: string[] } {
  const notes: string[] = [];
  const reject = (expected: string, value: string) =>
    notes.push(`${quote(version)}: expected ${expected}; got ${showValue(value)}. Left out.`);

  const timestamp = parseTimestamp(stated.releaseTimestamp ?? '');
  const isPlausible =
    timestamp !== undefined && timestamp >= earliestDay && toDay(timestamp) <= day;
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
  const hasSuffix = isSemver && prerelease(version) !== null;
  const texts = (stated.digests ?? []).flatMap((text) => text?.split(/\s+/) ?? []);
  const digests = texts.flatMap((text) => readDigest(text) ?? []);
  const digest = stated.digest && (readDigest(stated.digest) ?? null);
  const files = stated.files && readFiles(stated.files, reject);
  return {
    release: {
      version,
      releaseTimestamp,
      isUpperBound: releaseTimestamp && stated.isUpperBound ? true : undefined,
      changelogUrl,
      deprecated,
      isPrerelease: hasSuffix || isPrerelease,
      digests: uniteDigests([...digests, ...Object.values(files ?? {})].sort()),
      // Beside files by name, one is meant only where it is stated apart.
      digest: files ? (digest ?? digests[0] ?? null) : digest,
      assets: stated.assets?.flatMap(readAsset),
      files,
    },
    notes,
  };
}

/** The SHA-256 of files by name. */
function readFiles(
  stated: Readonly<Record<string, string | undefined>>,
  reject: (expected: string, value: string) => void,
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [name, text = ''] of Object.entries(stated).slice(0, 100)) {
    const digest = readDigest(text);
    if (!FileName.safeParse(name).success) {
      reject('a name such as linux-amd64', name);
    } else if (!digest?.startsWith('sha256:')) {
      reject(`the SHA-256 of ${name}`, text);
    } else {
      files[name] = digest;
    }
  }
  return files;
}

function readAsset({ name, digest }: { name?: string | undefined; digest?: string | undefined }) {
  return name ? [{ name: toLine(name, 200), digest: digest && readDigest(digest) }] : [];
}

/** `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity). */
function readDigest(text: string): string | undefined {
  const [, hex] = /^(?:\w+:)?([\da-f]+)$/i.exec(text) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(text) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64, 'base64').toString('hex');
  // By the length: registries write the name of an algorithm in several ways.
  const lengths = Object.entries(digestLengths);
  const [algorithm] = lengths.find(([, length]) => length === digits.length) ?? [];
  return algorithm && `${algorithm}:${digits}`;
}

/**
 * Several entries of one version are its parts, such as a gem for each platform or a chart for each configuration: it came out with the
 * earliest, and is deprecated if all are.
 */
function uniteParts(parts: readonly SourceRelease[]): SourceRelease {
  // A group has an entry.
  const first = parts[0]!;
  const timestamps = parts.flatMap(({ releaseTimestamp }) => releaseTimestamp ?? []);
  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: timestamps.sort()[0],
    deprecated: isDeprecated ? first.deprecated : undefined,
    digests: uniteDigests(parts.flatMap(({ digests = [] }) => digests).sort()),
    ...(first.assets && { assets: uniteAssets(parts) }),
    ...(first.files && { files: Object.assign({}, ...parts.map(({ files }) => files).reverse()) }),
  };
}

/** Each once: a list that grows while its pages are read has entries twice. */
function uniteAssets(parts: readonly SourceRelease[]): Asset[] {
  const all = parts.flatMap(({ assets = [] }) => assets);
  return [...new Map(all.map((asset) => [`${asset.name} ${asset.digest}`, asset])).values()];
}

/** A release line whose phases follow each other, the paid ones last. */
export const OrderedLine = StatedLine.refine(({ phases }) => {
  const ends = phases.flatMap(({ until }) => until ?? []);
  const marks = phases.map(({ paid }) => Number(paid ?? false));
  return isOrdered(ends) && isOrdered(marks) && marks[0] !== 1;
}, 'expected phases that follow each other, the paid ones last');

/** Days and digits compare as texts. */
function isOrdered(values: readonly (string | number)[]): boolean {
  return values.toSorted().join() === values.join();
}

/** Each line once. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
): SourceAnswer {
  const { values, notes } = readEntries(url, entries, schema, 'release line');
  const lines = new Map(values.map((line) => [line.line, line]));
  return { releases: [], lines: [...lines.values()], notes, isPartial: notes.length > 0 };
}
