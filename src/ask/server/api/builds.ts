import { buildFields, unrecordedFields } from '../../../core/query/build-fields.ts';
import { createTest, describeExcess, isSelectedBy } from '../../../core/query/match.ts';
import { maxQueryLength, parseQuery, type Query } from '../../../core/query/parse.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../../core/text/wording.ts';
import { readEntriesFrom, findAvailableAt } from '../../answers/recorded-years.ts';
import {
  defineEndpoint,
  aPastInstant,
  createQueryParameter,
  describeJsonAnswer,
  nothingNew,
  createPageSize,
  parameters,
  describeProblemAnswer as problem,
  createSegment,
  type DescribedResponse,
  type ApiCall,
  type Endpoint,
} from './endpoint.ts';
import { streamMessages, streamRuns, type Message } from './event-stream.ts';
import { readSince, createParameterError } from './read-request.ts';
import {
  respondWithCachedJson,
  respondWithCurrentJson,
  linkNextPage,
  createNoteHeader,
  formatJson,
  rejectRequest,
} from './respond.ts';

const { date, stream, lastEventId } = parameters;

const buildId = createSegment('buildId', {
  description: 'The id of a build.',
  expected: 'an id of 13 letters and digits',
  pattern: '^[a-z0-9]{13}$',
  isOfForm: true,
  example: '{build}',
});

const eventTypes = createQueryParameter('eventTypes', 1000, {
  isList: true,
  description:
    'Only events of these types, separated by commas or in repeated parameters. Case-sensitive; an unknown type selects nothing.',
  expected: 'types of events such as BuildStarted,BuildFinished',
  example: 'BuildStarted,BuildFinished',
});

const since = createQueryParameter('since', 40, {
  description: `Builds published at this time or later: ${aPastInstant}. A millisecond after availableAt of the last build goes on behind it. With 0 or without it, the answer begins with the oldest build.`,
  expected: aPastInstant,
  example: '0',
});

const after = createQueryParameter('after', 13, {
  description: 'The last build of the page before. Take it from the link to the next page.',
  expected: 'the id of a build',
});

const query = createQueryParameter('query', maxQueryLength, {
  description: `Terms as in the queries for releases, with the fields ${buildFields.map(({ name }) => name).join(', ')}.`,
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'buildTool:npm buildDuration:>1s',
});

const describeStream = (description: string): DescribedResponse => ({
  description,
  mediaType: 'text/event-stream',
});
const builds = describeStream(
  'Server-Sent Events with the event "Build", oldest first, each with its id: buildId, timestamp, toolType, toolVersion and agentVersion.',
);

