import { inputError } from '../../core/errors.ts';
import type { Source } from '../../core/schema/definition.ts';

/** As in a definition. */
type ListedRelease = NonNullable<Source['releases']>[number];

/** The names of columns and keys, in lower case without separators. */
const fields: Readonly<Record<string, keyof ListedRelease>> = {
  version: 'version',
  releasetimestamp: 'releaseTimestamp',
  releasedate: 'releaseTimestamp',
  date: 'releaseTimestamp',
  day: 'releaseTimestamp',
  changelogurl: 'changelogUrl',
  changelog: 'changelogUrl',
  isstable: 'isStable',
  isdeprecated: 'deprecated',
  deprecated: 'deprecated',
};

/** A list that a person keeps: Renovate's JSON, CSV with a header, or lines of a version and a day. Throws an InputError with its first problem. */
export function readReleaseList(path: string, text: string): ListedRelease[] {
  const entries = /^\s*[[{]/.test(text) ? readJson(path, text) : readLines(path, text);
  if (entries.length === 0) {
    throw inputError(path, 'lists no version');
  }

  const versions = new Set<string>();
  for (const { version, releaseTimestamp } of entries) {
    if (typeof version !== 'string' || version === '' || versions.has(version)) {
      throw inputError(
        path,
        `expected each version once, as a text; got ${JSON.stringify(version)}`,
      );
    }
    if (
      releaseTimestamp !== undefined &&
      !/^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(releaseTimestamp)
    ) {
      throw inputError(
        path,
        `${version}: expected a day such as 2026-01-31; got ${JSON.stringify(releaseTimestamp)}`,
      );
    }

    versions.add(version);
  }
  return entries;
}

function readJson(path: string, text: string): ListedRelease[] {
  try {
    const document = JSON.parse(text) as
      { releases?: ListedRelease[] } | (ListedRelease | string)[];
    const list = Array.isArray(document) ? document : (document.releases ?? []);
    return list.map((entry) =>
      typeof entry === 'string' ? { version: entry } : pickFields(Object.entries(entry)),
    );
  } catch (error) {
    throw inputError(path, `is not JSON: ${(error as Error).message}`);
  }
}

/** `#` begins a comment. A first line with `version` names the columns. */
function readLines(path: string, text: string): ListedRelease[] {
  const rows = text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*/, '').trim())
    .filter(Boolean);
  const [header = ''] = rows;
  if (!/^"?version"?\s*(?:[,;\t]|$)|[,;\t]\s*"?version"?/i.test(header)) {
    return rows.map((row) => {
      const [version = '', releaseTimestamp] = row.split(/\s+/);
      return { version, ...(releaseTimestamp && { releaseTimestamp }) };
    });
  }

  const separator = /[,;\t]/.exec(header)?.[0] ?? ',';
  const names = splitRow(header, separator);
  return rows.slice(1).map((row) => {
    const cells = splitRow(row, separator);
    if (cells.length > names.length) {
      throw inputError(path, `expected ${names.length} columns; got ${JSON.stringify(row)}`);
    }

    return pickFields(cells.map((cell, index) => [names[index] ?? '', cell]));
  });
}

/** A quoted cell may hold the separator (RFC 4180). */
function splitRow(row: string, separator: string): string[] {
  const cells =
    row.match(
      new RegExp(
        String.raw`(?:"(?:[^"]|"")*"|[^${separator}"])+|(?<=${separator}|^)(?=${separator}|$)`,
        'g',
      ),
    ) ?? [];
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
}

/** Fields of other names are left out: an index publishes none. A reason of a deprecation may be a mere yes. */
function pickFields(entries: readonly (readonly [string, unknown])[]): ListedRelease {
  const release: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const field = fields[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
    const isFlag = field === 'deprecated' && /^(?:true|yes)$/i.test(String(value));
    const isEmpty = field === 'deprecated' && /^(?:false|no)$/i.test(String(value));
    if (field && value !== '' && value !== null && !isEmpty) {
      release[field] = isFlag ? 'its list says so' : value;
    }
  }
  return release as unknown as ListedRelease;
}
