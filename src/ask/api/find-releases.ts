import * as z from 'zod';
import { ages } from '../../core/query/ages.ts';
import { maxQueryLength, parseQuery, termsOf, type Query } from '../../core/query/parse.ts';
import { parseVersion } from '../../core/version.ts';
import { selectReleases, type PageStart } from '../search-releases.ts';
import { anInstant, inQuery, jsonAnswer, pageSize, type StatedEndpoint } from './endpoint.ts';
import { parseTime, readStated } from './read-request.ts';
import { cachedJson, currentJson, linePerElement, nextPage, noteHeader } from './respond.ts';

const queryParameter = inQuery('query', maxQueryLength, {
  description: 'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all of them must hold.',
  expected: `at most ${maxQueryLength.toLocaleString('en-US')} characters`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = inQuery('since', 40, {
  description: `What the index first published then or later, and perhaps a little from before: ${anInstant}. With 0, as without it, what is not recorded yet comes first.`,
  expected: anInstant,
  example: '2026-01-31',
});

const afterParameter = inQuery('after', 1000, {
  description:
    'The start of a page. Take it from the link to that page, together with the other parameters there.',
  expected: 'what a link to the next page holds',
});

export const findReleases: StatedEndpoint = {
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases that a query selects, oldest first by the time they entered the index.',
  description:
    'If there are more, the answer links to the next page (rel="next"). An answer that changes from day to day is not cached.',
  parameters: [queryParameter, sinceParameter, pageSize('maxReleases', 'releases'), afterParameter],
  answers: { 200: jsonAnswer('found-releases', 'The releases, as JSON array') },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, stated, index, settings }) {
    const { query: text = '', maxReleases = '100' } = stated;
    const today = await index.day();
    const query = parseQuery(text, today);
    const isAged = asksForAges(query);
    const { releases, notes, next } = await selectReleases(index, query, today, {
      most: Number(maxReleases),
      isAged,
      entered: {
        since: await index.unpublishedSince(readStated(sinceParameter, stated, parseTime) ?? 0),
        after: readStated(afterParameter, stated, decodeStart),
      },
    });
    const headers = {
      ...(next && nextPage(request, settings.baseUrl, 'after', encodeStart(next))),
      ...(await noteHeader(index, notes)),
    };
    return (isAged || isRelative(query) ? currentJson : cachedJson)(
      request,
      linePerElement(releases),
      headers,
    );
  },
};

function asksForAges(query: Query): boolean {
  return termsOf(query).some(({ fields }) => fields.some(({ name }) => name in ages));
}

/** Whether a query asks for something else on another day. */
function isRelative(query: Query): boolean {
  return termsOf(query).some((term) => 'asks' in term && 'isRelative' in term.asks);
}

/** The opaque parameter in the link to the next page. */
function encodeStart({ at, component, version }: PageStart): string {
  // JSON has no infinite number.
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
