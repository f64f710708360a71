import * as z from 'zod';
import { dropUndefined } from '../../core/model/objects.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { HttpsUrl } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { orNull } from '../sources/shared/json-list.ts';
import type { GivenValues } from './draft-definition.ts';

/** A release as people and other programs write it, unchecked. */
export interface ListedRelease {
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
export function parseReleaseList(path: string, text: string): ParsedList {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  return /^[[{]/.test(trimmed) ? parseJsonList(path, trimmed) : parseTextList(path, trimmed);
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
  const separator = /[,;\t]/.exec(header?.text ?? '')?.[0];
  if (!header || separator === undefined) {
    return { entries: lines.map(parseLine) };
  }

  const keys = splitRow(header.text, separator).map(
    (name) => columns[name.toLowerCase().replaceAll(/[^a-z]/g, '')],
  );
  if (!keys.includes('version')) {
    throw inputError(path, 'the first line: expected the names of columns, among them version');
  }

  return {
    entries: rows.map(({ place, text }) => parseRow(place, splitRow(text, separator), keys)),
  };
}

type Line = ReturnType<typeof listLines>[number];

/** The lines without comments. Leaves out empty ones. */
function listLines(text: string) {
  const lines = text.split(/\r?\n/).map((line, index) => ({
    place: `line ${index + 1}`,
    text: line.replace(/(?:^|\s)#.*/s, '').trim(),
  }));
  return lines.filter((line) => line.text !== '');
}

/** `1.2.3`, or `1.2.3 2026-01-31`: the rest of the line is the day. */
function parseLine({ place, text }: Line): ListedRelease {
  const [version = '', ...day] = text.split(/\s+/);
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
function splitRow(row: string, separator: string): string[] {
  const cells: string[] = [''];
  let isQuoted = false;
  for (const character of row) {
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push('');
    } else {
      cells[cells.length - 1] += character;
    }
  }

  return cells.map((cell) => cell.trim());
}
