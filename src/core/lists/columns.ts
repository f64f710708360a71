/** Reads tables of which the first line names columns. No zod and no Node: pages load it. */
import { readImageValue, readNamed, readPurl } from '../index/item.ts';
import { findColumn, findSeparator, readTable } from '../table.ts';
import { blankOut, joinEntries, type ReadList } from './list.ts';

/** The names of columns, by their letters. */
const columnForms = {
  purl: /^(?:purl|packageurl)$/,
  name: /^(?:component|name|package|packagename|product|software|application|app|tool|module|dependency|library|artifact)$/,
  image: /^(?:images?|repository)$/,
  version: /^(?:(?:installed|current|product)?version|installed|current|tag|release)$/,
};

/** A table of which the first line names columns: a spreadsheet, a table of Markdown, or what commands such as `pip list` print. Undefined for another text. */
export function readColumns(text: string): ReadList | undefined {
  // Without the comments before the table.
  const body = blankOut(text, /^(?:[ \t]*(?:#.*)?\n)+/g);
  const [first = ''] = /.+/.exec(body) ?? [];
  const separator = findSeparator(first);
  if (separator) {
    return readCells(readTable(body, separator));
  }

  // Of columns between spaces, the first two: those behind them may be empty. Else, more spaces than one part them.
  const pairs = body.replaceAll(/^[ \t]*(\S+)[ \t]+(\S+).*$/gm, '$1\t$2');
  const parted = body.replaceAll(/ {2,}/g, '\t');
  return readCells(readTable(pairs, '\t')) ?? readCells(readTable(parted, '\t'));
}

function readCells({ columns, rows }: ReturnType<typeof readTable>): ReadList | undefined {
  const places = {
    purl: findColumn(columns, columnForms.purl),
    name: findColumn(columns, columnForms.name),
    image: findColumn(columns, columnForms.image),
    version: findColumn(columns, columnForms.version),
  };
  const isNamed = places.name >= 0 && places.version >= 0;
  // `docker ps` has images beside names of its own.
  const isImage = places.image >= 0 && !isNamed;
  if (columns.length < 2 || !(isNamed || isImage || places.purl >= 0)) {
    return undefined;
  }

  const entries = rows.map(({ line, cells }) => {
    const cell = (place: number) => (cells[place] ?? '').slice(0, 1000);
    const items = readRow({
      name: cell(places.purl) || (isImage ? '' : cell(places.name)),
      image: cell(places.image),
      version: cell(places.version).replace(/^<none>$/, ''),
    });
    return { line, text: cells.join(' '), items };
  });
  return joinEntries(entries);
}

/** `name`: or a package URL. */
function readRow({ name, image, version }: Readonly<Record<'name' | 'image' | 'version', string>>) {
  const entry = name || image;
  if (/^pkg:/i.test(entry)) {
    return readPurl(entry, version || undefined);
  }
  if (name !== '') {
    return readNamed(name, version);
  }
  return readImageValue(version ? `${image}:${version}` : image);
}
