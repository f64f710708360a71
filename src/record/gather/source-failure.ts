import { quote } from '../../core/text/foreign-text.ts';
import { HttpError } from '../../io/http/error.ts';
import { SourceError } from '../sources/datasource.ts';

/** Why a source has no answer. */
export interface Failed {
  kind: 'failed';
  id: string;
  reason: string;
  cause?: string | undefined;
  /** Only for an unexpected error, which is a bug. */
  stack?: string;
}

/** Whether a signal stopped the run, which is no failure of a source. */
export function isStop(error: unknown): boolean {
  return error instanceof HttpError && error.kind === 'aborted';
}

/** The outcome for an error of a source. Throws the error of a stopped run. */
export function createFailedOutcome(id: string, error: unknown): Failed {
  if (isStop(error)) {
    throw error;
  }
  if (error instanceof HttpError) {
    return { kind: 'failed', id, reason: error.message, cause: describeCause(error) };
  }
  if (error instanceof SourceError) {
    return { kind: 'failed', id, reason: error.message };
  }

  return { kind: 'failed', id, ...describeUnexpectedError(error) };
}

const hostFailures: Partial<Record<HttpError['kind'], string>> = {
  refused: 'refuses access',
  trouble: 'does not answer',
  content: 'sends other content',
};

/** The host and its failure, equal for all affected sources; undefined if only one document is missing or too large. */
function describeCause({ kind, status, url }: HttpError): string | undefined {
  const failure = hostFailures[kind];
  if (failure === undefined) {
    return undefined;
  }

  const isError = status !== undefined && status >= 400;
  return `${new URL(url).host} ${isError ? `answers ${status}` : failure}`;
}

/** The reason of a failure that is a bug, with the place in the code. */
export function describeUnexpectedError(error: unknown): { reason: string; stack: string } {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return { reason: `unexpected error ${quote(describeError(error))} (please report it)`, stack };
}

/** The message of any thrown value. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
