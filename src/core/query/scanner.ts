import { QueryError } from './query-error.ts';

/** A word, or a text in double quotes, which protect white space and special characters; `*` stays a wildcard. */
export interface Token {
  readonly literal: string;
  readonly isQuoted: boolean;
  /** The parts between wildcards, in lower case: one without a wildcard, none for the empty word. In quotes, `\*` is a star. */
  readonly pieces: readonly string[];
  /** Index of its first character. */
  readonly at: number;
}

export type Scanner = ReturnType<typeof createScanner>;

/** The most characters of the query that a message quotes. */
const maxShown = 40;

/** Reads a query from left to right. */
export function createScanner(query: string) {
  let at = 0;

  /** The next character; empty at the end. */
  function peek(): string {
    return query.charAt(at);
  }

  function skipSpace(): void {
    while (isSpace(peek())) {
      at += 1;
    }
  }

  /** Whether this text comes next; if so, moves past it. */
  function take(text: string): boolean {
    const isNext = query.startsWith(text, at);
    if (isNext) {
      at += text.length;
    }

    return isNext;
  }

  /** Whether this whole word comes next, ignoring case. */
  function isAtWord(word: string): boolean {
    const end = at + word.length;
    return query.slice(at, end).toLowerCase() === word && /^[\s\]()]?$/.test(query.charAt(end));
  }

  function takeWord(word: string): boolean {
    const isNext = isAtWord(word);
    if (isNext) {
      at += word.length;
    }

    return isNext;
  }

  /** The next text in quotes, or the next word: possibly empty, up to one of the `delimiters`. */
  function readToken(delimiters = '"[]():<>='): Token {
    const start = at;

    if (peek() === '"') {
      const pieces = readQuoted();
      const literal = pieces.join('*');

      return {
        literal,
        isQuoted: true,
        pieces: pieces.map((piece) => piece.toLowerCase()),
        at: start,
      };
    }

    while (peek() !== '' && !isSpace(peek()) && !delimiters.includes(peek())) {
      at += 1;
    }

    const literal = query.slice(start, at);
    const pieces = literal === '' ? [] : literal.toLowerCase().split('*');

    return { literal, isQuoted: false, pieces, at: start };
  }

  /** The parts between the wildcards, as written. */
  function readQuoted(): string[] {
    const start = at;
    const pieces = [''];

    at += 1;

    while (!take('"')) {
      if (peek() === '') {
        reject('a closing " for this one', start);
      }

      const isEscaped = take('\\');
      if (isEscaped && !['"', '\\', '*'].includes(peek())) {
        reject(String.raw`\", \\ or \* in a text in quotes`, at - 1);
      }

      if (peek() === '*' && !isEscaped) {
        pieces.push('');
      } else {
        pieces[pieces.length - 1] += peek();
      }

      at += 1;
    }

    return pieces;
  }

  /** In characters, from 1. */
  function positionOf(index: number): number {
    return [...query.slice(0, index)].length + 1;
  }

  /** Throws a `QueryError` about the text from `start` on: as read so far, or else what comes next. */
  function reject(expected: string, start = at): never {
    const came = start < at ? query.slice(start, at) : query.slice(at).replace(/(?<=\S)\s.*/s, '');
    const got = [...came].slice(0, maxShown).join('');
    throw new QueryError(
      positionOf(start),
      expected,
      got ? JSON.stringify(got) : 'the end of the query',
    );
  }

  return { at: () => at, peek, skipSpace, take, isAtWord, takeWord, readToken, positionOf, reject };
}

export function isSpace(character: string): boolean {
  return /^\s$/.test(character);
}
