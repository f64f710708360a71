/** Reads the entries of lists as releases or release lines, and checks what they state. */
import { prerelease } from 'semver';
import type * as z from 'zod';
import { createRange, type Day, findEarliest, toDay } from '../core/day.ts';
import { digestLengths, uniteDigests } from '../core/digest.ts';
import { isObject } from '../core/objects.ts';
import { describeProblems, showValue } from '../core/parse-document.ts';
import type { Phase } from '../core/schema/published.ts';
import type { StatedLine } from '../core/schema/recorded.ts';
import { FileName, HttpsUrl, LineName } from '../core/schema/scalars.ts';
import { quote, toLine } from '../core/text.ts';
import { SourceError } from './http/failures.ts';
import { parseTimestamp } from './timestamps.ts';
import type { StatedAnswer, StatedAsset, StatedRelease, Tag } from './types.ts';

/**
 * The releases of a list. `schema` turns an entry into a release, or into nothing if it is none. Entries that cannot be read are
 * reported together. Throws for a list without a readable entry: that is a fault of the source, and no reason to withdraw everything.
 */
export function readReleases(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedRelease | undefined>,
): StatedAnswer {
  const { values, findings } = readEntries(url, entries, schema);
  return {
    releases: values.filter((release) => release !== undefined),
    findings,
    isPartial: values.length < entries.length,
  };
}

/** The readable entries of a list. */
export function readEntries<T>(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<T>,
  noun = 'version',
) {
  if (entries.length === 0) {
    throw SourceError.at(url, `lists no ${noun}`);
  }

  const results = entries.map((entry) => schema.safeParse(entry));
  const values = results.flatMap(({ data, success }) => (success ? [data] : []));
  const unread = entries.filter((_, index) => !results[index]!.success);
  if (unread.length === 0) {
    return { values, findings: [], unread };
  }

  const [first] = unread;
  const problem = `entry ${entries.indexOf(first) + 1}: ${describeProblems(first, schema)[0]}`;
  if (values.length === 0) {
    throw SourceError.at(url, `${problem}. None of its ${unread.length} entries can be read`);
  }
  const skipped = `${problem}. Skipped ${unread.length} of ${entries.length} entries.`;
  return { values, findings: [skipped], unread };
}

/** Each line once. `nameKey`: that of its name in an entry. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
  nameKey = 'line',
): StatedAnswer {
  const { values, findings, unread } = readEntries(url, entries, schema, 'release line');
  const lines = new Map(values.map((line) => [line.line, line]));
  for (const entry of unread) {
    const name = isObject(entry) ? entry[nameKey] : undefined;
    // An object is no name, whatever digits are in it.
    const [line] = (typeof name !== 'object' && /\d+(?:\.\d+)*/.exec(String(name))) || [];
    if (line !== undefined && LineName.safeParse(line).success) {
      const { data: other } = schema.safeParse({ ...(entry as object), [nameKey]: line });
      lines.set(line, { line, phases: uniteEnds(lines.get(line), other) });
    }
  }
  return { releases: [], lines: [...lines.values()], findings, isPartial: findings.length > 0 };
}

/**
 * What is known of a line whose name some cycle has with more words, as 4.9 beside 4.9-lts: it ends between the ends of both. Nothing,
 * where one of these has no day.
 */
function uniteEnds(line: StatedLine | undefined, other: StatedLine | undefined): Phase[] {
  const ends = [line, other].map((each) => each?.phases.findLast(({ paid }) => !paid));
  const days = ends.map((end) => end?.until && [end.until, end.untilAtMost ?? end.until]);
  if (days.includes(undefined)) {
    return [];
  }

  const sorted = days.flat().sort();
  const { from: until, atMost: untilAtMost } = createRange(sorted[0], sorted.at(-1));
  return [{ name: 'support', until, untilAtMost }];
}

/* Checks the values that sources state of releases, and unites the parts of each version. */

/** A release with values of the right form, before a definition selects from it. */
export type SourceRelease = Tag & Partial<ReturnType<typeof checkRelease>['release']>;
export type Asset = StatedAsset & { name: string };

export interface SourceAnswer extends Omit<StatedAnswer, 'releases'> {
  releases: SourceRelease[];
}

