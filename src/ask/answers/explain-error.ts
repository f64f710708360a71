import { howToNarrow, TooLargeIndexError, TooMuchToSearchError } from '../../core/query/budget.ts';
import { pointAt, QueryError } from '../../core/query/query-error.ts';
import { InputError } from '../../core/schemas/finding.ts';
import { UnreadableIndexError } from './published-documents.ts';
import { NoVersionError, UnknownNameError } from './resolve.ts';

/** The reason why a question has no answer. */
export interface AskProblem {
  /** `request`: another argument or value is wrong; `unreadable`: the index cannot be read now. */
  readonly reason:
    'unknown' | 'no-version' | 'query' | 'too-much' | 'too-large' | 'request' | 'unreadable';
  /** Sentences with the remedy, and the parameter that they are about. */
  readonly message: string;
  readonly parameter?: 'query';
  readonly didYouMean?: readonly string[] | undefined;
  /** For a query: the first wrong character (from 1), the expected text, and the query with a mark below that character. */
  readonly position?: number;
  readonly expected?: string;
  readonly pointer?: string;
}

/** A question that cannot be answered as it was asked. The message names the expected value. */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
}

/** Explains an error in the same words to commands, requests and tools. An error without explanation is a bug. */
export function explainError(error: unknown): AskProblem | undefined {
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
    return { reason, message: `${error.message}. ${howToNarrow}`, parameter: 'query' };
  }

  if (error instanceof QueryError) {
    const { message, position, expected } = error;
    const pointer = pointAt(error);
    return { reason: 'query', message, parameter: 'query', position, expected, pointer };
  }

  if (error instanceof RequestError) {
    return { reason: 'request', message: error.message };
  }

  return error instanceof UnreadableIndexError || error instanceof InputError
    ? { reason: 'unreadable', message: `The index cannot be read now: ${error.message}.` }
    : undefined;
}

/** The message behind the parameter that it is about. */
export function problemMessage({ parameter, message }: AskProblem): string {
  return parameter === undefined ? message : `${parameter}: ${message}`;
}
