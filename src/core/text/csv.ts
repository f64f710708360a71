/** A record of RFC 4180 without its line end. */
export function formatCsvRecord(values: readonly unknown[]): string {
  return values.map(formatCsvCell).join(',');
}

/** A cell that a spreadsheet would run as a formula. The scope of an npm package is not a formula. */
const formula = /^(?:[=+\-\t\r]|@(?![\w.-]+\/[\w./@; -]+$))/;

/** Several values are separated by `; `, an unknown value is empty, and a formula gets a `'` before it. */
function formatCsvCell(value: unknown): string {
  const text = renderText(value);
  const cell = formula.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function renderText(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value ?? '');
  }

  const texts = Array.isArray(value)
    ? value
    : Object.entries(value).map(([key, text]) => `${key}=${String(text)}`);
  return texts.join('; ');
}
