/** `2,340`, of a whole number. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 release`, `2,340 releases`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `one month`, `18 months`: for a count in a sentence. */
export function countedInWords(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : counted(count, noun);
}

/** `a, b and 3 more`. */
export function listed(names: readonly string[], limit: number): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}

/** Each text once. Undefined for an empty list, which becomes an absent key. */
export function distinct(texts: readonly string[]): string[] | undefined {
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

/** With a full stop, unless it ends with a punctuation mark. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The greatest length of a line of text in a document, in UTF-16 units. */
export const maxLineLength = 1000;

/** The part of a foreign text that expressions see. Some take longer than linear time, and no name or line is longer. */
export function cutStart(text: string): string {
  return text.slice(0, maxLineLength);
}

/** Tells the line (from 1) of an offset in a text. It counts on from the offset before, so asking in order is cheap. */
export function lineCounter(text: string): (offset: number) => number {
  const start = { line: 1, end: text.indexOf('\n') };
  let last = 0;
  let { line, end } = start;

  return (offset) => {
    if (offset < last) {
      ({ line, end } = start);
    }

    while (end >= 0 && end < offset) {
      line += 1;
      end = text.indexOf('\n', end + 1);
    }

    last = offset;
    return line;
  };
}

/** Characters that change the direction of writing or have no width: readers would see a different text. */
const invisible =
  /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Without characters that change the direction of writing or have no width. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, '');
}

/** Any text as one line without control characters, cut to `maxLength`; empty where nothing is left. */
export function toLine(text: string, maxLength = maxLineLength): string {
  const line = withoutInvisible(text.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line.length <= maxLength) {
    return line;
  }

  const cut = line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '');
  return `${cut.trimEnd()}…`;
}

/** Lower-cases ASCII letters only: U+212A, the kelvin sign, is not the letter k. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A foreign text in quotes, cut to 100 characters. */
export function quote(text: string): string {
  const quoted = JSON.stringify(text.slice(0, 100));
  return text.length > 100 || quoted.length > 100 ? `${quoted.slice(0, 99)}…"` : quoted;
}

/**
 * A foreign text as one line of a log or a terminal. Characters that control a terminal, begin a line, change the direction of
 * writing or have no width are escaped as `\u001b`. So are commands to GitHub's runner: `::` at the start of a line, and `##[`.
 */
export function toLogLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\s*:(?=:)|##(?=\[)/gu, (hidden) =>
      Array.from(hidden, (character) => {
        if (character === ' ') {
          return ' ';
        }

        return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
      }).join(''),
    );
}

/**
 * Without control characters, lone surrogates and U+FFFE. XML 1.0, section 2.2, excludes them, and readers reject a whole
 * document that contains one.
 */
export function withoutIllegalCharacters(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '');
}

/** For XML and HTML, in texts and in quoted attributes. */
export function escapeMarkup(text: string): string {
  // Most texts have none, and a table has many.
  return /[&<>"']/.test(text)
    ? text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
    : text;
}

export function pick<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): Pick<T, K> {
  const picked: Partial<T> = {};
  for (const key of keys) {
    picked[key] = object[key];
  }
  return picked as Pick<T, K>;
}

/** Without keys whose value is undefined: `exactOptionalPropertyTypes` and JSON need them absent. */
export function defined<T extends object>(object: T): Defined<T> {
  const result: Partial<T> = {};
  for (const key in object) {
    if (object[key] !== undefined) {
      result[key] = object[key];
    }
  }
  return result as Defined<T>;
}

/** Like `pick`, without keys whose value is undefined. */
export function pickDefined<T extends object, K extends keyof T>(
  object: T,
  keys: readonly K[],
): Defined<Pick<T, K>> {
  const picked: Partial<T> = {};
  for (const key of keys) {
    if (object[key] !== undefined) {
      picked[key] = object[key];
    }
  }
  return picked as Defined<Pick<T, K>>;
}

type Optional<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];
type Defined<T> = Omit<T, Optional<T>> & { [K in Optional<T>]?: Exclude<T[K], undefined> };

/** packaging.python.org, "Name normalization" (PEP 503): `Agent_X` and `agent-x` are one project. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
