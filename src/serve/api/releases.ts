import * as z from 'zod';
import { Row } from '../../core/schema/documents.ts';
import { searchReleases } from '../search-releases.ts';
import { cutPage, sendJson } from './answers.ts';
import { pageParameters } from './parameters.ts';
import { defineRoute } from './route.ts';

export const findReleases = defineRoute({
  method: 'get',
  path: '/api/releases',
  operationId: 'find-releases',
  summary:
    'The releases of a query, oldest first by availableAt. The header Link leads to the next page.',
  permission: 'read',
  request: {
    query: {
      query: pageParameters.query.meta({ example: 'component:svc isSupported' }),
      maxReleases: pageParameters.size,
      since: pageParameters.since,
      after: pageParameters.after,
    },
  },
  returns: { 'application/json': z.array(Row) },
  async answer(call, { query: { query, since = 0, maxReleases: size, after } }) {
    const { releases: selected, notes } = await searchReleases(call.get('settings').index, query);
    const releases = selected
      .filter(({ availableAt = '1970' }) => Date.parse(availableAt) >= since)
      // Releases of which no run is recorded come first.
      .sort((a, b) => (a.availableAt ?? '').localeCompare(b.availableAt ?? ''));
    if (notes.length > 0) {
      call.header('Release-Index-Note', notes.join(' '));
    }

    const nameRelease = ({ component, version }: Row) => `${component}/${version}`;
    const page = cutPage(call, releases, { after, size }, nameRelease);
    return sendJson(call, page.map(dropNull));
  },
});

/** In an answer, what is known to be none is absent, too. */
function dropNull(row: Row): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
