/** Reads tables of which the first line names columns. No zod and no Node: pages load it. */
import { readImageValue, readNamed, readPurl, type Item, type ReadList } from '../index/item.ts';
import { findColumn, findSeparator, readTable } from '../table.ts';

/** The names of columns, by their letters. */
const columnForms = {
  purl: /^(?:purl|packageurl)$/,
  name: /^(?:component|name|package|packagename|product|software|application|app|tool|module|dependency|library|artifact)$/,
  image: /^(?:image|repository)$/,
  version: /^(?:version|installed|installedversion|current|currentversion|tag|release)$/,
};

/** A table of which the first line names columns: a spreadsheet, a table of Markdown, or what commands such as `pip list` print. Undefined for another text. */
export function readColumns(text: string): ReadList | undefined {
  const body = text.replace(/^(?:[ \t]*(?:#.*)?\n)+/, '');
  const [first = ''] = body.split('\n', 1);
  const separator = findSeparator(first);
  // Of columns between spaces, the first two: those behind them may be empty.
  const split = (lines: string) =>
    separator
      ? readTable(lines, separator)
      : readTable(lines.replaceAll(/^[ \t]*(\S+)[ \t]+(\S+).*$/gm, '$1\t$2'), '\t');
  const { columns } = split(first);
  const places = {
    purl: findColumn(columns, columnForms.purl),
    name: findColumn(columns, columnForms.name),
    image: findColumn(columns, columnForms.image),
    version: findColumn(columns, columnForms.version),
  };
  const isNamed = Math.max(places.name, places.image) >= 0 && places.version >= 0;
  if (columns.length < 2 || !(isNamed || places.purl >= 0)) {
    return undefined;
  }

  const skipped = text.slice(0, text.length - body.length).split('\n').length - 1;
  const items: Item[] = [];
  const problems: string[] = [];
  for (const { line: lineOfBody, cells } of split(body).rows) {
    const line = lineOfBody + skipped;
    const cell = (place: number) => (cells[place] ?? '').slice(0, 1000);
    const entry = cell(places.purl) || cell(places.name) || cell(places.image);
    const isImage = !cell(places.purl) && !cell(places.name);
    const version = cell(places.version).replace(/^<none>$/, '');
    const read = readRow(entry, version, isImage);
    if (read) {
      items.push(...read.map((item) => ({ ...item, line })));
    } else {
      problems.push(`line ${line}: ${cells.join(' ').slice(0, 100)}`);
    }
  }
  return { items, problems };
}

function readRow(entry: string, version: string, isImage: boolean): readonly Item[] | undefined {
  if (/^pkg:/i.test(entry)) {
    return readPurl(entry, version || undefined);
  }
  if (isImage) {
    return readImageValue(version ? `${entry}:${version}` : entry);
  }
  return entry === '' ? undefined : readNamed(entry, version);
}
