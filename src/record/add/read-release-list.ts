import * as z from 'zod';
import { parseTimestamp } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { GivenValues } from './draft-definition.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { orNull } from '../sources/shared/json-list.ts';

/** The releases of a list that somebody keeps by hand, and what it states about the component. */
export interface ReleaseList {
  releases: StaticRelease[];
  facts: GivenValues;
  /** The version that the list states as the latest. */
  latest?: string | undefined;
  /** Notes on fields that Renovate reads, and that no definition has. */
  notes: string[];
}

const maxReleases = 10_000;

/** Reads a list in one of the forms of `parseReleaseList`. Throws an `InputError` with every line that cannot be read. */
export function readReleaseList(path: string, text: string): ReleaseList {
  const { entries, facts = {}, latest, unpublishedFields = [] } = parseReleaseList(path, text);
  if (entries.length === 0) {
    throw inputError(path, 'lists no version');
  }
  if (entries.length > maxReleases) {
    throw inputError(path, `expected at most ${maxReleases} releases; got ${entries.length}`);
  }

  const releases = toStaticReleases(path, entries);
  const hasPrereleases = releases.some(
    ({ version, isStable }) => isStable === false || isPrereleaseForm(version),
  );
  const note = `left out ${unpublishedFields.join(', ')}: an index does not publish it`;
  return {
    releases,
    facts: hasPrereleases ? { ...facts, prereleases: true } : facts,
    latest,
    notes: unpublishedFields.length > 0 ? [note] : [],
  };
}

/** Throws an `InputError` with every problem, or the first of many. */
function toStaticReleases(path: string, entries: readonly ListedRelease[]): StaticRelease[] {
  const problems: string[] = [];
  const versions = new Set<string>();
  const releases: StaticRelease[] = [];

  for (const entry of entries) {
    const { place, version } = entry;
    const release = toStaticRelease(entry);
    problems.push(...listProblems(entry, release).map((problem) => `${place}: ${problem}`));
    if (versions.has(version)) {
      problems.push(`${place}: ${quote(version)} is listed twice`);
    }

    versions.add(version);
    releases.push(release);
  }

  if (problems.length === 0) {
    return releases;
  }

  const more = problems.length - shownProblems;
  const shown = problems.slice(0, shownProblems).join('; ');
  throw inputError(path, more > 0 ? `${shown}; and ${more} more` : shown);
}

const shownProblems = 5;

function toStaticRelease(entry: ListedRelease): StaticRelease {
  const { version, day, changelogUrl, isDeprecated, isStable } = entry;
  return dropUndefined({
    version,
    releaseTimestamp: day === undefined ? undefined : parseTimestamp(day),
    changelogUrl,
    deprecated: readFlag(isDeprecated)
      ? 'The list of releases states that it is deprecated.'
      : undefined,
    isStable: readFlag(isStable) === false ? false : undefined,
  });
}

function listProblems(
  { version, day, changelogUrl, isDeprecated, isStable }: ListedRelease,
  { releaseTimestamp }: StaticRelease,
): string[] {
  const problems: string[] = [];
  if (version === '') {
    problems.push('expected a version');
  }
  if (day !== undefined && releaseTimestamp === undefined) {
    problems.push(`${quote(version)}: expected a day such as 2026-01-31; got ${quote(day)}`);
  }
  if (changelogUrl !== undefined && !HttpsUrl.safeParse(changelogUrl).success) {
    problems.push(`${quote(version)}: expected an https: address; got ${quote(changelogUrl)}`);
  }
  for (const flag of [isDeprecated, isStable]) {
    if (flag !== undefined && readFlag(flag) === undefined) {
      problems.push(`${quote(version)}: expected true or false; got ${quote(flag)}`);
    }
  }
  return problems;
}

/** Undefined for a text that is no flag. */
function readFlag(text = ''): boolean | undefined {
  if (/^(?:true|yes|1)$/i.test(text)) {
    return true;
  }

  return /^(?:false|no|0)$/i.test(text) ? false : undefined;
}

/** A release as people and other programs write it, unchecked. */
interface ListedRelease {
  /** Its line or entry in the list. */
  place: string;
  version: string;
  day?: string | undefined;
  changelogUrl?: string | undefined;
  isDeprecated?: string | undefined;
  isStable?: string | undefined;
}

/** A list in any form, unchecked. */
interface ParsedList {
  entries: ListedRelease[];
  facts?: GivenValues;
  latest?: string | undefined;
  /** The names of fields that Renovate reads, and that no index publishes. */
  unpublishedFields?: readonly string[];
}

/**
 * Parses Renovate's JSON (`{"releases": [{"version", "releaseTimestamp", …}]}` or its array), CSV with a header that has the column
 * `version`, or lines of `version day`.
 */
function parseReleaseList(path: string, text: string): ParsedList {
  const content = text.replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(content) ? parseJsonList(path, content) : parseTextList(path, content);
}

const Entry = z.object({
  version: z.string(),
  releaseTimestamp: orNull(z.string()),
  changelogUrl: orNull(z.string()),
  isDeprecated: orNull(z.boolean().transform(String)),
  isStable: orNull(z.boolean().transform(String)),
});

