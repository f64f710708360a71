import { QueryError } from './query-error.ts';

/** A piece of a query: a word, or what stood in double quotes, where everything is literal. */
export interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
  /** What lies between its wildcards, in lower case; one piece where it has none. */
  readonly pieces: readonly string[];
  /** Index of its first character. */
  readonly at: number;
}

export type Scanner = ReturnType<typeof createScanner>;

/** How much is shown of what came. */
const shown = 40;
const endsWord = /[\s"[\]():<>=]/;

/** Goes through the characters of a query from the left. */
export function createScanner(query: string) {
  const characters = [...query];
  let at = 0;

  const scanner = {
    length: characters.length,
    at: () => at,
    isEnd: () => at === characters.length,
    /** The next character; empty at the end. */
    next: () => characters[at] ?? '',
    skipSpace() {
      while (/\s/.test(scanner.next())) at += 1;
    },
    take(character: string): boolean {
      const isThere = !scanner.isEnd() && scanner.next() === character;
      if (isThere) at += 1;
      return isThere;
    },
    /** The word that stands here, which may be empty, or a text in quotes; `also` may stand in a word besides. */
    token(also = ''): Token {
      const start = at;
      if (scanner.take('"')) {
        const text = quoted(start);
        return { text, isQuoted: true, pieces: [text.toLowerCase()], at: start };
      }
      while (!scanner.isEnd() && (!endsWord.test(scanner.next()) || scanner.next() === also)) at += 1;
      const text = characters.slice(start, at).join('');
      return { text, isQuoted: false, pieces: text.toLowerCase().split('*'), at: start };
    },
    /** Whether this word stands here by itself, in any case. */
    isAtWord(word: string): boolean {
      const start = at;
      const { text, isQuoted } = scanner.token();
      const isThere = !isQuoted && text.toLowerCase() === word && !'":<>=['.includes(scanner.next() || ' ');
      at = start;
      return isThere;
    },
    takeWord(word: string): boolean {
      const isThere = scanner.isAtWord(word);
      if (isThere) at += word.length;
      return isThere;
    },
    /** What follows a term must not run into it: it would be read as something else than was meant. */
    endTerm(closing: string) {
      const next = scanner.next();
      if (next === '' || next === closing || /\s/.test(next)) return;
      if (/[<>=]/.test(next)) scanner.refuse(`a comparison in the form field:${next}value`);
      scanner.refuse('a space, or double quotes around the whole text');
    },
    /** Says that something else was expected from `start` on than what came until here, or comes next. */
    refuse(expected: string, start = at): never {
      const came = characters.slice(start, start + shown).join('');
      const got =
        start < at ? characters.slice(start, at).join('').slice(0, shown) : came.replace(/(?<=\S)\s.*/su, '');
      throw new QueryError(start + 1, expected, got === '' ? 'the end of the query' : JSON.stringify(got));
    },
  };

  function quoted(start: number): string {
    let text = '';
    while (!scanner.take('"')) {
      if (scanner.isEnd()) scanner.refuse('a closing " for this one', start);
      if (scanner.take('\\') && !/["\\]/.test(scanner.next())) {
        scanner.refuse('\\" or \\\\ in a text in quotes', at - 1);
      }
      text += scanner.next();
      at += 1;
    }
    return text;
  }

  return scanner;
}
