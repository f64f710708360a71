import { QueryError } from './query-error.ts';

/** A piece of a query: a word, or what stood in double quotes, where everything is literal. */
export interface Token {
  readonly literal: string;
  readonly isQuoted: boolean;
  /** What lies between its wildcards, in lower case; one piece where it has none, and none where no word stands. */
  readonly pieces: readonly string[];
  /** Index of its first character. */
  readonly at: number;
}

export type Scanner = ReturnType<typeof createScanner>;

/** How much is shown of what came. */
const shown = 40;

/** Goes through a query from the left. Patterns are sticky: they look at what comes next. */
export function createScanner(query: string) {
  let at = 0;

  function isAt(pattern: RegExp): boolean {
    pattern.lastIndex = at;
    return pattern.test(query);
  }

  /** What a pattern finds here, which may be empty; undefined where it finds nothing. */
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(query)?.[0];
    at += found?.length ?? 0;
    return found;
  }

  /** The word that stands here, which may be empty, or a text in quotes. */
  function token(word = /[^\s"[\]():<>=]*/y): Token {
    const start = at;
    const isQuoted = take(/"/y) !== undefined;
    const raw = take(isQuoted ? /(?:[^"\\]|\\["\\])*/y : word)!;
    if (isQuoted && take(/\\/y)) refuse('\\" or \\\\ in a text in quotes', at - 1);
    if (isQuoted && !take(/"/y)) refuse('a closing " for this one', start);
    const literal = isQuoted ? raw.replaceAll(/\\(.)/g, '$1') : raw;
    const lower = literal.toLowerCase();
    const pieces = isQuoted ? [lower] : lower ? lower.split('*') : [];
    return { literal, isQuoted, pieces, at: start };
  }

  /** In characters, from 1. */
  function positionOf(index: number): number {
    return [...query.slice(0, index)].length + 1;
  }

  /** Says that something else was expected from `start` on than what came until here, or comes next. */
  function refuse(expected: string, start = at): never {
    const came = start < at ? query.slice(start, at) : /^\s*\S*/.exec(query.slice(at))![0];
    const got = [...came].slice(0, shown).join('');
    throw new QueryError(positionOf(start), expected, got ? JSON.stringify(got) : 'the end of the query');
  }

  return { at: () => at, isAt, take, token, positionOf, refuse };
}
