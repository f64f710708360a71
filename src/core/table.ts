/** Spreadsheets as text, by RFC 4180, with the separators that programs and people use. No zod and no Node: pages load it. */

/** The separator of a line, outside quotes: a comma, a semicolon, a tab or a bar. */
export function findSeparator(line: string): string | undefined {
  return /[,;\t|]/.exec(line.replaceAll(/"[^"]*"/g, ''))?.[0];
}

/** Reads cells split by a separator; those in quotes may hold it, and ends of lines. `columns`: the cells of the first row; each other row with the number of the line that it begins in. Rows that are empty or ruled are left out, and the bars around a table of Markdown. */
export function readTable(text: string, separator: string) {
  const body = separator === '|' ? text.replaceAll(/^[ \t]*\|[ \t]*|[ \t]*\|[ \t]*$/gm, '') : text;
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

/** The place of the first column of which the name, in lower case and by its letters alone, has a form; -1 where there is none. */
export function findColumn(columns: readonly string[], form: RegExp): number {
  return columns.findIndex((column) => form.test(column.toLowerCase().replaceAll(/[^a-z]/g, '')));
}
