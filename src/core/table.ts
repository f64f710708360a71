/** Reads tables in text form: CSV (RFC 4180), or with other separators. Pages run this file, so it imports neither zod nor Node. */

/** Finds the separator of a line outside quotes: a comma, a semicolon, a tab or a bar. */
export function findSeparator(line: string): string | undefined {
  return /[,;\t|]/.exec(line.replaceAll(/"[^"]*"/g, ''))?.[0];
}

/**
 * Reads a table. A cell in quotes may contain the separator and line ends. Leaves out empty rows, and rows that only draw a line (`---`).
 * In the result:
 * - `columns`: the cells of the first row
 * - `rows`: all other rows, each with the number of its first line
 */
export function readTable(text: string, separator: string) {
  const body = separator === '|' ? text.split('\n').map(removeBars).join('\n') : text;
  const end = separator === '|' ? String.raw`\|` : separator;
  const form = String.raw`(?: *"([^"]*(?:""[^"]*)*)" *|([^\r\n]*?))(${end}|\r\n?|\n|$)`;

  let line = 1;
  let row = { line, cells: [] as string[] };
  const rows: (typeof row)[] = [];
  for (const [all, quoted, plain = '', after] of body.matchAll(new RegExp(form, 'g'))) {
    line += all.split(/\r\n?|\n/).length - 1;
    row.cells.push((quoted ?? plain).replaceAll('""', '"').trim());
    if (after !== separator) {
      rows.push(row);
      row = { line, cells: [] };
    }
  }

  const [header, ...others] = rows.filter(({ cells }) =>
    cells.some((cell) => /[^-=:+]/.test(cell)),
  );
  return { columns: header?.cells ?? [], rows: others };
}

/** Removes the bars around a row of Markdown. */
function removeBars(line: string): string {
  return line.trim().replace(/^\|/, '').replace(/\|$/, '');
}

/** Finds the indexes of columns whose name matches a pattern. Only the letters of the name are tested, in lower case. */
export function findPlaces(columns: readonly string[], form: RegExp): number[] {
  return columns.flatMap((column, place) =>
    form.test(column.toLowerCase().replaceAll(/[^a-z]/g, '')) ? [place] : [],
  );
}
