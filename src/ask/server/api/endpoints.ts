import * as z from 'zod';
import { parseVersion } from '../../../core/model/version.ts';
import { maxQueryLength, parseQuery, type Query } from '../../../core/query/parse.ts';
import { listTerms } from '../../../core/query/query-terms.ts';
import { ages } from '../../../core/query/rows.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { searchPublished, type PageStart } from '../../answers/search-published.ts';
import { buildExports } from './build-exports.ts';
import { findBuilds } from './builds.ts';
import { componentEndpoints } from './component-endpoints.ts';
import {
  aPastInstant,
  defineEndpoint,
  createParameter,
  describeJsonAnswer,
  createPageSize,
  tooLarge,
  type Endpoint,
} from './endpoint.ts';
import { readSince, readValue } from './read-request.ts';
import {
  respondWithCachedJson,
  respondWithCurrentJson,
  formatElements,
  linkNextPage,
  createNoteHeader,
} from './respond.ts';
import { attestPackage, scanPackage, showEnvelopes, showPolicy } from './scans.ts';

const queryParameter = createParameter('query', 'query', maxQueryLength, {
  description:
    'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all must hold.',
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = createParameter('query', 'since', 40, {
  description: `Releases first published at this time or later: ${aPastInstant}. After the last page, a millisecond after availableAt of its last release goes on behind it. With 0 or without it, the answer begins with releases that are not recorded yet.`,
  expected: aPastInstant,
  example: '2026-01-31',
});

const afterParameter = createParameter('query', 'after', 1000, {
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
      maxReleases: Number(maxReleases),
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
  return Buffer.from(text).toString('base64url');
}

const EncodedStart = z.tuple([z.number().nullable(), z.string(), z.string()]);

function decodeStart(text: string): PageStart | undefined {
  try {
    const json = Buffer.from(text, 'base64url').toString();
    const [at, component, version] = EncodedStart.parse(JSON.parse(json));
    return parseVersion(version) && { at: at ?? -Infinity, component, version };
  } catch {
    return undefined;
  }
}

/** All requests that the Worker answers. Routing, validation and documentation use this table. */
export const endpoints: readonly Endpoint[] = [
  findReleases,
  ...componentEndpoints,
  ...buildExports,
  findBuilds,
  scanPackage,
  attestPackage,
  showEnvelopes,
  showPolicy,
];
