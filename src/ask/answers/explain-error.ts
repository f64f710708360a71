import { listDistinct } from '../../core/model/objects.ts';
import {
  QuestionError,
  type QuestionErrorParts,
  type QuestionReason,
} from '../../core/query/question-error.ts';
import { InputError } from '../../core/schemas/finding.ts';
import { endSentence } from '../../core/text/wording.ts';

/** The reason why a question has no answer. */
export interface AskProblem extends QuestionErrorParts {
  readonly reason: Exclude<QuestionReason, 'no-index'>;
  /** Sentences, with the remedy where there is one. */
  readonly message: string;
}

/** The remedy for a search that takes too long, or needs too much data. */
const howToNarrow =
  'Ask about one component by its exact name, such as component:<component> isSupported in a query';

/**
 * Explains an error to requests, tools and people. An error without explanation is a bug. Commands report an `InputError`
 * themselves: they read files that a person can correct.
 */
export function explainError(error: unknown): AskProblem | undefined {
  if (error instanceof InputError) {
    return explainUnreadable(error);
  }
  if (!(error instanceof QuestionError)) {
    return undefined;
  }

  const { reason, message, parts } = error;
  switch (reason) {
    case 'unreadable':
    case 'no-index':
      return explainUnreadable(error);
    case 'unknown':
      return { reason, message, didYouMean: listDistinct(parts.didYouMean ?? []) };
    case 'too-much':
      return { reason, message: `${message}. ${howToNarrow}` };
    case 'too-large':
      return { reason, message: `The index is too large: ${message}. ${howToNarrow}` };
    default:
      return { reason, message, ...parts };
  }
}

function explainUnreadable({ message }: Error): AskProblem {
  return { reason: 'unreadable', message: endSentence(`The index cannot be read now: ${message}`) };
}

/** `query: <message>` if the problem is in the query, else the message. */
export function describeAskProblem({ reason, message }: AskProblem): string {
  return reason === 'query' || reason === 'too-much' ? `query: ${message}` : message;
}
