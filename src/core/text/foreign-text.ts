/** The greatest length of a line of text in a document, in UTF-16 units. */
export const maxLineLength = 1000;

/** The part of a foreign text that expressions see. Some take longer than linear time, and no name or line is longer. */
export function cutStart(text: string): string {
  return text.slice(0, maxLineLength);
}

/** The first units of a text, in UTF-16, without half a character at the end. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/\p{Cs}$/u, '');
}

/** Characters that change the direction of writing or have no width: readers would see a different text. */
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

export function removeInvisible(text: string): string {
  return text.replaceAll(invisible, '');
}

/** Any text as one line without control characters, cut to `maxLength`; empty where nothing is left. */
export function toLine(text: string, maxLength = maxLineLength): string {
  const line = removeInvisible(text.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line.length > maxLength ? `${cutText(line, maxLength - 1).trimEnd()}…` : line;
}

/** The greatest length of the first words of release notes: longer ones would crowd a list of changes. */
export const maxNotesLength = 120;

/** Lower-cases ASCII letters only: U+212A, the kelvin sign, is not the letter k. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Lower case without accents. */
export function simplifyLetters(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** A foreign text in quotes, cut to about 100 characters with the quotes. */
export function quote(text: string): string {
  const quoted = JSON.stringify(cutText(text, 100));
  return quoted.length > 100 ? `${cutText(quoted, 99)}…"` : quoted;
}

/**
 * A foreign text as one line of a log or a terminal. Characters that control a terminal, begin a line, change the direction of
 * writing or have no width are escaped as `\u001b`. So are commands to GitHub's runner: `::` at the start of a line, and `##[`.
 */
export function toLogLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*:(?=:)|##(?=\[)/gu, (match) =>
      match.replaceAll(/[^ ]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
}

/** Without control characters, and without others that XML 1.0 excludes (section 2.2): readers would reject a whole document. */
export function removeIllegalCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, '');
}

/** For XML and HTML, in texts and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text as one word of a shell: `'it'\''s'`. A foreign list may name a package that would be another command. */
export function quoteForShell(text: string): string {
  return /^[\w@./:%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

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
