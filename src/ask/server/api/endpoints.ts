import * as z from 'zod';
import { addMonths } from '../../../core/model/dates.ts';
import { parseVersion } from '../../../core/model/version.ts';
import { maxQueryLength, parseQuery, type Query } from '../../../core/query/parse.ts';
import { listTerms } from '../../../core/query/query-terms.ts';
import { ages } from '../../../core/query/rows.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { explainError } from '../../answers/explain-error.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { searchPublished, type PageStart } from '../../answers/search-releases.ts';
import { buildEndpoints } from './builds.ts';
import { componentEndpoints } from './component-endpoints.ts';
import {
  aPastInstant,
  defineEndpoint,
  listEndpointPaths,
  createQueryParameter,
  describeJsonAnswer,
  createPageSize,
  tooLarge,
  type ApiSettings,
  type Endpoint,
  type ParameterValues,
} from './endpoint.ts';
import { readBody, readParameters, readSince, readValue } from './read-request.ts';
import {
  answerFailure,
  respondWithCachedJson,
  respondWithCurrentJson,
  explain,
  formatElements,
  linkNextPage,
  rejectMethod,
  createNoteHeader,
  answerPreflight,
} from './respond.ts';
import { attestPackage, scanPackage, showEnvelopes, showPolicy } from './scans.ts';

const queryParameter = createQueryParameter('query', maxQueryLength, {
  description:
    'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all must hold.',
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = createQueryParameter('since', 40, {
  description: `Releases first published at this time or later: ${aPastInstant}. After the last page, a millisecond after availableAt of its last release goes on behind it. With 0 or without it, the answer begins with releases that are not recorded yet.`,
  expected: aPastInstant,
  example: '2026-01-31',
});

const afterParameter = createQueryParameter('after', 1000, {
  description:
    'The start of a page. Take it from the link to the page, together with the other parameters of the link.',
  expected: 'the value in a link to the next page',
});

const findReleases = defineEndpoint({
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases of a query, in the order of publication.',
  description:
    'If there are more releases, the answer links to the next page (rel="next"). An answer that depends on the day is not cached.',
  parameters: [
    queryParameter,
    sinceParameter,
    createPageSize('maxReleases', 'releases'),
    afterParameter,
  ],
  answers: {
    200: describeJsonAnswer('found-releases', 'The releases, as JSON array'),
    503: tooLarge,
  },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxReleases = '100' } = parameters;
    const today = await index.day();
    const query = parseQuery(text, today);
    const isAged = asksForAges(query);

    const { releases, notes, next } = await searchPublished(index, query, today, {
      most: Number(maxReleases),
      isAged,
      publications: await index.publications(),
      since: readSince(sinceParameter, parameters),
      after: readValue(afterParameter, parameters, decodeStart),
    });

    const headers = {
      ...(next && linkNextPage(request, settings.baseUrl, 'after', encodeStart(next))),
      ...(await createNoteHeader(index, notes)),
    };
    const body = formatElements(releases);
    return isAged || isRelative(query)
      ? respondWithCurrentJson(request, body, headers)
      : respondWithCachedJson(request, body, headers);
  },
});

function asksForAges(query: Query): boolean {
  return listTerms(query).some(({ fields }) => fields.some(({ name }) => name in ages));
}

/** Whether the query has a day relative to today. */
function isRelative(query: Query): boolean {
  return listTerms(query).some((term) => 'asks' in term && 'isRelative' in term.asks);
}

/** The parameter `after` in the link to the next page. */
function encodeStart({ at, component, version }: PageStart): string {
  // JSON has no Infinity.
  const text = JSON.stringify([at === -Infinity ? null : at, component, version]);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const EncodedStart = z.tuple([z.number().nullable(), z.string(), z.string()]);

function decodeStart(text: string): PageStart | undefined {
  try {
    const [at, component, version] = EncodedStart.parse(
      JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))),
    );
    return parseVersion(version) && { at: at ?? -Infinity, component, version };
  } catch {
    return undefined;
  }
}

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  findReleases,
  ...componentEndpoints,
  ...buildEndpoints,
  ...[scanPackage, attestPackage, showEnvelopes, showPolicy],
];

/** Answers a request from a table of endpoints; undefined if no endpoint has its path. */
type Api = (
  request: Request,
  index: PublishedIndex,
  settings: ApiSettings,
) => Promise<Response | undefined>;

export function createApi(table: readonly Endpoint[]): Api {
  return async (request, index, settings) => {
    const url = new URL(request.url);
    const matches = listMatches(table, url.pathname);
    if (matches.length === 0) {
      return undefined;
    }

    const methods = listMethods(matches.map(({ endpoint }) => endpoint));
    if (request.method === 'OPTIONS') {
      return answerPreflight(methods);
    }

    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const match = matches.find(({ endpoint }) => endpoint.method === method);
    if (!match) {
      return rejectMethod(request, methods);
    }

    const { endpoint, segments } = match;
    const response = await answerOrExplain(request, async () => {
      const parameterValues = readParameters(endpoint, segments, url, request.headers);
      const bodyValues = endpoint.body ? await readBody(endpoint.body, request) : {};
      return endpoint.handle({
        request,
        parameters: { ...parameterValues, ...bodyValues },
        index,
        settings,
      });
    });

    for (const [name, value] of createDeprecationHeaders(endpoint, settings.baseUrl)) {
      response.headers.append(name, value);
    }

    return response;
  };
}

export const answerEndpoint = createApi(endpoints);

/** Errors become problem documents. */
async function answerOrExplain(
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const problem = explainError(error);
    if (problem) {
      return explain(request, problem);
    }

    console.error(error);
    return answerFailure(request);
  }
}

function listMethods(table: readonly Endpoint[]): string[] {
  const methods = table.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(methods), 'OPTIONS'];
}

/** The endpoints with a path, one for each method. */
function listMatches(table: readonly Endpoint[], pathname: string) {
  const matches: { endpoint: Endpoint; segments: ParameterValues }[] = [];

  for (const endpoint of table) {
    const segments = readSegments(endpoint, pathname);
    if (segments) {
      matches.push({ endpoint, segments });
    }
  }

  return matches;
}

/** The values of the path segments; undefined if the path does not match. */
function readSegments(endpoint: Endpoint, pathname: string): ParameterValues | undefined {
  for (const path of listEndpointPaths(endpoint)) {
    const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    if (!match) {
      continue;
    }

    try {
      const segments = Object.entries(match.groups ?? {});
      return Object.fromEntries(segments.map(([name, text]) => [name, decodeURIComponent(text)]));
    } catch {
      // Invalid percent-encoding.
    }
  }

  return undefined;
}

/** Minimum time between the announcement and the end of an endpoint. */
const noticeMonths = 6;

/** Headers of a deprecated endpoint (RFC 9745, RFC 8594). */
function createDeprecationHeaders(
  { path, deprecation }: Endpoint,
  baseUrl: string,
): [name: string, value: string][] {
  if (!deprecation) {
    return [];
  }

  const { since, sunset, successor } = deprecation;
  const earliest = addMonths(since, noticeMonths);
  if (sunset < earliest) {
    throw new Error(`${path} may go away on ${earliest} at the earliest; got ${sunset}`);
  }

  return [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${baseUrl}${successor}>; rel="successor-version"`],
    ['Link', `<${baseUrl}/api.html#requests>; rel="deprecation"; type="text/html"`],
  ];
}
