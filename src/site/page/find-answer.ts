import { askNamed, type Answer } from '../../ask/answers/ask.ts';
import { keepPromises } from '../../ask/answers/memory.ts';
import type { SearchResult } from '../../ask/search/search-releases.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { find } from './dom.ts';
import type * as More from './more.ts';
import { describeFailure, loadScript, maxUnasked, openSite, toUrl } from './site-index.ts';

/** An answer to show. An answer of the host has no details of the component. */
export type ShownAnswer = Exclude<Answer, AnsweredVersion> | ShownVersion;

/** An answer about a version. */
export type ShownVersion = Pick<AnsweredVersion, 'kind' | 'answer'> & Partial<AnsweredVersion>;

/** The index, without components that are too large to be read without consent. */
export const index = openSite(maxUnasked);

/** The answer to a question; a failure is an answer, too. */
export function findAnswer(question: string): Promise<ShownAnswer> {
  return preferHost(question, askIndex(question)).catch(explainFailure);
}

/** The answer after a person agreed to read all releases. */
export function findAnswerInAll(question: string): Promise<ShownAnswer> {
  const answer = loadMore().then(({ askWhole }) => askWhole(question));
  return preferHost(question, answer).catch(explainFailure);
}

async function askIndex(question: string): Promise<Answer> {
  return (await askNamed(index, question)) ?? (await loadMore()).askAnything(question);
}

/** The script of questions that are not just a name and a version. */
function loadMore(): Promise<typeof More> {
  return loadScript('./more.js');
}

/** The answer of the host, if this page reads too much for its own answer and the host has one. */
async function preferHost(question: string, own: Promise<Answer>): Promise<ShownAnswer> {
  const answer = await own.catch(offerLargeSearch);
  const isTooMuch =
    answer.kind === 'search' ||
    (answer.kind === 'problem' && ['too-much', 'too-large'].includes(answer.reason));
  // A host that only serves files answers no questions.
  if (!isTooMuch || !('hostAnswers' in find('main').dataset)) {
    return answer;
  }

  return (await askHost(question).catch(() => undefined)) ?? answer;
}

/** Reading a large component is rejected with the number of its releases. Throws any other error. */
function offerLargeSearch(error: unknown): Answer {
  const { releases } = error as { releases?: number };
  if (releases === undefined) {
    throw error;
  }

  return { kind: 'search', releases };
}

/** The suggestions and the answer of one question share a request. */
const askHost = keepPromises(fetchHostAnswer);

/** A verdict, releases, a link to another page, or an unknown name. */
type HostAnswer =
  | VersionAnswer
  | SearchResult['releases']
  | { url: string }
  | { detail: string; didYouMean?: string[] };

/** The answer of the host; undefined for a link, which a page finds by itself. */
async function fetchHostAnswer(question: string): Promise<ShownAnswer | undefined> {
  const response = await fetch(toUrl(`api/answers?question=${encodeURIComponent(question)}`));
  const body = (await response.json()) as HostAnswer;
  if (response.status === 404 && 'detail' in body) {
    const { detail: message, didYouMean: examples = [] } = body;
    return { kind: 'problem', reason: 'unknown', message, examples };
  }
  if (!response.ok) {
    throw new Error(`The host answered ${response.status}`);
  }

  if ('sentence' in body) {
    return { kind: 'version', answer: body };
  }
  if (!Array.isArray(body)) {
    return undefined;
  }

  const note = response.headers.get('release-index-note');
  const notes = note === null ? [] : [note];
  return { kind: 'releases', query: question, total: body.length, releases: body, notes };
}

/** A page shows a failed request as it shows a question without an answer. */
function explainFailure(error: Error): ShownAnswer {
  return { kind: 'problem', reason: 'unknown', message: describeFailure(error), examples: [] };
}
