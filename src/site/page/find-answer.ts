import { askNamed, type Answer } from '../../ask/answers/ask.ts';
import { keepPromises } from '../../ask/answers/memory.ts';
import type { Row } from '../../core/query/fields.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { find } from './dom.ts';
import { loadMore } from './load-script.ts';
import { describeFailure, maxUnasked, openSite, toUrl } from './site-index.ts';

/** The index, without components that are too large to be read without consent. */
export const index = openSite(maxUnasked);

/** The answer to a question; a failure is an answer, too. If this page would read much for it, the host answers where it can. */
export async function findAnswer(question: string): Promise<Answer> {
  const answer = await askIndex(question).catch(explainFailure);
  // A host that only serves files answers no questions.
  const hasHost = find('main').dataset['hostAnswers'] !== undefined;
  if (answer.kind !== 'search' || !hasHost) {
    return answer;
  }

  return (await askHost(question).catch(() => undefined)) ?? answer;
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

/** The suggestions and the answer of one question share a request. */
const askHost = keepPromises(fetchHostAnswer);

/** Releases, or an object. Only a verdict names a component and a version: a link to another page has neither. */
type HostAnswer = Row[] | Partial<Pick<VersionAnswer, 'component' | 'version'>>;

/** The answer of the host; undefined for a link. Rejects if the host gives none, so that it is asked again. */
async function fetchHostAnswer(question: string): Promise<Answer | undefined> {
  const response = await fetch(toUrl(`api/answers?question=${encodeURIComponent(question)}`));
  switch (response.status) {
    case 200:
      return readHostAnswer(question, response);
    case 404: {
      const problem = (await response.json()) as { detail: string; didYouMean?: string[] };
      const { detail: message, didYouMean: examples = [] } = problem;
      return { kind: 'problem', reason: 'unknown', message, examples };
    }
    default:
      throw new Error(`The host answered ${response.status}.`);
  }
}

async function readHostAnswer(question: string, response: Response): Promise<Answer | undefined> {
  const body = (await response.json()) as HostAnswer;
  if (Array.isArray(body)) {
    const note = response.headers.get('release-index-note');
    const notes = note === null ? [] : [note];
    const total = Number(response.headers.get('release-index-total') ?? body.length);
    return { kind: 'releases', query: question, total, releases: body, notes };
  }

  const { component, version } = body;
  if (component === undefined) {
    return undefined;
  }

  // With the component known, the page has the whole answer, such as the way to a second version, from its document.
  const answer = await askIndex(`${component} ${question}`);
  return answer.kind === 'version' ? answer : askIndex(`${component} ${version}`);
}

/**
 * The answer after a failure: an offer to search a component that is too large, with the number of its releases; else the problem in
 * words.
 */
function explainFailure(error: Error & { readonly releases?: number }): Answer {
  return error.releases === undefined
    ? { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] }
    : { kind: 'search', releases: error.releases };
}
