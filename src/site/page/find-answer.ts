import { askNamed, type Answer } from '../../ask/answers/ask.ts';
import type * as More from './more.ts';
import { describeFailure, loadScript, maxUnasked, openSite } from './site-index.ts';

/** The index, without components that are too large to be read without consent. */
export const index = openSite(maxUnasked);

/** The answer to a question; a failure is an answer, too. */
export function findAnswer(question: string): Promise<Answer> {
  return askIndex(question).catch(explainFailure);
}

/** The answer after a person agreed to read all releases. */
export function findAnswerInAll(question: string): Promise<Answer> {
  return loadMore()
    .then(({ askWhole }) => askWhole(question))
    .catch(explainFailure);
}

async function askIndex(question: string): Promise<Answer> {
  return (await askNamed(index, question)) ?? (await loadMore()).askAnything(question);
}

/** The script of questions that are not just a name and a version. */
function loadMore(): Promise<typeof More> {
  return loadScript('./more.js');
}

/** A component that is too large is offered with the number of its releases. A page shows any other failure as a question without an answer. */
function explainFailure(error: Error & { readonly releases?: number }): Answer {
  return error.releases === undefined
    ? { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] }
    : { kind: 'search', releases: error.releases };
}