const Link = orNull(HttpsUrl).catch(undefined);

/** Renovate's `ReleaseResult` (lib/modules/datasource/types.ts); a plain version stands for a release. */
const Document = z.object({
  homepage: Link,
  changelogUrl: Link,
  sourceUrl: Link,
  tags: z.object({ latest: z.string() }).nullish().catch(undefined),
  releases: z.array(z.unknown()),
});

function parseJsonList(path: string, text: string): ParsedList {
  const json = parseJson(path, text);
  const document = Document.safeParse(Array.isArray(json) ? { releases: json as unknown[] } : json);
  if (!document.success) {
    throw inputError(path, 'expected an array of releases, or an object with releases');
  }

  const { homepage, changelogUrl, sourceUrl, tags, releases } = document.data;
  const entries = releases.map((element, index): ListedRelease => {
    const place = `entry ${index + 1}`;
    const input = typeof element === 'string' ? { version: element } : element;
    const entry = Entry.safeParse(input);
    if (!entry.success) {
      throw inputError(path, `${place}: ${describeProblems(input, Entry)[0]}`);
    }

    return { place, ...entry.data, day: entry.data.releaseTimestamp };
  });

  return {
    entries,
    facts: dropUndefined({ homepage, changelogUrl, sourceRepository: sourceUrl }),
    latest: tags?.latest,
    unpublishedFields: listUnpublishedFields(json, releases),
  };
}

/** Fields that Renovate reads, and that `<component>.json` of an index does not have; it computes `tags.latest`. */
function listUnpublishedFields(document: unknown, releases: readonly unknown[]): string[] {
  const fields: string[] = [];
  const { tags, sourceDirectory } = Object(document) as Record<string, unknown>;
  if (sourceDirectory !== undefined) {
    fields.push('sourceDirectory');
  }
  for (const tag of Object.keys(tags instanceof Object ? tags : {})) {
    if (tag !== 'latest') {
      fields.push(`tags.${quote(tag)}`);
    }
  }
  for (const field of ['sourceUrl', 'sourceDirectory', 'digest']) {
    if (releases.some((release) => field in Object(release))) {
      fields.push(`releases[].${field}`);
    }
  }
  return fields;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw inputError(path, `is not JSON: ${(error as Error).message.slice(0, 200)}`);
  }
}

/** The names of columns, in lower case without separators. */
const columns: Readonly<Record<string, keyof ListedRelease>> = {
  version: 'version',
  releasetimestamp: 'day',
  releasedate: 'day',
  released: 'day',
  date: 'day',
  day: 'day',
  changelogurl: 'changelogUrl',
  changelog: 'changelogUrl',
  isdeprecated: 'isDeprecated',
  deprecated: 'isDeprecated',
  isstable: 'isStable',
};

function parseTextList(path: string, text: string): ParsedList {
  const lines = listLines(text);
  const [header, ...rows] = lines;
  const separator = /[,;\t]/.exec(header?.text.trim() ?? '')?.[0];
  if (!header || separator === undefined) {
    return { entries: lines.map(parseLine) };
  }

  const keys = splitRow(path, header, separator).map(
    (name) => columns[name.toLowerCase().replaceAll(/[^a-z]/g, '')],
  );
  if (!keys.includes('version')) {
    throw inputError(path, 'the first line: expected the names of columns, among them version');
  }

  const entries = rows.map((row) => parseRow(row.place, splitRow(path, row, separator), keys));
  return { entries };
}

type Line = ReturnType<typeof listLines>[number];

/** Text between quotation marks, or a comment. */
const quotedOrComment = /("[^"]*")|(?:^|\s)#.*/gs;

/** The lines without comments. Leaves out empty ones. */
function listLines(text: string) {
  const lines = text.split(/\r?\n/).map((line, index) => ({
    place: `line ${index + 1}`,
    text: line.replaceAll(quotedOrComment, '$1'),
  }));
  return lines.filter((line) => line.text.trim() !== '');
}

/** `1.2.3`, or `1.2.3 2026-01-31`: the rest of the line is the day. */
function parseLine({ place, text }: Line): ListedRelease {
  const [version = '', ...day] = text.trim().split(/\s+/);
  return { place, version, day: day.join(' ') || undefined };
}

function parseRow(
  place: string,
  cells: readonly string[],
  keys: readonly (string | undefined)[],
): ListedRelease {
  const readCell = (key: string) => cells[keys.indexOf(key)] || undefined;
  return {
    place,
    version: readCell('version') ?? '',
    day: readCell('day'),
    changelogUrl: readCell('changelogUrl'),
    isDeprecated: readCell('isDeprecated'),
    isStable: readCell('isStable'),
  };
}

/** The cells of a row. Between quotation marks, a separator belongs to the cell. */
function splitRow(path: string, { place, text }: Line, separator: string): string[] {
  const cells: string[] = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push('');
    } else {
      cells[cells.length - 1] += character;
    }
  }

  if (isQuoted) {
    throw inputError(path, `${place}: a quotation mark is not closed`);
  }

  return cells.map((cell) => cell.trim());
}
