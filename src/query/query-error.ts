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
  const most = Math.max(2, Math.floor(text.length / 3));
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(text.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0] && ranked[0].edits <= most ? ranked[0].candidate : undefined;
}

/** Levenshtein's distance, a row of the table at a time. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
