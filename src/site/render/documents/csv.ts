/** A cell that a spreadsheet would run as a formula. The scope of an npm package is not a formula. */
const formula = /^(?:[=+\-\t\r]|@(?![\w.-]+\/[\w./@; -]+$))/;

/** A record of RFC 4180 without its line end. */
export function csvRecord(values: readonly unknown[]): string {
  return values.map(csvCell).join(',');
}

/**
 * A cell of a record. Several values are separated by `; `, an unknown value is empty, and a formula gets a `'` before it.
 */
export function csvCell(value: unknown): string {
  if (value === undefined || typeof value === 'boolean') {
    return String(value ?? '');
  }

  const text = typeof value === 'string' ? value : textOf(value);

  // One test is enough for most cells.
  if (!/[",\n\r]|^[=+\-\t@]/.test(text)) {
    return text;
  }

  const cell = formula.test(text) ? `'${text}` : text;

  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value ?? '');
  }

  const texts = Array.isArray(value)
    ? value
    : Object.entries(value).map(([key, text]) => `${key}=${String(text)}`);

  return texts.join('; ');
}
