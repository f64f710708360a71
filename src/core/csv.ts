/** A spreadsheet would run what begins like this. The scope of an npm package is no formula. */
const formula = /^(?:[=+\-\t\r]|@(?![\w.-]+\/[\w./@; -]+$))/;

/** What a record may hold that has a cell to quote; its cells are parted by NUL. */
const unusual = /[",\n\r]|(?:^|\0)[=+\-\t@]/;

/**
 * A record of RFC 4180 without its line end. Several values are separated by `; `, and an unknown one is empty. A text that a
 * spreadsheet would run has a `'` before it.
 */
export function csvRecord(values: readonly unknown[]): string {
  const texts = values.map(textOf);
  // One look at the whole record takes less long than one at each of its cells.
  return unusual.test(texts.join('\0')) ? texts.map(quoteCell).join(',') : texts.join(',');
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  const texts = Array.isArray(value)
    ? value
    : Object.entries(value).map(([key, text]) => `${key}=${String(text)}`);
  return texts.join('; ');
}

function quoteCell(text: string): string {
  const cell = formula.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
