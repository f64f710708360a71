import * as z from 'zod';
import { createRoute } from './route.ts';
import { describeBuild, selectRuns } from '../builds.ts';
import { AskError } from '../errors.ts';
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

const Build = z
  .object({
    id: z.string().length(13),
    availableAt: z.int().describe('When the run was finished, in milliseconds since 1970.'),
    buildToolType: z.string().describe('unknown where npm did not start the run.'),
    buildToolVersion: z.string(),
    buildAgentVersion: z.string().describe('The version of this program.'),
  })
  .meta({ id: 'BuildItem' });

const findBuilds = createRoute({
  method: 'get',
  path: '/api/builds',
  operationId: 'find-builds',
  summary: 'The runs of this index that a query selects, oldest first.',
  ...needs('read'),
  request: {
    query: query({
      since: PastTime.optional(),
      maxBuilds: pageSize('builds'),
      query: text(2000, 'a query').default('').meta({ example: 'buildTool:npm buildDuration:>1s' }),
      after: text(13, 'the value in a link to the next page').optional(),
    }),
  },
  responses: { 200: json(z.array(Build), 'The runs. A link leads to the next page.'), ...problems },
});

export function addBuilds(api: Api): void {
  api.use(findBuilds.path, hashed);
  api.add(findBuilds, async (call, input) => {
    const { index } = call.get('settings');
    const { since = 0, maxBuilds, query: text, after } = input.query;
    const runs = await index.runs(since);
    const start = after === undefined ? 0 : runs.findIndex(({ id }) => id === after) + 1;
    if (after !== undefined && start === 0) {
      throw new AskError(400, 'after: expected the value in a link to the next page', {
        parameter: 'after',
      });
    }

    const { asOf } = await index.status();
    const selected = selectRuns(text, runs.slice(start), asOf);
    return sendJson(call, cutPage(call, selected, maxBuilds, ({ id }) => id).map(describeBuild));
  });
}
