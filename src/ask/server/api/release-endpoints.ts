import * as z from 'zod';
import { parseVersion } from '../../../core/model/version.ts';
import { maxQueryLength, parseQuery, type Query } from '../../../core/query/parse.ts';
import { listTerms } from '../../../core/query/query-terms.ts';
import { isDistance } from '../../../core/query/rows.ts';
import {
  FoundReleases,
  PageAnswer,
  VersionAnswer,
} from '../../../core/schemas/published/answer-schemas.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../../core/text/wording.ts';
import { ask, maxQuestionLength } from '../../answers/ask.ts';
import {
  searchPublished,
  type PageStart,
  type SearchResult,
} from '../../search/search-releases.ts';
import {
  cannotSearch,
  createPageSize,
  createParameter,
  defaultPageSize,
  defineEndpoint,
  describeJsonAnswer,
  unknownName,
} from './endpoint.ts';
import { pastTimeForm, readPastTime, readValue } from './read-request.ts';
import {
  answerAskProblem,
  answerCachedJson,
  answerJson,
  createNoteHeader,
  formatElements,
  formatJson,
  linkNextPage,
} from './respond.ts';

const queryParameter = createParameter('query', 'query', maxQueryLength, {
  isQuestion: true,
  description:
    'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all must hold.',
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = createParameter('query', 'since', 40, {
  description: `Releases first published at this time or later: ${pastTimeForm}. To go on after the last page, give availableAt of its last release plus one millisecond. With 0 or without it, the answer begins with releases that are not recorded yet.`,
  expected: pastTimeForm,
  example: '2026-01-31',
});

const afterParameter = createParameter('query', 'after', 1000, {
  description:
    'The start of a page. Take it from the link to the page, together with the other parameters of the link.',
  expected: 'the value in a link to the next page',
});

export const releasesEndpoint = defineEndpoint({
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases of a query, in the order of publication.',
  description:
    'Releases are sorted by availableAt, oldest first. If there are more, the answer links to the next page (rel="next"). The answer to a query with a relative day, age, supportLeft or phaseLeft is not cached.',
  parameters: [
    queryParameter,
    sinceParameter,
    createPageSize('maxReleases', 'releases'),
    afterParameter,
  ],
  answers: {
    200: describeJsonAnswer('found-releases', 'The releases, as JSON array'),
    503: cannotSearch,
  },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxReleases = defaultPageSize } = parameters;
    const today = await index.day();
    const query = parseQuery(text, today);
    const hasDistances = asksForDistances(query);

    const { releases, notes, next } = await searchPublished(index, query, today, {
      maxReleases: Number(maxReleases),
      hasDistances,
      publications: await index.publications(),
      since: readValue(sinceParameter, parameters, readPastTime) ?? 0,
      after: readValue(afterParameter, parameters, parseStart),
    });

    const headers = {
      ...(next && linkNextPage(request, settings.baseUrl, formatStart(next))),
      ...(await createNoteHeader(index, notes)),
    };
    const body = formatElements(releases);
    return hasDistances || asksForRelativeDays(query)
      ? answerJson(request, body, headers)
      : answerCachedJson(request, body, headers);
  },
});

/** Whether the query has an age, `supportLeft` or `phaseLeft`. */
function asksForDistances(query: Query): boolean {
  return listTerms(query).some(({ fields }) => fields.some(({ name }) => isDistance(name)));
}

/** Whether the query has a day relative to today. */
function asksForRelativeDays(query: Query): boolean {
  return listTerms(query).some(({ test }) => 'isRelative' in test);
}

/** The parameter `after` in the link to the next page: `1783600000000/svc/2025.1`. */
function formatStart({ at, component, version }: PageStart): string {
  return [at, component, version].join('/');
}

function parseStart(text: string): PageStart | undefined {
  const [, at, component = '', version = ''] = /^(\d+)\/([^/]+)\/(.+)$/.exec(text) ?? [];
  return parseVersion(version) && { at: Number(at), component, version };
}

const questionParameter = createParameter('query', 'question', maxQuestionLength, {
  isQuestion: true,
  isRequired: true,
  description:
    'A component by name, title or package, with or without a version, as people write it.',
  expected: `a question of at most ${maxQuestionLength} characters`,
  example: '{component} {version}',
});

/** Maximum number of releases in the answer to a question. */
const maxAnswered = 100;

export const answerEndpoint = defineEndpoint({
  name: 'answer-question',
  path: '/api/answers',
  summary: 'The answer to a question such as "what ends in Q1 2027".',
  description:
    'Reads the question like the question box of the pages: it may guess a name, and says so in a note. Without a version, the answer is about the latest version. The answer to a question about several releases is a list of at most 100; the header Release-Index-Total has their number.',
  parameters: [questionParameter],
  answers: {
    200: describeJsonAnswer(
      z.union([VersionAnswer, FoundReleases, PageAnswer]),
      'The verdict on a version, releases, or the page that has the answer',
    ),
    404: unknownName,
    503: cannotSearch,
  },
  example: '/api/answers?question={component}+{version}',
  async handle({ request, parameters, index, settings }) {
    const { question } = parameters;
    const result = await ask(index, question, { maxReleases: maxAnswered });
    switch (result.kind) {
      case 'version':
        return answerJson(request, formatJson(result.answer));
      case 'page': {
        const page = { text: result.text, url: `${settings.baseUrl}/${result.page}` };
        return answerJson(request, formatJson(page));
      }
      case 'releases': {
        const note = await createNoteHeader(index, listNotes(result));
        const headers = { 'Release-Index-Total': String(result.total), ...note };
        return answerJson(request, formatElements(result.releases), headers);
      }
      case 'choices': {
        const didYouMean = result.choices.map((choice) => choice.question);
        const message = `${quote(question)} can mean ${formatList(didYouMean, 10)}. Ask for one.`;
        return answerAskProblem(request, { reason: 'unknown', message, didYouMean });
      }
      case 'problem': {
        // A text that is no query either is answered as an unknown name.
        const reason = result.reason === 'query' ? 'unknown' : result.reason;
        return answerAskProblem(request, { ...result, reason }, questionParameter.name);
      }
      case 'search':
        throw new Error('ask() offered a search, although maySearch was not false.');
    }
  },
});

/** The notes on found releases. If the answer has only some of them, the first note says how many. */
function listNotes({ releases, total, notes }: SearchResult): readonly string[] {
  const share = `These are ${maxAnswered} of ${formatCount(total, 'release')}.`;
  return total > releases.length ? [share, ...notes] : notes;
}
