import * as z from 'zod';
import { createRoute } from './route.ts';
import { Row } from '../../core/schema/documents.ts';
import { AskError } from '../errors.ts';
import { searchReleases } from '../releases.ts';
import type { Api } from './app.ts';
import {
  cutPage,
  hashed,
  json,
  needs,
  pageSize,
  PastTime,
  problems,
  query,
  sendJson,
  text,
} from './parts.ts';

const nameRelease = ({ component, version }: { component: string; version: string }) =>
  `${component}/${version}`;

const findReleases = createRoute({
  method: 'get',
  path: '/api/releases',
  operationId: 'find-releases',
  summary: 'The releases of a query, oldest first by availableAt.',
  ...needs('read'),
  request: {
    query: query({
      query: text(2000, 'a query').default('').meta({ example: 'component:svc isSupported' }),
      maxReleases: pageSize('releases'),
      since: PastTime.optional(),
      after: text(300, 'the value in a link to the next page').optional(),
    }),
  },
  responses: {
    200: json(z.array(Row), 'The releases. A link leads to the next page.'),
    ...problems,
  },
});

export function addReleases(api: Api): void {
  api.use(findReleases.path, hashed);
  api.add(findReleases, async (call, input) => {
    const { query: text, since = 0, maxReleases, after } = input.query;
    const { releases: found, notes } = await searchReleases(call.get('settings').index, text);
    const isNew = ({ availableAt }: Row) =>
      since === 0 || (availableAt !== undefined && Date.parse(availableAt) >= since);
    const releases = found.filter(isNew).sort((a, b) => compare(a.availableAt, b.availableAt));
    const start =
      after === undefined ? 0 : releases.findIndex((row) => nameRelease(row) === after) + 1;
    if (after !== undefined && start === 0) {
      throw new AskError(400, 'after: expected the value in a link to the next page', {
        parameter: 'after',
      });
    }
    if (notes.length > 0) {
      call.header('Release-Index-Note', notes.join(' '));
    }

    const page = cutPage(call, releases.slice(start), maxReleases, nameRelease);
    return sendJson(call, page.map(dropNull));
  });
}

/** Releases of which no run is recorded come first. */
function compare(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}

/** In an answer, what is known to be none is absent, too. */
function dropNull(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;
}
