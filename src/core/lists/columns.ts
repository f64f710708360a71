/** Reads tables of which the first line names columns. No zod and no Node: pages load it. */
import { readImageValue, readNamed, readPurl } from '../index/item.ts';
import { findColumn, findSeparator, readTable } from '../table.ts';
import { blankOut, joinEntries, type ReadList } from './list.ts';

/** A table of which the first line names columns: a spreadsheet, a table of Markdown, or what commands such as `pip list` print. Undefined for another text. */
export function readColumns(text: string): ReadList | undefined {
  // Without the comments before the table.
  const body = blankOut(text, /^(?:[ \t]*(?:#.*)?\n)+/g);
  const [first = ''] = /.+/.exec(body) ?? [];
  // Names of columns have no digit: `tool release-1.0` is an entry.
  if (/\d/.test(first)) {
    return undefined;
  }

  const separator = findSeparator(first);
  if (separator) {
    return readCells(body, separator);
  }

  // Of columns between spaces, the first two: those behind them may be empty. Else, more spaces than one part them.
  const pairs = body.replaceAll(/^[ \t]*(\S+)[ \t]+(\S+).*$/gm, '$1\t$2');
  return readCells(pairs, '\t') ?? readCells(body.replaceAll(/ {2,}/g, '\t'), '\t');
}

function readCells(text: string, separator: string): ReadList | undefined {
  const { columns, rows } = readTable(text, separator);
  const place = (form: RegExp) => findColumn(columns, form);
  const purlAt = place(/^(?:purl|packageurl)$/);
  const nameAt = place(
    /^(?:component|name|package|packagename|product|software|application|app|tool|module|dependency|library|artifact)$/,
  );
  const versionAt = place(
    /^(?:(?:installed|current|product)?version|installed|current|tag|release)$/,
  );
  // Without a tag, a repository may be one of source code.
  const imageAt = place(versionAt < 0 ? /^images?$/ : /^(?:images?|repository)$/);
  const isNamed = nameAt >= 0 && versionAt >= 0;
  if (columns.length < 2 || !(isNamed || imageAt >= 0 || purlAt >= 0)) {
    return undefined;
  }

  const entries = rows.map(({ line, cells }) => {
    const cell = (at: number) => (cells[at] ?? '').slice(0, 1000);
    // `docker ps` has images beside names of its own.
    const name = cell(purlAt) || (isNamed || imageAt < 0 ? cell(nameAt) : '');
    const version = cell(versionAt).replace(/^<none>$/, '');
    return { line, text: cells.join(' '), items: readRow(name, cell(imageAt), version) };
  });
  return joinEntries(entries);
}

/** `name`: or a package URL. */
function readRow(name: string, image: string, version: string) {
  const entry = name || image;
  if (/^pkg:/i.test(entry)) {
    return readPurl(entry, version || undefined);
  }
  if (name !== '') {
    return readNamed(name, version);
  }
  return readImageValue(version ? `${image}:${version}` : image);
}
