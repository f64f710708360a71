import { inputError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { parseJson, showValue, toText } from '../../core/parse-document.ts';
import { findPlaces, findSeparator, readTable } from '../../core/table.ts';
import { quote } from '../../core/text.ts';
import { parseVersion, readVersion, nameLine } from '../../core/version.ts';
import { parseTimestamp } from '../../sources/timestamps.ts';

type Row = Readonly<Record<string, unknown>>;
type Columns = ReturnType<typeof findColumns>;
type ListEntry = ReturnType<typeof readEntry>;

/**
 * Reads a list of releases that a person keeps: a CSV spreadsheet, Renovate's JSON, or lines with a version and a date. Throws an
 * `InputError` with the first problem. In the result:
 * - `support`: the support policy, if a column gives end-of-support dates
 * - `notes`: sentences that say which columns were not read, and whether lines without an end count as ended
 */
export function readReleaseList(path: string, text: string) {
  // `trim` also removes a byte order mark.
  const body = text.trim();
  const rows = /^[[{]/.test(body) ? readJson(path, body) : readLines(path, body);
  if (rows.length === 0) {
    throw inputError(path, 'lists no version');
  }

  const names = [...new Set(rows.flatMap(Object.keys))];
  const columns = findColumns(names);
  if (columns.version === undefined) {
    const first = quote(names.join(', '));
    throw inputError(path, `expected a column "Version" in the first line; got ${first}`);
  }

  const entries = new Map<string, ListEntry>();
  for (const row of rows) {
    const version = row[columns.version];
    if (typeof version !== 'string' || !parseVersion(version) || entries.has(version)) {
      throw inputError(path, `expected each version once, as a text; got ${showValue(version)}`);
    }
    entries.set(version, readEntry(`${path}: ${version}`, version, row, columns));
  }

  const unread = names.filter((name) => name !== '' && !Object.values(columns).includes(name));
  const listed = [...entries.values()];
  const { support, notes } = stateEnds(listed);
  return {
    releases: listed.map(({ release }) => release),
    support,
    notes: [...unread.map((name) => `column ${quote(name)} was not read`), ...notes],
  };
}

/**
 * Finds the column or JSON key of each field. Only the letters of a column's name matter: `End-of-Life` → `endoflife`. If two columns have
 * the same meaning, the first is read.
 */
function findColumns(names: readonly string[]) {
  const find = (form: RegExp) => names[findPlaces(names, form)[0] ?? -1];
  return {
    // A column "Release" has the versions if there is no column "Version".
    version: find(/^version$/) ?? find(/^release$/),
    releaseTimestamp: find(/^(release(timestamp|date|d|don)|date|day)$/),
    changelogUrl: find(/^changelog(url)?$/),
    isStable: find(/^(is)?stable$/),
    deprecated: find(/^(is)?deprecated$/),
    end: find(/^((end|eol)(date)?|endof(support|life)|support(ed)?(ends?|enddate|until))$/),
  };
}

/** Reads a row: a release in the form of a definition, and the end of its support. */
function readEntry(subject: string, version: string, row: Row, columns: Columns) {
  const read = (field: keyof Columns) => {
    const column = columns[field];
    return column === undefined ? '' : toText(row[column] ?? '');
  };
  return {
    release: {
      version,
      releaseTimestamp: readDay(subject, read('releaseTimestamp')),
      changelogUrl: read('changelogUrl') || undefined,
      isStable: flags.get(read('isStable').toLowerCase()),
      deprecated: readReason(read('deprecated')),
    },
    end: readDay(subject, read('end'))?.slice(0, 10),
  };
}

/** Matches what people write into a cell if there is no date. */
const noDay = /^(?:\W*|n\/a|none|tb[acd])$/i;

/** Reads a date, or an instant if the text has a time. */
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

/** Maps words to their meaning: `yes` → true, `no` → false. Other texts are not in the map. */
const flags = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

/** Reads why a release is deprecated. The text is a reason, or a word for yes or no. Undefined if the release is not deprecated. */
function readReason(text: string): string | undefined {
  const isDeprecated = flags.get(text.toLowerCase());
  if (isDeprecated === undefined) {
    return text || undefined;
  }
  return isDeprecated ? 'its list says so' : undefined;
}

/** Returns the support policy with the end of each release line: the latest end of support of the line's releases. */
function stateEnds(entries: readonly ListEntry[]) {
  const byLine = Map.groupBy(entries, ({ release }) => nameLine(readVersion(release.version), 2));
  const ends = [...byLine].flatMap(([line, listed]) => {
    const last = listed
      .flatMap(({ end }) => end ?? [])
      .sort()
      .at(-1);
    return last === undefined ? [] : [[line, last] as const];
  });
  if (ends.length === 0) {
    return { notes: [] };
  }

  const note = 'support: lines without an end that are older than one with an end have ended';
  return {
    support: { policy: 'dated' as const, lines: Object.fromEntries(ends) },
    notes: ends.length < byLine.size ? [note] : [],
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

/**
 * Reads the lines of a text, except comments (`#`). If the first line begins with a version, such as `2025.1 2025-03-31`, each line
 * contains a version and a date. Otherwise, the first line contains the names of the columns.
 */
function readLines(path: string, text: string): Row[] {
  const lines = text.split(/\r?\n/).filter((line) => /^\s*[^#\s]/.test(line));
  const [first = ''] = lines;
  const separator = findSeparator(first);
  if ((!separator || separator === '\t') && parseVersion(first.trim().split(/\s/)[0]!)) {
    return lines.map((line) => {
      const [version = '', day = ''] = line.replace(/\s#.*/, '').trim().split(/\s+/);
      return { version, day };
    });
  }

  const { columns, rows } = readTable(lines.join('\n'), separator ?? ',');
  return rows.map(({ cells }) => {
    if (cells.length > columns.length) {
      const message = `expected ${columns.length} cells, like in the first line; got ${quote(cells.join(', '))}`;
      throw inputError(path, message);
    }
    return Object.fromEntries(columns.map((column, place) => [column, cells[place] ?? '']));
  });
}
