import { dropUndefined } from '../../../core/model/objects.ts';
import { buildFields, buildFieldSet } from '../../../core/query/build-fields.ts';
import { createSelector } from '../../../core/query/selection.ts';
import { describeExcess } from '../../../core/query/limit-work.ts';
import { maxQueryLength, parseQuery, type Query } from '../../../core/query/parse.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../../core/text/wording.ts';
import {
  findAvailableAt,
  readEntriesFrom,
  type Publications,
} from '../../answers/recorded-years.ts';
import {
  aPastInstant,
  createPageSize,
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
} from './endpoint.ts';
import { createParameterError, createValueError, readSince } from './read-request.ts';
import {
  createNoteHeader,
  formatJson,
  linkNextPage,
  answerCachedJson,
  answerJson,
} from './respond.ts';

const since = createParameter('query', 'since', 40, {
  description: `Builds published at this time or later: ${aPastInstant}. A millisecond after availableAt of the last build goes on behind it. With 0 or without it, the answer begins with the oldest build.`,
  expected: aPastInstant,
  example: '0',
});

const after = createParameter('query', 'after', 13, {
  description: 'The last build of the page before. Take it from the link to the next page.',
  expected: 'the id of a build',
});

const query = createParameter('query', 'query', maxQueryLength, {
  isQuestion: true,
  description: `Terms as in the queries for releases, with the fields ${buildFields.map(({ name }) => name).join(', ')}.`,
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'buildTool:npm buildDuration:>1s',
});

export const buildsEndpoint = defineEndpoint({
  name: 'find-builds',
  path: '/api/builds',
  summary: 'The runs of this index that a query selects, oldest first.',
  description:
    'A build is a run of this index. If there are more builds, the answer links to the next page (rel="next").',
  parameters: [since, createPageSize('maxBuilds', 'builds'), query, after],
  answers: { 200: describeJsonAnswer('found-builds', 'The runs, as JSON array') },
  example: '/api/builds?since=0&maxBuilds=2&query=buildTool:npm',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxBuilds = '100' } = parameters;
    const parsedQuery = parseQuery(text, await index.day(), buildFieldSet);
    const publications = await index.publications();
    const runs = await Array.fromAsync(
      readEntriesFrom(index.recordedBuilds, publications, readSince(since, parameters), Date.now()),
    );
    const excess = describeExcess(parsedQuery, runs.length, 'builds');
    if (excess !== undefined) {
      throw createParameterError('query', 'fewer terms, or a later since', excess);
    }

    const remainingRuns = listRemaining(runs, parameters.after);
    const selectedRuns = remainingRuns.filter(createRunSelection(parsedQuery));
    const page = selectedRuns.slice(0, Number(maxBuilds));
    const last = selectedRuns.length > page.length ? page.at(-1) : undefined;

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
    throw createValueError(after, lastId);
  }

  return runs.slice(position + 1);
}

function describeBuild(run: Run, publications: Publications): object {
  return {
    id: run.id,
    availableAt: findAvailableAt(publications, run.at),
    buildToolType: nameTool(run),
    buildToolVersion: run.npm ?? unknownTool,
    buildAgentVersion: run.program,
  };
}

export const unknownTool = 'unknown';

/** The specification lists npm as a tool, but not this program: other runs have an unknown tool. */
export function nameTool({ npm }: Run): string {
  return npm === undefined ? unknownTool : 'npm';
}

export function describeOutcome({ troubles, waits }: Run): string {
  return troubles || waits ? 'failed' : 'succeeded';
}

/** As for releases, a term on a field that a run does not have is false, and its negation true. */
export function createRunSelection(query: Query): (run: Run) => boolean {
  const isSelected = createSelector<Readonly<Record<string, unknown>>>(
    query,
    (field) => (row) => row[field],
  );
  return (run) => isSelected(toRow(run));
}

/** The run as a query row. */
function toRow(run: Run): Readonly<Record<string, unknown>> {
  const { npm, requested, commit, node, asOf, components, asked, events } = run;
  const hasFailed = run.troubles !== undefined;
  const isHeld = run.waits !== undefined;

  return {
    ...(npm !== undefined && {
      buildTool: 'npm',
      'npm.agentVersion': run.program,
      'npm.requestedCommands': requested,
      'npm.projectName': run.projectName,
      'npm.environment.nodeVersion': node,
      'npm.environment.nodeLocale': run.nodeLocale,
      'npm.environment.operatingSystem': run.operatingSystem,
      'npm.environment.numberOfCpuCores': run.numberOfCpuCores,
    }),
    project: run.projectName,
    buildToolVersion: npm,
    buildOutcome: describeOutcome(run),
    buildDuration: Date.parse(run.finishedAt) - Date.parse(run.startedAt),
    buildStartTime: run.startedAt,
    requested,
    value: Object.fromEntries(
      Object.entries(dropUndefined({ asOf, commit, node, components, asked, events })).map(
        ([key, value]) => [key, String(value)],
      ),
    ),
    tag: [hasFailed && 'failed', isHeld && 'held', events > 0 && 'changed'].filter(Boolean),
    hasVerificationFailure: isHeld,
    hasNonVerificationFailure: hasFailed,
  };
}
