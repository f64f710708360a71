import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import {
  findAvailableAt,
  findNewest,
  readEntriesFrom,
  readNewestEntry,
  readRunsAfter,
  type Publications,
} from '../../answers/recorded-years.ts';
import { describeOutcome, nameTool, unknownTool } from './builds.ts';
import {
  createParameter,
  defineEndpoint,
  describeProblemAnswer as problem,
  nothingNew,
  sharedParameters,
  type ApiCall,
  type Endpoint,
} from './endpoint.ts';
import { streamMessages, type Message } from './event-stream.ts';
import { createParameterError, createValueError, readPastInstant } from './read-request.ts';
import { rejectRequest } from './respond.ts';

const { date, stream, lastEventId } = sharedParameters;

const buildId = createParameter('path', 'buildId', 200, {
  description: 'The id of a build.',
  expected: 'an id of 13 letters and digits',
  pattern: '^[a-z0-9]{13}$',
  isOfForm: true,
  example: '{build}',
});

const eventTypes = createParameter('query', 'eventTypes', 1000, {
  isList: true,
  description:
    'Only events of these types, separated by commas or in repeated parameters. Case-sensitive; an unknown type selects nothing.',
  expected: 'types of events such as BuildStarted,BuildFinished',
  example: 'BuildStarted,BuildFinished',
});

const mediaType = 'text/event-stream';

const builds = {
  description:
    'Server-Sent Events with the event "Build", oldest first, each with its id: buildId, timestamp, toolType, toolVersion and agentVersion.',
  mediaType,
} as const;

/** A version of the export of builds. */
interface ExportVersion {
  readonly name: 'v1' | 'v2';
  /** Version 1 has only builds of Gradle, which a run of an index never is. */
  readonly hasRuns: boolean;
  readonly meaning: string;
  readonly events: string;
}

const noRuns =
  'Version 1 has only builds of Gradle, so it is always empty: the runs of an index are not builds of Gradle.';

const versions: readonly ExportVersion[] = [
  {
    name: 'v2',
    hasRuns: true,
    meaning:
      'A build is a run of this index, for its operators and auditors; the index stores no builds of components.',
    events:
      'First an event "Build", then events "BuildEvent": BuildStarted, BuildRequestedTasks, SourceFailed for each source without a sound answer, ChangeHeld for each change that waits, and BuildFinished.',
  },
  {
    name: 'v1',
    hasRuns: false,
    meaning: noRuns,
    events: `${noRuns} The answer is 400.`,
  },
];

export const buildExports: readonly Endpoint[] = versions.flatMap(listEndpoints);

function listEndpoints(version: ExportVersion): Endpoint[] {
  const { name, hasRuns, meaning, events } = version;
  const path = `/build-export/${name}`;
  const description = `${meaning} The stream ends with the newest build, unless the request has the parameter stream.`;

  return [
    defineEndpoint({
      name: `builds-since-${name}`,
      path: `${path}/builds/since/{date}`,
      summary: 'Runs of this index since an instant, as Server-Sent Events.',
      description,
      parameters: [date, stream, lastEventId],
      answers: {
        200: builds,
        204: nothingNew,
        404: problem('There is no build with the Last-Event-ID.'),
      },
      example: hasRuns ? `${path}/builds/since/0` : undefined,
      handle(call) {
        const since = readFirstInstant(call.parameters.date);
        return streamRuns(version, call, call.parameters['Last-Event-ID'], since);
      },
    }),
    defineEndpoint({
      name: `builds-since-build-${name}`,
      path: `${path}/builds/sinceBuild/{buildId}`,
      summary: 'Runs of this index after a run, as Server-Sent Events.',
      description,
      parameters: [buildId, stream, lastEventId],
      answers: { 200: builds, 204: nothingNew, 404: problem('There is no such build.') },
      handle(call) {
        const lastId = call.parameters['Last-Event-ID'] ?? call.parameters.buildId;
        return streamRuns(version, call, lastId);
      },
    }),
    defineEndpoint({
      name: `build-events-${name}`,
      path: `${path}/build/{buildId}/events`,
      summary: 'A run of this index and its events, as Server-Sent Events.',
      description: events,
      parameters: [buildId, eventTypes, lastEventId],
      answers: {
        200: {
          description: 'Server-Sent Events. The id of an event is its position in the build.',
          mediaType,
        },
        204: nothingNew,
        404: problem('There is no such build, or no event with the Last-Event-ID.'),
      },
      example: hasRuns ? `${path}/build/{build}/events` : undefined,
      async handle(call) {
        const run = await findBuild(call);
        if (!hasRuns) {
          const expected = 'a build of Gradle; /build-export/v2 has all builds';
          throw createParameterError('buildId', expected, `${run.id}, a build of another tool`);
        }

        return streamMessages(call, listWantedEvents(run, call));
      },
    }),
  ];
}

