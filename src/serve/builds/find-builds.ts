import * as z from 'zod';
import { sendJson } from '../api/answers.ts';
import { afterParameter, cutPage, queryParameter, sizeParameter } from '../api/pages.ts';
import { defineRoute, sinceParameter } from '../api/route.ts';
import { describeBuild, selectRuns } from './builds.ts';

const Build = z
  .object({
    id: z.string().length(13),
    availableAt: z
      .int()
      .describe('When the run finished, in milliseconds since 1970. For example, 1796029200000.'),
    buildToolType: z.string(),
    buildToolVersion: z.string(),
    buildAgentVersion: z.string(),
  })
  .meta({ id: 'BuildItem' });

export const findBuilds = defineRoute({
  method: 'get',
  path: '/api/builds',
  operationId: 'find-builds',
  summary:
    'Lists the runs of this index that a query selects, the oldest first. The header Link leads to the next page.',
  permission: 'read',
  request: {
    query: {
      since: sinceParameter.optional(),
      maxBuilds: sizeParameter,
      query: queryParameter.meta({ example: 'buildTool:npm buildDuration:>1s' }),
      after: afterParameter,
    },
  },
  returns: { 'application/json': z.array(Build) },
  async answer({ call, index, query: { since, maxBuilds: size, query, after } }) {
    const runs = selectRuns(query, await index.runs(since));
    const page = cutPage(call, runs, { after, size }, ({ id }) => id);
    // Relative times in a query refer to the time of the request, so an answer to a query is not cached.
    return sendJson(call, page.map(describeBuild), query === '' ? 3600 : 0);
  },
});
