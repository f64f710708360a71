import { howToNarrow, TooLargeIndexError, TooMuchToSearchError } from '../../core/query/budget.ts';
import { pointAt, QueryError } from '../../core/query/query-error.ts';
import { NoVersionError, UnknownNameError } from './resolve.ts';

/** The reason why a question has no answer. */
export interface AskProblem {
  readonly reason: 'unknown' | 'no-version' | 'query' | 'too-much' | 'too-large';
  /** Sentences with the remedy. */
  readonly message: string;
  readonly didYouMean?: readonly string[] | undefined;
  /** For a query: the first wrong character (from 1), the expected text, and the query with a mark below that character. */
  readonly position?: number;
  readonly expected?: string;
  readonly pointer?: string;
}

/** Explains an error in the same words at every interface; undefined for an unexpected error. */
export function describeAskProblem(error: unknown, query = ''): AskProblem | undefined {
  if (error instanceof UnknownNameError) {
    const { message, didYouMean } = error;

    return {
      reason: 'unknown',
      message,
      didYouMean: didYouMean.length > 0 ? didYouMean : undefined,
    };
  }

  if (error instanceof NoVersionError) {
    return { reason: 'no-version', message: error.message };
  }

  if (error instanceof TooMuchToSearchError) {
    const reason = error instanceof TooLargeIndexError ? 'too-large' : 'too-much';
    return { reason, message: `${error.message}. ${howToNarrow}` };
  }

  if (!(error instanceof QueryError)) {
    return undefined;
  }

  const { message, position, expected } = error;

  return { reason: 'query', message, position, expected, pointer: pointAt(query, error) };
}
