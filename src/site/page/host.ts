import type { Answer } from '../../ask/answers/ask.ts';
import type { AnsweredVersion } from '../../ask/answers/version-answer.ts';
import { keepPromises } from '../../ask/answers/memory.ts';
import type { SearchResult } from '../../ask/answers/search-releases.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { find } from './dom.ts';
import { toUrl } from './site-index.ts';

/** An answer. The host answers without details of the component. */
export type ShownAnswer = Exclude<Answer, AnsweredVersion> | ShownVersion;

/** An answer about a version. */
export type ShownVersion = Pick<AnsweredVersion, 'kind' | 'answer'> & Partial<AnsweredVersion>;

/** Whether the host answers questions, or only serves files. */
const hostAnswers = 'hostAnswers' in find('main').dataset;

const askOnce = keepPromises(fetchAnswer);

/** The answer of the host, or undefined. The list and the card share one request. */
export async function askHost(question: string): Promise<ShownAnswer | undefined> {
  return hostAnswers ? askOnce(question) : undefined;
}

async function fetchAnswer(question: string): Promise<ShownAnswer | undefined> {
  const response = await fetch(toUrl(`api/answers?question=${encodeURIComponent(question)}`));
  if (!response.headers.get('content-type')?.endsWith('json')) {
    return undefined;
  }

  const body = (await response.json()) as
    | VersionAnswer
    | SearchResult['releases']
    | { text: string; url: string }
    | { detail: string; didYouMean?: string[] };

  // A page reads several versions by itself.
  if ('url' in body) {
    return undefined;
  }

  if ('detail' in body) {
    return {
      kind: 'problem',
      reason: 'unknown',
      message: body.detail,
      examples: body.didYouMean ?? [],
    };
  }

  if ('sentence' in body) {
    return { kind: 'version', answer: body };
  }

  const note = response.headers.get('release-index-note');
  return {
    kind: 'releases',
    query: question,
    total: body.length,
    releases: body,
    notes: note === null ? [] : [note],
  };
}
