import * as z from 'zod';
import { parseTimestamp } from '../../core/model/timestamps.ts';
import { parseVersion } from '../../core/model/version.ts';
import { dropUndefined, isObject } from '../../core/model/objects.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { VersionText } from '../../core/schemas/scalars.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { parseDocument, unwrapNamed } from '../../io/files/read-documents.ts';
import { orNull } from '../sources/shared/json-list.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { ComponentFacts } from './draft-definition.ts';

/** The releases of a list that somebody keeps by hand, and what it states about the component. */
export interface ReleaseList {
  releases: StaticRelease[];
  facts: ComponentFacts;
  /** The version that the list states as the latest. */
  latest?: string | undefined;
  /** The fields and links that were left out, with the reasons. */
  notes: string[];
}

/** A list before its releases are checked. */
interface ParsedList extends Partial<Omit<ReleaseList, 'releases'>> {
  entries: ListEntry[];
  /** The names of fields that no index publishes. */
  otherFields: ReadonlySet<string>;
}

/** An unchecked release, with its line or number in the list. */
interface ListEntry {
  place: string;
  value: unknown;
}

const maxReleases = 10_000;

/**
 * Reads Renovate's JSON (`{"releases": [{"version", "releaseTimestamp", …}]}` or its array), CSV with a header that has the column
 * `version`, or lines of `version day`. Throws an `InputError` for an unreadable list.
 */
