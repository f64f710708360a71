/**
 * Why a question has no answer. `unreadable`: the index cannot be read now; `no-index`: what was read is not an index; `request`: the
 * request or one of its arguments is invalid; any other: the index has no answer to this question.
 */
export type QuestionReason =
  | 'unknown'
  | 'no-version'
  | 'query'
  | 'too-much'
  | 'too-large'
  | 'request'
  | 'unreadable'
  | 'no-index';

export interface QuestionErrorParts {
  /** Similar names. */
  readonly didYouMean?: readonly string[] | undefined;
  /** For a query: the first wrong character (from 1), the expected text, and the query with a mark below that character. */
  readonly position?: number;
  readonly expected?: string;
  readonly pointer?: string;
  /** For a request: the status of its answer, and further members of the problem document. */
  readonly status?: number;
  readonly members?: Readonly<Record<string, string | number>>;
}

/** A question without an answer. The message may be shown to anybody. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError';
  readonly reason: QuestionReason;
  readonly parts: QuestionErrorParts;

  constructor(
    reason: QuestionReason,
    message: string,
    parts: QuestionErrorParts = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.reason = reason;
    this.parts = parts;
  }
}

/** The error for a query that cannot be read from an index on, which is its length where the query ends too soon. */
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

const shownBefore = 60;
const shownAfter = 40;

/** The query around the position, and below it a caret under the position. */
function markPosition(query: string, position: number): string {
  const start = Math.max(0, position - 1 - shownBefore);
  const shown = [...query].slice(start, position + shownAfter).map((character) =>
    // A line break or a control character would misplace the caret.
    /[\p{C}\p{Z}]/u.test(character) ? ' ' : character,
  );
  return `${shown.join('').trimEnd()}\n${' '.repeat(position - 1 - start)}^`;
}
