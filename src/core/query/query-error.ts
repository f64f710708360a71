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

/** The candidate that takes the fewest edits, if it is near enough to be what was meant. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((near) => ({ near, edits: editsBetween(text.toLowerCase(), near.toLowerCase()) }))
    .filter(({ edits }) => edits <= Math.max(2, text.length / 3))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.near;
}

/** Levenshtein's distance, a row of the table at a time. */
function editsBetween(a: string, b: string): number {
  let row = Array.from(`${b} `, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(row[j]! + Number(a[i] !== b[j]), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row.at(-1)!;
}
