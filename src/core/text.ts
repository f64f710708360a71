const numbers = new Intl.NumberFormat('en-US');

/** `2,340`. */
export function grouped(count: number): string {
  return numbers.format(count);
}

/** `1 release`, `2,340 releases`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `one month`, `18 months`: for a count in a sentence. */
export function countedInWords(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : counted(count, noun);
}

/** `a, b and 3 more`: as many as a person reads. */
export function listed(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}

/** Each text once. Undefined where there is none: what is unknown has no key. */
export function distinct(texts: readonly string[]): string[] | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

/** With a full stop, unless it ends in a mark of its own. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** How long a line of text may be in a document, in UTF-16 units. */
export const maxLineLength = 1000;

/** What turns the direction of writing or has no width: a reader would see another text than is there. */
const invisible = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Any text as one line without control characters, cut where it is too long; empty where nothing is left. */
export function toLine(text: string, maxLength = maxLineLength): string {
  const line = text
    .toWellFormed()
    .replaceAll(invisible, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '');
  return `${cut.trimEnd()}…`;
}

/** In lower case as far as it is ASCII: U+212A, the sign of kelvin, is no letter k. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A foreign text in quotes, cut where it is long. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text.slice(0, 100));
  return text.length > 100 || quoted.length > 100 ? `${quoted.slice(0, 99)}…"` : quoted;
}

/**
 * A text from anywhere as one line of a log or a terminal. What would not be seen stands as `\u001b`: what controls a terminal,
 * begins a line, turns the direction of writing or has no width. A command to GitHub's runner, which begins a line with `::` or
 * stands anywhere behind `##[`, becomes none.
 */
export function toLogLine(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*:(?=:)|##(?=\[)/gu, (hidden) =>
    Array.from(hidden, (character) => {
      if (character === ' ') return ' ';
      return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

/**
 * XML 1.0, section 2.2, does not admit these in any form (control characters, half of a surrogate pair, U+FFFE): a reader
 * rejects a document that contains one.
 */
export function withoutIllegalCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '');
}

/** Only these keys of an object. */
export function pick<T extends object, K extends keyof T>(object: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, object[key]])) as Pick<T, K>;
}

/** The object without the keys whose value is undefined, which an optional key must not have. */
export function defined<T extends object>(object: T): Defined<T> {
  const result: Partial<T> = {};
  for (const key in object) if (object[key] !== undefined) result[key] = object[key];
  return result as Defined<T>;
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Defined<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** packaging.python.org, "Name normalization" (PEP 503): the project `Agent_X` is the project `agent-x`. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