/** Version 2 of the export has all builds. Version 1 has only builds of Gradle, which a run of an index never is. */
function listExports(version: 'v1' | 'v2'): readonly Endpoint[] {
  const isFirst = version === 'v1';
  const meaning = isFirst
    ? 'Version 1 has only builds of Gradle, so it is always empty: the runs of an index are not builds of Gradle.'
    : 'A build is a run of this index, for its operators and auditors; the index stores no builds of components.';
  const description = `${meaning} The stream ends with the newest build, unless the request has the parameter stream.`;
  const describeMessage = (run: Run, availableAt: number) =>
    isFirst ? undefined : buildMessage(run, availableAt);
  const fullPath = `/build-export/${version}/builds/since/0`;

  return [
    defineEndpoint({
      name: `builds-since-${version}`,
      path: `/build-export/${version}/builds/since/{date}`,
      summary: 'Runs of this index since an instant, as Server-Sent Events.',
      description,
      parameters: [date, stream, lastEventId],
      answers: {
        200: builds,
        204: nothingNew,
        404: problem('There is no build with the Last-Event-ID.'),
      },
      example: isFirst ? undefined : fullPath,
      handle: (call) => streamRuns(call, describeMessage, { date: call.parameters.date }, fullPath),
    }),
    defineEndpoint({
      name: `builds-since-build-${version}`,
      path: `/build-export/${version}/builds/sinceBuild/{buildId}`,
      summary: 'Runs of this index after a run, as Server-Sent Events.',
      description,
      parameters: [buildId, stream, lastEventId],
      answers: { 200: builds, 204: nothingNew, 404: problem('There is no such build.') },
      handle: (call) =>
        streamRuns(call, describeMessage, { id: call.parameters.buildId }, fullPath),
    }),
    defineEndpoint({
      name: `build-events-${version}`,
      path: `/build-export/${version}/build/{buildId}/events`,
      summary: 'A run of this index and its events, as Server-Sent Events.',
      description: isFirst
        ? `${meaning} The answer is 400.`
        : 'First an event "Build", then events "BuildEvent": BuildStarted, BuildRequestedTasks, SourceFailed for each source without a sound answer, ChangeHeld for each change that waits, and BuildFinished.',
      parameters: [buildId, eventTypes, lastEventId],
      answers: {
        200: describeStream('Server-Sent Events. The id of an event is its position in the build.'),
        204: nothingNew,
        404: problem('There is no such build, or no event with the Last-Event-ID.'),
      },
      example: isFirst ? undefined : `/build-export/${version}/build/{build}/events`,
      async handle(call) {
        const run = await findBuild(call);
        const expected = 'a build of Gradle; /build-export/v2 has all builds';
        if (isFirst) {
          throw createParameterError('buildId', expected, `${run.id}, a build of another tool`);
        }

        return streamMessages(call, listWantedEvents(run, call));
      },
    }),
  ];
}

export const buildEndpoints: readonly Endpoint[] = [
  ...listExports('v2'),
  ...listExports('v1'),
  defineEndpoint({
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
      const query = parseQuery(text, await index.day(), [...buildFields, ...unrecordedFields]);
      const publications = await index.publications();
      const runs = await Array.fromAsync(
        readEntriesFrom(index.recordedBuilds, publications, readSince(since, parameters)),
      );
      const excess = describeExcess(query, runs.length, 'builds');
      if (excess !== undefined) {
        throw createParameterError('query', 'fewer terms, or a later since', excess);
      }

      const lastIndex = runs.findIndex(({ id }) => id === parameters.after);
      const selectedRuns = runs.slice(lastIndex + 1).filter(createRunSelection(query));

      const page = selectedRuns.slice(0, Number(maxBuilds)).map((run) => ({
        id: run.id,
        availableAt: findAvailableAt(publications, run.at),
        buildToolType: nameTool(run),
        buildToolVersion: run.npm ?? unknown,
        buildAgentVersion: run.program,
      }));
      const last = selectedRuns.length > page.length ? page.at(-1) : undefined;

      const headers = {
        ...(last && linkNextPage(request, settings.baseUrl, 'after', last.id)),
        ...(await createNoteHeader(index)),
      };

      // A query may name a day by its distance from today.
      return text === ''
        ? respondWithCachedJson(request, formatJson(page), headers)
        : respondWithCurrentJson(request, formatJson(page), headers);
    },
  }),
];

const unknown = 'unknown';

/** The specification lists npm as a tool, but not this program: other runs have an unknown tool. */
function nameTool({ npm }: Run): string {
  return npm === undefined ? unknown : 'npm';
}

function buildMessage(run: Run, availableAt: number): Message {
  const data = {
    buildId: run.id,
    timestamp: availableAt,
    toolType: nameTool(run),
    toolVersion: run.npm ?? unknown,
    agentVersion: run.program,
  };
  return { id: run.id, event: 'Build', data };
}

/** The run of the path. Throws a `QuestionError`. */
async function findBuild({ index, parameters }: ApiCall): Promise<Run> {
  const id = parameters['buildId'];
  for await (const run of readEntriesFrom(index.recordedBuilds, await index.publications(), 0)) {
    if (run.id === id) {
      return run;
    }
  }
  throw rejectRequest(404, `There is no build ${JSON.stringify(id)}.`);
}

