/** A query that cannot be read: the position, the expected text and the actual text. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly query: string;
  /** The character, from 1; one past the last where the query ends too soon. */
  readonly position: number;
  readonly expected: string;

  constructor(query: string, position: number, expected: string, got: string) {
    super(`character ${position}: expected ${expected}; got ${got}`);
    this.query = query;
    this.position = position;
    this.expected = expected;
  }
}

const shownBefore = 60;
const shownAfter = 40;

/** The query around the position, and below it a caret under the position. */
export function pointAt({ query, position }: QueryError): string {
  const start = Math.max(0, position - 1 - shownBefore);
  const shown = [...query].slice(start, position + shownAfter).map((character) =>
    // A line break or a control character would misplace the caret.
    /[\p{C}\p{Z}]/u.test(character) ? ' ' : character,
  );
  return `${shown.join('').trimEnd()}\n${' '.repeat(position - 1 - start)}^`;
}