/** Each version once, with values of the right form. */
export function checkAnswer(answer: StatedAnswer, day: Day): SourceAnswer {
  const checked = answer.releases.map((release) => checkRelease(release, day));
  const releases = checked.map(({ release }) => release);
  const byVersion = Map.groupBy(releases, ({ version }) => version);
  return {
    ...answer,
    releases: Array.from(byVersion.values(), uniteParts),
    findings: [...answer.findings, ...checked.flatMap(({ findings }) => findings)],
  };
}

/**
 * Leaves out values of another form, with a finding. Renovate drops a whole component for one bad field, and a browser follows
 * `javascript:`.
 */
export function checkRelease(stated: StatedRelease, day: Day) {
  const { version, deprecated, isSemver } = stated;
  const findings: string[] = [];
  const reject = (expected: string, value: string) => {
    findings.push(`${quote(version)}: expected ${expected}; got ${showValue(value)}. Left out.`);
  };

  const releaseTimestamp = readTimestamp(stated.releaseTimestamp, day);
  if (stated.releaseTimestamp && !releaseTimestamp) {
    reject(`a date between ${earliestDay} and ${day}`, stated.releaseTimestamp);
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
      isUpperBound: releaseTimestamp && stated.isUpperBound ? true : undefined,
      changelogUrl,
      deprecated: reason,
      isPrerelease: hasSuffix || stated.isPrerelease,
      hasProvenance: stated.hasProvenance,
      digests: uniteDigests([...digests, ...named.map(([, { digest }]) => digest)].sort()),
      // Beside files by name, one is meant only where it is stated apart.
      digest: files ? first : stated.digest,
      assets: stated.assets?.flatMap(readAsset),
      url: readUrl(stated.url),
      files,
    },
    findings,
  };
}

/** No earlier day is believed. */
const earliestDay = '2000-01-01';

function readTimestamp(text = '', day: Day): string | undefined {
  const timestamp = parseTimestamp(text) ?? '';
  const isPlausible = timestamp >= earliestDay && toDay(timestamp) <= day;
  return isPlausible ? timestamp : undefined;
}

const algorithms = Object.entries(digestLengths);

/** `sha256:<hex>` as in OCI and GitHub, `<hex>` as in PyPI and Helm, or `sha512-<base64>` as in npm (W3C, Subresource Integrity). */
function readDigest(text: string): string | undefined {
  const [, hex] = /^(?:\w+:)?([\da-f]+)$/i.exec(text) ?? [];
  const [, base64 = ''] = /^\w+-([A-Za-z0-9+/]+={0,2})/.exec(text) ?? [];
  const digits = hex?.toLowerCase() ?? Buffer.from(base64, 'base64').toString('hex');
  // By the length: registries write the name of an algorithm in several ways.
  const [algorithm] = algorithms.find(([, length]) => length === digits.length) ?? [];
  return algorithm && `${algorithm}:${digits}`;
}

const maxFiles = 100;

/** The SHA-256 of files by name. */
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

function readAsset({ name, digest, url }: StatedAsset): Asset[] {
  if (!name) {
    return [];
  }
  return [
    {
      name: toLine(name, 200),
      digest: digest && readDigest(digest),
      url: url && HttpsUrl.safeParse(url).data,
    },
  ];
}

/**
 * Several entries of one version are its parts, such as a gem for each platform or a chart for each configuration: it came out with the
 * earliest, and is deprecated if all are.
 */
function uniteParts(parts: readonly SourceRelease[]): SourceRelease {
  // A group has an entry.
  const first = parts[0]!;
  if (parts.length === 1) {
    return first;
  }

  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    deprecated: isDeprecated ? first.deprecated : undefined,
    ...(parts.some(({ hasProvenance }) => hasProvenance === false) && { hasProvenance: false }),
    digests: uniteDigests(parts.flatMap(({ digests = [] }) => digests).sort()),
    ...(first.assets && { assets: uniteAssets(parts) }),
    ...(first.files && { files: Object.assign({}, ...parts.map(({ files }) => files).reverse()) }),
  };
}

/** Each once: a list that grows while its pages are read has entries twice. */
function uniteAssets(parts: readonly SourceRelease[]): Asset[] {
  const all = parts.flatMap(({ assets = [] }) => assets);
  return [...new Map(all.map((asset) => [`${asset.digest} ${asset.name}`, asset])).values()];
}