/** The run and its events, or the events after `Last-Event-ID`. */
async function* listWantedEvents(
  run: Run,
  { index, parameters }: ApiCall,
): AsyncGenerator<Message> {
  const lastId = parameters['Last-Event-ID'];
  const types = parameters['eventTypes']?.split(',');
  const messages = listEvents(run).map((data, index) => ({
    id: String(index + 1),
    event: 'BuildEvent',
    data,
  }));
  const lastIndex = [run.id, ...messages.map(({ id }) => id)].indexOf(lastId ?? '');

  if (lastId === undefined) {
    yield buildMessage(run, findAvailableAt(await index.publications(), run.at));
  } else if (lastIndex === -1) {
    throw rejectRequest(
      404,
      `The build ${run.id} has no event ${JSON.stringify(lastId.slice(0, 200))}.`,
    );
  }

  for (const message of messages.slice(Math.max(lastIndex, 0))) {
    if (types?.includes(message.data.type.eventType) ?? true) {
      yield message;
    }
  }
}

/** Prefix of options that exclude a part of the work. */
const skip = '--skip-';

/** The events of a run, in order. */
function listEvents(run: Run) {
  const { requested, asked, answered = 0, troubles = [], waits = [], events, commit } = run;

  const createEvent = (at: string, eventType: string, data: object) => ({
    timestamp: Date.parse(at),
    type: { majorVersion: 1, minorVersion: 0, eventType },
    data,
  });

  return [
    createEvent(run.startedAt, 'BuildStarted', {}),
    createEvent(run.startedAt, 'BuildRequestedTasks', {
      requested: requested.filter((task) => !task.startsWith(skip)),
      excluded: requested
        .filter((task) => task.startsWith(skip))
        .map((task) => task.slice(skip.length)),
    }),
    ...troubles
      .map(({ kind: _, at = run.at, ...trouble }) => createEvent(at, 'SourceFailed', trouble))
      .sort((a, b) => a.timestamp - b.timestamp),
    ...waits.map(({ id, component, since, causes, reason }) =>
      createEvent(run.at, 'ChangeHeld', { id, component, since, causes, reason }),
    ),
    createEvent(run.finishedAt, 'BuildFinished', {
      outcome: describeOutcome(run),
      asked,
      answered,
      events,
      commit,
    }),
  ];
}

function describeOutcome({ troubles, waits }: Run): string {
  return troubles || waits ? 'failed' : 'succeeded';
}

/** As for releases, a term on a field that a run does not have is false, and its negation true. */
export function createRunSelection(query: Query): (run: Run) => boolean {
  const isSelected = isSelectedBy<Readonly<Record<string, unknown>>>(
    query,
    ({ name, type }, test) => {
      const passes = createTest(test, type);
      return (row) => passes(row[name]);
    },
  );
  return (run) => isSelected(toRow(run));
}

/** The run as a query row. */
function toRow(run: Run): Readonly<Record<string, unknown>> {
  const isOfNpm = run.npm !== undefined;
  const { startedAt, finishedAt, commit, node, asOf, components, asked, events, requested } = run;
  const { troubles = [], waits = [] } = run;

  return {
    ...(isOfNpm && {
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
    buildToolVersion: run.npm,
    buildOutcome: describeOutcome(run),
    buildDuration: Date.parse(finishedAt) - Date.parse(startedAt),
    buildStartTime: startedAt,
    requested,
    value: Object.fromEntries(
      Object.entries({ asOf, commit, node, components, asked, events })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, String(value)]),
    ),
    tag: [
      troubles.length > 0 && 'failed',
      waits.length > 0 && 'held',
      events > 0 && 'changed',
    ].filter((tag) => tag !== false),
    hasVerificationFailure: waits.length > 0,
    hasNonVerificationFailure: troubles.length > 0,
  };
}