export function readReleaseList(path: string, text: string): ReleaseList {
  const isJson = /^\s*[[{]/.test(text);
  const {
    entries,
    otherFields,
    facts = {},
    latest,
    notes = [],
  } = isJson ? parseJsonList(path, text) : parseTextList(path, text);
  if (entries.length === 0) {
    throw inputError(path, 'lists no version');
  }
  if (entries.length > maxReleases) {
    throw inputError(path, `expected at most ${maxReleases} releases; got ${entries.length}`);
  }

  if (otherFields.size > 0) {
    const names = formatList(Array.from(otherFields, quote), 5);
    notes.push(`left out ${names}: an index publishes no such field`);
  }

  return { facts, latest, notes, releases: readEntries(path, entries) };
}

const Flag = z.boolean().or(z.stringbool({ error: 'expected true or false' }));

const Entry = z.object({
  version: VersionText,
  releaseTimestamp: orNull(
    z
      .string()
      .transform(parseTimestamp)
      .pipe(z.string({ error: 'expected a day such as 2026-01-31' })),
  ),
  changelogUrl: orNull(HttpsUrl),
  isDeprecated: orNull(Flag),
  isStable: orNull(Flag),
});
type Field = keyof typeof Entry.shape;

/** Throws an `InputError` with the first problems. */
function readEntries(path: string, entries: readonly ListEntry[]): StaticRelease[] {
  const problems: string[] = [];
  const versions = new Set<string>();
  const releases: StaticRelease[] = [];

  for (const { place, value } of entries) {
    const { data } = Entry.safeParse(value);
    if (!data) {
      problems.push(`${place}: ${describeProblems(value, Entry)[0]}`);
      continue;
    }

    const { isDeprecated, ...release } = data;
    if (versions.has(release.version)) {
      problems.push(`${place}: ${quote(release.version)} is listed twice`);
    }

    versions.add(release.version);
    const reason = 'The list of releases states that it is deprecated.';
    releases.push(dropUndefined({ ...release, deprecated: isDeprecated ? reason : undefined }));
  }

  if (problems.length > 0) {
    throw inputError(path, formatList(problems, 5));
  }

  return releases;
}

const Link = orNull(HttpsUrl).catch(undefined);

/** Renovate's `ReleaseResult` (lib/modules/datasource/types.ts); a plain version stands for a release. */
const Document = z.looseObject({
  homepage: Link,
  changelogUrl: Link,
  sourceUrl: Link,
  tags: z.looseObject({ latest: z.string().optional() }).optional().catch(undefined),
  releases: z.array(z.unknown()),
});

function parseJsonList(path: string, text: string): ParsedList {
  const json = unwrapNamed(parseDocument(Buffer.from(text), path, z.unknown()));
  const result = isObject(json) ? json : { releases: json };
  const document = Document.safeParse(result).data;
  if (!document) {
    throw inputError(path, 'expected an array of releases, or an object with releases');
  }

  const { homepage, changelogUrl, sourceUrl, tags, releases, ...others } = document;
  const links = { homepage, changelogUrl, sourceUrl };
  const unusableLinks = Object.entries(links).filter(([key, url]) => result[key] && !url);
  const notes = unusableLinks.map(([key]) => `left out "${key}": expected an https: address`);
  if (result['tags'] && !tags) {
    notes.push('left out "tags": expected an object with the latest version as a text');
  }

  const { latest, ...otherTags } = tags ?? {};
  const unpublished = new Set([
    ...Object.keys(others),
    ...Object.keys(otherTags).map((tag) => `tags.${tag}`),
  ]);
  const entries: ListEntry[] = [];

  for (const [index, element] of releases.entries()) {
    const value = typeof element === 'string' ? { version: element } : element;
    entries.push({ place: `entry ${index + 1}`, value });
    for (const key of isObject(value) ? Object.keys(value) : []) {
      if (!Object.hasOwn(Entry.shape, key)) {
        unpublished.add(`releases[].${key}`);
      }
    }
  }

  return {
    entries,
    facts: dropUndefined({ homepage, changelogUrl, sourceRepository: sourceUrl }),
    notes,
    latest,
    otherFields: unpublished,
  };
}

function parseTextList(path: string, text: string): ParsedList {
  const lines = listLines(text);
  const [header, ...rows] = lines;
  const separator = header && findSeparator(header.text.trim());
  return header && separator !== undefined
    ? parseTable(path, header, rows, separator)
    : { entries: lines.map(parseLine), otherFields: new Set() };
}

/** The separator of a table with this header, which may be only `version`; undefined for the first line of another list. */
function findSeparator(header: string): string | undefined {
  if (/^"?version"?$/i.test(header)) {
    return ',';
  }

  // The comma in `1.0 March 25, 2026` belongs to the day, even if that is misspelled.
  const [firstWord = ''] = header.split(/\s/);
  return parseVersion(firstWord) ? undefined : /[,;\t]/.exec(header)?.[0];
}

interface Line {
  place: string;
  text: string;
}

/** Text between quotation marks, which is kept, or a comment. */
const quotedOrComment = /("[^"]*")|(?:^|\s)#.*/gs;

/** The lines without comments. Leaves out empty ones. */
function listLines(text: string): Line[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({
    place: `line ${index + 1}`,
    text: line.replaceAll(quotedOrComment, '$1'),
  }));
  return lines.filter((line) => line.text.trim() !== '');
}

/** `1.2.3`, or `1.2.3 2026-01-31`: the rest of the line is the day. Quotation marks belong to neither. */
function parseLine({ place, text }: Line): ListEntry {
  const [version, ...day] = text.replaceAll('"', '').trim().split(/\s+/);
  return { place, value: { version, releaseTimestamp: day.join(' ') || undefined } };
}

/** The names of columns, in lower case without separators. */
const columnFields = new Map<string, Field>([
  ['version', 'version'],
  ['releasetimestamp', 'releaseTimestamp'],
  ['releasedate', 'releaseTimestamp'],
  ['released', 'releaseTimestamp'],
  ['date', 'releaseTimestamp'],
  ['day', 'releaseTimestamp'],
  ['changelogurl', 'changelogUrl'],
  ['changelog', 'changelogUrl'],
  ['isdeprecated', 'isDeprecated'],
  ['deprecated', 'isDeprecated'],
  ['isstable', 'isStable'],
]);

/** The rows of CSV, without the columns of other names. */
function parseTable(
  path: string,
  header: Line,
  rows: readonly Line[],
  separator: string,
): ParsedList {
  const names = splitRow(path, header, separator);
  const fields = names.map((name) =>
    columnFields.get(name.toLowerCase().replaceAll(/[^a-z]/g, '')),
  );
  if (!fields.includes('version')) {
    const expected = 'expected the names of columns, among them version';
    throw inputError(path, `the first line: ${expected}; got ${quote(header.text)}`);
  }

  const repeated = fields.find((field, index) => field && fields.indexOf(field) !== index);
  if (repeated !== undefined) {
    throw inputError(path, `the first line: expected one column for ${repeated}; got two`);
  }

  const entries = rows.map((row) => {
    const value: Partial<Record<Field, string>> = {};
    const cells = splitRow(path, row, separator);
    if (cells.slice(names.length).some((cell) => cell !== '')) {
      const columns = formatCount(names.length, 'column');
      throw inputError(path, `${row.place}: expected ${columns}; got ${cells.length}`);
    }

    for (const [index, cell] of cells.entries()) {
      const field = fields[index];
      if (field !== undefined && cell !== '') {
        value[field] = cell;
      }
    }
    return { place: row.place, value };
  });
  const otherNames = names.filter((name, index) => name !== '' && fields[index] === undefined);
  return { entries, otherFields: new Set(otherNames) };
}

/** The cells of a row. Between quotation marks, a separator belongs to the cell. */
function splitRow(path: string, { place, text }: Line, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let previous = '';
  for (const character of text) {
    if (character === '"') {
      // A doubled quotation mark stands for itself (RFC 4180, section 2).
      if (previous === '"' && !isQuoted) {
        cell += '"';
      }

      isQuoted = !isQuoted;
    } else if (character === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else {
      cell += character;
    }
    previous = character;
  }

  if (isQuoted) {
    throw inputError(path, `${place}: a quotation mark is not closed`);
  }

  return [...cells, cell].map((untrimmed) => untrimmed.trim());
}
