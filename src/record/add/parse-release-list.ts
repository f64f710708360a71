import * as z from 'zod';
import { dropUndefined, isObject } from '../../core/model/objects.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { orNull } from '../sources/shared/json-list.ts';
import type { GivenValues } from './draft-definition.ts';

/** A list of releases in any form, unchecked. */
export interface ParsedList {
  entries: ListEntry[];
  facts?: GivenValues;
  /** The version that the list states as the latest. */
  latest?: string | undefined;
  /** The names of fields that Renovate reads, and that no index publishes. */
  unpublishedFields?: readonly string[];
}

/** A release as people and other programs write it, unchecked. */
export interface ListEntry {
  /** Its line or number in the list. */
  place: string;
  version: string;
  day?: string | undefined;
  changelogUrl?: string | undefined;
  isDeprecated?: Flag;
  isStable?: Flag;
}

/** The text is kept if it is neither true nor false. */
type Flag = boolean | string | undefined;

/**
 * Parses Renovate's JSON (`{"releases": [{"version", "releaseTimestamp", …}]}` or its array), CSV with a header that has the column
 * `version`, or lines of `version day`.
 */
export function parseReleaseList(path: string, text: string): ParsedList {
  const content = text.replace(/^\uFEFF/, '');
  return /^\s*[[{]/.test(content) ? parseJsonList(path, content) : parseTextList(path, content);
}

const Entry = z.object({
  version: z.string(),
  releaseTimestamp: orNull(z.string()),
  changelogUrl: orNull(z.string()),
  isDeprecated: orNull(z.boolean()),
  isStable: orNull(z.boolean()),
});

const Link = orNull(HttpsUrl).catch(undefined);

/** Renovate's `ReleaseResult` (lib/modules/datasource/types.ts); a plain version stands for a release. */
const Document = z.object({
  homepage: Link,
  changelogUrl: Link,
  sourceUrl: Link,
  tags: z
    .looseObject({ latest: z.string().optional().catch(undefined) })
    .nullish()
    .catch(undefined),
  sourceDirectory: z.unknown().optional(),
  releases: z.array(z.unknown()),
});
type Document = z.infer<typeof Document>;

function parseJsonList(path: string, text: string): ParsedList {
  const json = parseJson(path, text);
  const document = Document.safeParse(Array.isArray(json) ? { releases: json as unknown[] } : json);
  if (!document.success) {
    throw inputError(path, 'expected an array of releases, or an object with releases');
  }

  const { homepage, changelogUrl, sourceUrl, tags, releases } = document.data;
  const entries = releases.map((element, index): ListEntry => {
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
    unpublishedFields: listUnpublishedFields(document.data),
  };
}

/** Fields that Renovate reads, and that `<component>.json` of an index does not have; it computes `tags.latest`. */
function listUnpublishedFields({ tags, sourceDirectory, releases }: Document): string[] {
  const fields = Object.keys(tags ?? {})
    .filter((tag) => tag !== 'latest')
    .map((tag) => `tags.${quote(tag)}`);
  if (sourceDirectory !== undefined) {
    fields.unshift('sourceDirectory');
  }
  for (const field of ['sourceUrl', 'sourceDirectory', 'digest']) {
    if (releases.some((release) => isObject(release) && field in release)) {
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
const columns: Readonly<Record<string, keyof ListEntry>> = {
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
function parseLine({ place, text }: Line): ListEntry {
  const [version = '', ...day] = text.trim().split(/\s+/);
  return { place, version, day: day.join(' ') || undefined };
}

function parseRow(
  place: string,
  cells: readonly string[],
  keys: readonly (keyof ListEntry | undefined)[],
): ListEntry {
  const readCell = (key: keyof ListEntry) => cells[keys.indexOf(key)] || undefined;
  return {
    place,
    version: readCell('version') ?? '',
    day: readCell('day'),
    changelogUrl: readCell('changelogUrl'),
    isDeprecated: readFlag(readCell('isDeprecated')),
    isStable: readFlag(readCell('isStable')),
  };
}

function readFlag(text: string | undefined): Flag {
  if (text === undefined) {
    return undefined;
  }
  if (/^(?:true|yes|1)$/i.test(text)) {
    return true;
  }

  return /^(?:false|no|0)$/i.test(text) ? false : text;
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
