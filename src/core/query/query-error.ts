/** A query that cannot be read: where, what was expected there, and what came. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** Of the character, from 1; one beyond the last where the query ends too soon. */
  readonly position: number;
  readonly expected: string;

  constructor(position: number, expected: string, got: string) {
    super(`character ${position}: expected ${expected}; got ${got}`);
    this.position = position;
    this.expected = expected;
  }
}

const shownBefore = 60;
const shownAfter = 40;

/** The part of the query around the place, on one line, and below it a line with a caret under the place. */
export function pointAt(query: string, { position }: QueryError): string {
  const start = Math.max(0, position - 1 - shownBefore);
  const shown = [...query].slice(start, position + shownAfter).map((character) =>
    // A line break or a control character would move what stands above the caret.
    /[\p{C}\p{Z}]/u.test(character) ? ' ' : character,
  );
  return `${shown.join('').trimEnd()}\n${' '.repeat(position - 1 - start)}^`;
}
