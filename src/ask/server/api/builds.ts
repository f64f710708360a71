import { recordedBuildFields, buildFieldSet } from '../../../core/query/build-fields.ts';
import { parseQuery } from '../../../core/query/parse.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import {
  findAvailableAt,
  readEntriesFrom,
  type Publications,
} from '../../history/run-publications.ts';
import { selectRuns } from '../../search/select-runs.ts';
import { createParameter, defineEndpoint, describeJsonAnswer } from './endpoint.ts';
import {
  createPageSize,
  createQueryParameter,
  createSinceParameter,
  cutPage,
  linkNextPage,
} from './list-pages.ts';
import { createValueError, readPastTime, readValue } from './read-request.ts';
import { createNoteHeader } from './note-header.ts';
import { formatJson, answerCachedJson, answerJson } from './respond.ts';

const sinceParameter = createSinceParameter('Builds published', 'the oldest build', '0');

const afterParameter = createParameter('query', 'after', 13, {
  description: 'The last build of the page before. Take it from the link to the next page.',
  expected: 'the id of a build',
});

const queryParameter = createQueryParameter(
  `Terms as in the queries for releases, with the fields ${recordedBuildFields.map(({ name }) => name).join(', ')}.`,
  'buildTool:npm buildDuration:>1s',
);

export const buildsEndpoint = defineEndpoint({
  name: 'find-builds',
  path: '/api/builds',
  summary: 'The runs of this index that a query selects, oldest first.',
  description:
    'A build is a run of this index. If there are more builds, the answer links to the next page (rel="next").',
  parameters: [
    sinceParameter,
    createPageSize('maxBuilds', 'builds'),
    queryParameter,
    afterParameter,
  ],
  answers: { 200: describeJsonAnswer('found-builds', 'The runs, as JSON array') },
  example: '/api/builds?since=0&maxBuilds=2&query=buildTool:npm',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxBuilds } = parameters;
    const query = parseQuery(text, await index.day(), buildFieldSet);
    const since = readValue(sinceParameter, parameters, readPastTime) ?? 0;
    const publications = await index.publications();
    const runs = await readEntriesFrom(index.recordedBuilds, publications, since);

    const remainingRuns = listRemaining(runs, parameters.after);
    const selectedRuns = selectRuns(query, remainingRuns, 'Use fewer terms, or a later since.');
    const { page, last } = cutPage(selectedRuns, maxBuilds);

    const body = formatJson(page.map((run) => describeBuild(run, publications)));
    const headers = {
      ...(last && linkNextPage(request, settings.baseUrl, last.id)),
      ...(await createNoteHeader(index)),
    };

    // A query may name a day by its distance from today.
    return text === ''
      ? answerCachedJson(request, body, headers)
      : answerJson(request, body, headers);
  },
});

/** The runs behind the last run of the page before. Throws a `QuestionError` for an id that none of them has. */
function listRemaining(runs: readonly Run[], lastId: string | undefined): readonly Run[] {
  if (lastId === undefined) {
    return runs;
  }

  const position = runs.findIndex(({ id }) => id === lastId);
  if (position === -1) {
    throw createValueError(afterParameter, lastId);
  }

  return runs.slice(position + 1);
}

function describeBuild(run: Run, publications: Publications): object {
  const tool = describeBuildTool(run);
  return {
    id: run.id,
    availableAt: findAvailableAt(publications, run.at),
    buildToolType: tool.type,
    buildToolVersion: tool.version,
    buildAgentVersion: run.program,
  };
}

/** The specification lists npm as a tool, but not this program: other runs have an unknown tool. */
export function describeBuildTool({ npm }: Run) {
  return npm === undefined
    ? { type: 'unknown', version: 'unknown' }
    : { type: 'npm', version: npm };
}