/** In milliseconds since 1970. */
function readFirstInstant(text: string): number {
  if (text === 'now') {
    return Date.now();
  }

  const since = readPastInstant(text);
  if (since === undefined) {
    throw createValueError(date, text);
  }

  return since;
}

/** Streams the runs after the run `lastId`, or without it the runs since an instant. Throws a `QuestionError`. */
async function streamRuns(
  { name, hasRuns }: ExportVersion,
  call: ApiCall,
  lastId: string | undefined,
  since = 0,
): Promise<Response> {
  const now = Date.now();
  const { recordedBuilds } = call.index;
  const publications = await call.index.publications();
  const runs =
    lastId === undefined
      ? readEntriesFrom(recordedBuilds, publications, since, now)
      : await readRunsAfter(recordedBuilds, publications, lastId, now);
  if (!runs) {
    throw rejectRequest(
      404,
      `There is no build ${quote(lastId ?? '')}. Ids never change, so it is from another index. Read all: /build-export/${name}/builds/since/0`,
    );
  }

  const messages = describeRuns(hasRuns ? runs : [], publications);
  const newest = await readNewestEntry(recordedBuilds, publications, now);
  return streamMessages(call, messages, newest?.id);
}

async function* describeRuns(
  runs: AsyncIterable<Run> | Iterable<Run>,
  publications: Publications,
): AsyncGenerator<Message> {
  for await (const run of runs) {
    yield buildMessage(run, publications);
  }
}

function buildMessage(run: Run, publications: Publications): Message {
  const data = {
    buildId: run.id,
    timestamp: findAvailableAt(publications, run.at),
    toolType: nameTool(run),
    toolVersion: run.npm ?? unknownTool,
    agentVersion: run.program,
  };
  return { id: run.id, event: 'Build', data };
}

/** The run of the path. Throws a `QuestionError`. */
async function findBuild({ index, parameters }: ApiCall): Promise<Run> {
  const buildId = parameters['buildId'];
  const publications = await index.publications();
  const now = Date.now();
  const run = await findNewest(
    index.recordedBuilds,
    ({ id, at }) => id === buildId && findAvailableAt(publications, at) <= now,
  );
  if (!run) {
    throw rejectRequest(404, `There is no build ${JSON.stringify(buildId)}.`);
  }

  return run;
}

/** The run and its events, or the events after `Last-Event-ID`. */
async function* listWantedEvents(
  run: Run,
  { index, parameters }: ApiCall,
): AsyncGenerator<Message> {
  const events = listEvents(run);
  const lastId = parameters['Last-Event-ID'];
  const types = parameters['eventTypes']?.split(',');
  const start = lastId === undefined ? 0 : findPositionAfter(run, events.length, lastId);

  if (lastId === undefined) {
    yield buildMessage(run, await index.publications());
  }
  for (const [position, data] of events.entries()) {
    if (position >= start && (!types || types.includes(data.type.eventType))) {
      yield { id: String(position + 1), event: 'BuildEvent', data };
    }
  }
}

/** The position from 0 of the event after a message. The message of the run has its id, and events are counted from 1. */
function findPositionAfter(run: Run, events: number, lastId: string): number {
  if (lastId === run.id) {
    return 0;
  }
  if (/^[1-9]\d{0,8}$/.test(lastId) && Number(lastId) <= events) {
    return Number(lastId);
  }

  throw rejectRequest(404, `The build ${run.id} has no event ${quote(lastId)}.`);
}

/** Prefix of options that exclude a part of the work. */
const skip = '--skip-';

/** The events of a run in the order of the specification. */
function listEvents(run: Run) {
  const { requested, asked, answered = 0, troubles = [], waits = [], events, commit } = run;

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

function createEvent(at: string, eventType: string, data: object) {
  return {
    timestamp: Date.parse(at),
    type: { majorVersion: 1, minorVersion: 0, eventType },
    data,
  };
}
