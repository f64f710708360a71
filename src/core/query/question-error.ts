/** Why a question has no answer. */
export type QuestionReason =
  /** The index has nothing of this name, or nothing to say on it. */
  | 'unknown'
  /** A text that should be a version is not one. */
  | 'no-version'
  /** The query cannot be read. */
  | 'query'
  /** The query needs too many tests of releases. */
  | 'too-much'
  /** The question needs more data than the program loads. */
  | 'too-large'
  /** The request or one of its arguments is invalid. */
  | 'request'
  /** The index cannot be read now. */
  | 'unreadable'
  /** What was read is not an index. */
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

/** A question without an answer. Its message may be shown to anybody: whoever creates it leaves out secrets. */
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
