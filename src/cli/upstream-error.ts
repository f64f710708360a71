import { InputError, problem } from '../core/schemas/finding.ts';
import { endSentence } from '../core/text/wording.ts';
import { HttpError } from '../io/http/error.ts';
import { SourceError } from '../record/sources/source-answer.ts';

/**
 * An error handler that throws an InputError, with the error as its `cause`, for a failure of upstream and rethrows every other
 * error.
 */
export function rejectUpstream(
  subject: string,
  remedy = 'Nothing was written.',
): (error: unknown) => never {
  return (error) => {
    if (error instanceof HttpError || error instanceof SourceError) {
      const message = `${endSentence(error.message)} ${remedy}`;
      throw new InputError([problem(subject, message)], { cause: error });
    }

    throw error;
  };
}
