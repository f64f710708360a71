import { QuestionError } from './question-error.ts';

/** A word, or a text in double quotes, which protect white space and special characters; `*` stays a wildcard. */
export interface Token {
  /** Without the quotes and escapes. */
  readonly literal: string;
  readonly isQuoted: boolean;
  /** The parts between wildcards, in lower case: one without a wildcard, none for the empty word. In quotes, `\*` is a star. */
  readonly pieces: readonly string[];
  /** Index of its first character. */
  readonly offset: number;
}

/** The most characters of the query that a message quotes. */
const maxShown = 40;

/** Reads a query from left to right. */
export class Scanner {
  readonly query: string;
  /** The index of the next character. */
  offset = 0;

  constructor(query: string) {
    this.query = query;
  }

  /** The next character; empty at the end. */
  peek(): string {
    return this.query.charAt(this.offset);
  }

  skipSpace(): void {
    while (isSpace(this.peek())) {
      this.offset += 1;
    }
  }

  /** Whether this text comes next; if so, moves past it. */
  take(text: string): boolean {
    const isNext = this.query.startsWith(text, this.offset);
    if (isNext) {
      this.offset += text.length;
    }

    return isNext;
  }

  /** Whether this word comes next, ignoring case, and ends there: a space, a bracket or nothing follows. */
  isAtWord(word: string): boolean {
    const end = this.offset + word.length;
    const next = this.query.slice(this.offset, end);
    return next.toLowerCase() === word && /^[\s\]()]?$/.test(this.query.charAt(end));
  }

  takeWord(word: string): boolean {
    const isNext = this.isAtWord(word);
    if (isNext) {
      this.offset += word.length;
    }

    return isNext;
  }

  /** The next text in quotes, or the next word: possibly empty, up to one of the `delimiters`. */
  readToken(delimiters = '"[]():<>='): Token {
    const { offset } = this;
    const isQuoted = this.peek() === '"';
    const parts = isQuoted ? this.#readQuoted() : this.#readWord(delimiters);
    return {
      literal: parts.join('*'),
      isQuoted,
      pieces: parts.map((part) => part.toLowerCase()),
      offset,
    };
  }

  /** The parts between the wildcards, as written. None for the empty word. */
  #readWord(delimiters: string): string[] {
    const start = this.offset;
    while (this.peek() !== '' && !isSpace(this.peek()) && !delimiters.includes(this.peek())) {
      this.offset += 1;
    }

    return this.offset === start ? [] : this.query.slice(start, this.offset).split('*');
  }

  /** The parts between the wildcards, without the escapes. */
  #readQuoted(): string[] {
    const start = this.offset;
    const pieces = [''];

    this.offset += 1;

    while (!this.take('"')) {
      if (this.peek() === '') {
        this.reject('a closing " for this one', start);
      }

      const isEscaped = this.take('\\');
      if (isEscaped && !['"', '\\', '*'].includes(this.peek())) {
        this.reject(String.raw`\", \\ or \* in a text in quotes`, this.offset - 1);
      }

      if (this.peek() === '*' && !isEscaped) {
        pieces.push('');
      } else {
        pieces[pieces.length - 1] += this.peek();
      }

      this.offset += 1;
    }

    return pieces;
  }

  /** Throws a `QuestionError` about the text from `start` on: as read so far, or else the next word. */
  reject(expected: string, start = this.offset): never {
    const [nextWord = ''] = /^\s*\S*/.exec(this.query.slice(start)) ?? [];
    const text = start < this.offset ? this.query.slice(start, this.offset) : nextWord;
    const shown = [...text].slice(0, maxShown).join('');
    const got = shown === '' ? 'the end of the query' : JSON.stringify(shown);
    throw createQueryError(this.query, start, expected, got);
  }
}

export function isSpace(character: string): boolean {
  return /^\s$/.test(character);
}

/** The error at an index of a query; at its length if the query ends too soon. */
export function createQueryError(
  query: string,
  index: number,
  expected: string,
  got: string,
): QuestionError {
  const position = findPosition(query, index);
  const message = `character ${position}: expected ${expected}; got ${got}`;
  const pointer = markPosition(query, position);
  return new QuestionError('query', message, { position, expected, pointer });
}

/** The place of an index in characters, from 1. Some characters have two UTF-16 units. */
export function findPosition(query: string, index: number): number {
  return [...query.slice(0, index)].length + 1;
}

/** The most characters that are shown before the position, and from it on. */
const shownBefore = 60;
const shownFrom = 40;

/** The query around the position, and below it a caret under the position. */
function markPosition(query: string, position: number): string {
  const index = position - 1;
  const start = Math.max(0, index - shownBefore);
  const shown = [...query].slice(start, index + shownFrom).map((character) =>
    // A line break or a control character would misplace the caret.
    /[\p{C}\p{Z}]/u.test(character) ? ' ' : character,
  );
  return `${shown.join('').trimEnd()}\n${' '.repeat(index - start)}^`;
}
