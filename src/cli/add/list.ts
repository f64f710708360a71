import type { Day } from '../../core/day.ts';
import { inputError } from '../../core/errors.ts';
import { parseJson } from '../../core/parse-document.ts';
import { isObject } from '../../core/objects.ts';
import type { Source } from '../../core/schema/definition.ts';
import type { SupportPolicy } from '../../core/schema/policy.ts';
import { findColumn, findSeparator, readTable } from '../../core/table.ts';
import { quote } from '../../core/text.ts';
import { nameLine, parseVersion, readVersion } from '../../core/version.ts';
import { parseTimestamp } from '../../sources/timestamps.ts';

/** As in a definition. */
type ListedRelease = NonNullable<Source['releases']>[number];

interface ReleaseList {
  releases: ListedRelease[];
  /** Of a column with ends. */
  support: SupportPolicy | undefined;
  /** What was not read, in sentences. */
  notes: string[];
}

/** Of any other text, none. */
const flags = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

type Row = Readonly<Record<string, unknown>>;
type Field = keyof ListedRelease | 'end';

/** The names of columns and keys, in lower case without separators. Of two with one meaning, the first is read. A column "Release" names versions where no other does. */
const names: readonly [Field, RegExp][] = [
  ['version', /^version$/],
  ['version', /^release$/],
  ['releaseTimestamp', /^(release(timestamp|date|d|don)|date|day)$/],
  ['changelogUrl', /^changelog(url)?$/],
  ['isStable', /^(is)?stable$/],
  ['deprecated', /^(is)?deprecated$/],
  ['end', /^((end|eol)(date)?|endof(support|life)|support(ed)?(ends?|enddate|until))$/],
];

/** What people write into a cell that has no day. */
const noDay = /^(?:\W*|n\/a|none|tb[acd])$/i;

/** A list that a person keeps: a spreadsheet as CSV, Renovate's JSON, or lines of a version and a day. Throws an InputError with its first problem. */
export function readReleaseList(path: string, text: string): ReleaseList {
  // With a mark of its encoding, too.
  const body = text.trim();
  const rows = /^[[{]/.test(body) ? readJson(path, body) : readLines(path, body);
  if (rows.length === 0) {
    throw inputError(path, 'lists no version');
  }

  const columns = [...new Set(rows.flatMap(Object.keys))];
  const fields: Partial<Record<Field, string | undefined>> = {};
  for (const [field, form] of names) {
    fields[field] ??= columns[findColumn(columns, form)];
  }
  if (fields.version === undefined) {
    const first = quote(columns.join(', '));
    throw inputError(path, `expected a column "Version" in the first line; got ${first}`);
  }

  const releases = new Map<string, ListedRelease>();
  const ends = new Map<string, Day>();
  for (const row of rows) {
    const version = row[fields.version];
    if (typeof version !== 'string' || !parseVersion(version) || releases.has(version)) {
      throw inputError(
        path,
        `expected each version once, as a text; got ${JSON.stringify(version)}`,
      );
    }

    const read = (field: Field) => {
      const column = fields[field];
      return column === undefined ? '' : String(row[column] ?? '');
    };
    const readOwnDay = (field: Field) => readDay(`${path}: ${version}`, read(field));
    const text = read('deprecated');
    // In place of a reason, a mere yes or no.
    const flag = flags.get(text.toLowerCase());
    const reason = flag ? 'its list says so' : text;
    releases.set(version, {
      version,
      releaseTimestamp: readOwnDay('releaseTimestamp'),
      changelogUrl: read('changelogUrl') || undefined,
      isStable: flags.get(read('isStable').toLowerCase()),
      deprecated: flag === false || reason === '' ? undefined : reason,
    });
    const line = nameLine(readVersion(version), 2);
    const end = readOwnDay('end')?.slice(0, 10) ?? '';
    const former = ends.get(line) ?? '';
    ends.set(line, end > former ? end : former);
  }

  const unread = columns.filter((name) => name !== '' && !Object.values(fields).includes(name));
  const notes = unread.map((name) => `column ${quote(name)} was not read`);
  const dated = [...ends].filter(([, end]) => end !== '');
  if (dated.length > 0 && dated.length < ends.size) {
    notes.push('support: lines without an end that are older than one with an end have ended');
  }
  return {
    releases: [...releases.values()],
    support: dated.length === 0 ? undefined : { policy: 'dated', lines: Object.fromEntries(dated) },
    notes,
  };
}

function readJson(path: string, text: string): Row[] {
  const document = parseJson(text, path);
  const list = isObject(document) ? document['releases'] : document;
  if (!Array.isArray(list)) {
    throw inputError(path, 'expected a list of releases, perhaps below "releases"');
  }

  return list.map((entry: unknown) => (isObject(entry) ? entry : { version: entry }));
}

/** `#` begins a comment. A first line that begins with a version, without a separator, names no columns. */
function readLines(path: string, text: string): Row[] {
  const lines = text.split(/\r?\n/).filter((line) => /^\s*[^#\s]/.test(line));
  const separator = findSeparator(lines[0] ?? '');
  if (!separator || separator === '\t') {
    const [first = ''] = (lines[0] ?? '').trim().split(/\s/);
    if (parseVersion(first)) {
      return lines.map((line) => {
        const [version = '', day = ''] = line.replace(/\s#.*/, '').trim().split(/\s+/);
        return { version, day };
      });
    }
  }

  const { columns, rows } = readTable(lines.join('\n'), separator ?? ',');
  return rows.map(({ cells }) => {
    if (cells.length > columns.length) {
      const message = `expected ${columns.length} cells, as the first line has; got ${quote(cells.join(', '))}`;
      throw inputError(path, message);
    }
    return Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']));
  });
}

/** A day, or an instant where it has a time. */
function readDay(subject: string, text: string): string | undefined {
  if (noDay.test(text)) {
    return undefined;
  }

  const timestamp = parseTimestamp(text);
  if (timestamp === undefined) {
    throw inputError(subject, `expected a day such as 2026-01-31; got ${quote(text)}`);
  }
  return timestamp.replace('T00:00:00Z', '');
}
