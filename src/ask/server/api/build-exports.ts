import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { findAvailableAt, readEntriesFrom } from '../../history/run-publications.ts';
import { findNewest } from '../../history/recorded-years.ts';
import { createBuildMessage, listMessages } from './build-messages.ts';
import {
  createParameter,
  defineEndpoint,
  describeProblemAnswer,
  type ApiCall,
  type DescribedResponse,
  type Endpoint,
  type Parameter,
} from './endpoint.ts';
import { answerMessages } from './event-stream.ts';
import {
  createParameterError,
  createRequestError,
  pastTimeForm,
  readPastTime,
  readValue,
  splitValues,
} from './read-request.ts';

const dateParameter = createParameter('path', 'date', 40, {
  description: `Entries published at this time or later: ${pastTimeForm}; 0 for all entries, now for only future entries.`,
  expected: `0, now, or ${pastTimeForm}`,
  example: '2026-01-31',
});

const streamParameter = createParameter('query', 'stream', 100, {
  description:
    'Keeps the connection open after the newest build, for some time. The client reconnects to read later ones. Any value, also an empty one.',
  expected: 'at most 100 characters',
});

const lastEventIdParameter = createParameter('header', 'Last-Event-ID', 1000, {
  description: 'The id of the last received message: an EventSource sends it when it reconnects.',
  expected: 'the id of a message',
});

const buildIdParameter = createParameter('path', 'buildId', 200, {
  description: 'The id of a build.',
  expected: 'an id of 13 letters and digits',
  pattern: '^[a-z0-9]{13}$',
  example: '{build}',
});

const eventTypesParameter = createParameter('query', 'eventTypes', 1000, {
  isList: true,
  description:
    'Only events of these types, separated by commas or in repeated parameters. Case-sensitive; an unknown type selects nothing.',
  expected: 'types of events such as BuildStarted,BuildFinished',
  example: 'BuildStarted,BuildFinished',
});

const buildMessages: DescribedResponse = {
  description:
    'Server-Sent Events with the event "Build", oldest first, each with its id: buildId, timestamp, toolType, toolVersion and agentVersion.',
  mediaType: 'text/event-stream',
};

const nothingNew: DescribedResponse = {
  description: 'Nothing is new since the Last-Event-ID. There is no body.',
};

const whyEmpty =
  'Version 1 has only builds of Gradle, so it is always empty: the runs of an index are not builds of Gradle.';

const descriptions = {
  v1: { builds: whyEmpty, events: `${whyEmpty} The answer is 400.` },
  v2: {
    builds:
      'A build is a run of this index, for its operators and auditors; the index stores no builds of components.',
    events:
      'First an event "Build", then events "BuildEvent": BuildStarted, BuildRequestedTasks, SourceFailed for each source without a sound answer, ChangeHeld for each change that waits, and BuildFinished.',
  },
};

/** A version of the export in the specification. */
type ExportVersion = keyof typeof descriptions;

export const buildExports: readonly Endpoint[] = (['v2', 'v1'] as const).flatMap((version) => {
  const path = `/build-export/${version}/builds`;
  return [
    defineBuildList(version, {
      name: `builds-since-${version}`,
      path: `${path}/since/{date}`,
      summary: 'Runs of this index since an instant, as Server-Sent Events.',
      start: dateParameter,
      missing: 'There is no build with the Last-Event-ID.',
      example: `${path}/since/0`,
    }),
    defineBuildList(version, {
      name: `builds-since-build-${version}`,
      path: `${path}/sinceBuild/{buildId}`,
      summary: 'Runs of this index after a run, as Server-Sent Events.',
      start: buildIdParameter,
      missing: 'There is no such build.',
    }),
    defineBuildEvents(version),
  ];
});

/** An endpoint for runs. `start`: where the list begins. `missing`: when its answer is 404. */
interface BuildList extends Pick<Endpoint, 'name' | 'path' | 'summary' | 'example'> {
  readonly start: Parameter;
  readonly missing: string;
}

function defineBuildList(
  version: ExportVersion,
  { start, missing, ...endpoint }: BuildList,
): Endpoint {
  return defineEndpoint({
    ...endpoint,
    description: `${descriptions[version].builds} The response ends with the newest build, unless the request has the parameter stream.`,
    parameters: [start, streamParameter, lastEventIdParameter],
    answers: { 200: buildMessages, 204: nothingNew, 404: describeProblemAnswer(missing) },
    handle(call) {
      const { buildId, 'Last-Event-ID': lastId } = call.parameters;
      const since = readValue(dateParameter, call.parameters, readSince);
      // The path has a build or a date.
      return answerRuns(version, call, lastId ?? buildId ?? since!);
    },
  });
}

function defineBuildEvents(version: ExportVersion): Endpoint {
  return defineEndpoint({
    name: `build-events-${version}`,
    path: `/build-export/${version}/build/{buildId}/events`,
    summary: 'A run of this index and its events, as Server-Sent Events.',
    description: descriptions[version].events,
    parameters: [buildIdParameter, eventTypesParameter, lastEventIdParameter],
    answers: {
      200: {
        description: 'Server-Sent Events. The id of an event is its position in the build.',
        mediaType: 'text/event-stream',
      },
      204: nothingNew,
      404: describeProblemAnswer('There is no such build, or no event with the Last-Event-ID.'),
    },
    example: version === 'v2' ? '/build-export/v2/build/{build}/events' : undefined,
    async handle(call) {
      const { buildId, eventTypes, 'Last-Event-ID': lastId } = call.parameters;
      const run = await findNewestRun(call.index, buildId);
      if (!run) {
        throw createRequestError(404, `There is no build ${quote(buildId)}.`);
      }
      if (version === 'v1') {
        const expected = 'a build of Gradle; /build-export/v2 has all builds';
        throw createParameterError('buildId', expected, `${run.id}, a build of another tool`);
      }

      const types = eventTypes === undefined ? undefined : splitValues(eventTypes);
      const messages = listMessages(run, await call.index.publications(), lastId);
      return answerMessages(
        call,
        messages.filter(({ eventType }) => !types || !eventType || types.includes(eventType)),
      );
    },
  });
}

/** The instant from which builds are asked for, in milliseconds since 1970; undefined for an invalid or future one. */
function readSince(date: string): number | undefined {
  return date === 'now' ? Date.now() : readPastTime(date);
}

/** Answers with the public runs after a run, by its id, or since an instant. */
async function answerRuns(
  version: ExportVersion,
  call: ApiCall,
  start: string | number,
): Promise<Response> {
  const publications = await call.index.publications();
  const since =
    typeof start === 'number' ? start : await findInstantAfter(version, call.index, start);
  const runs =
    version === 'v2' ? await readEntriesFrom(call.index.recordedBuilds, publications, since) : [];
  const messages = runs.map((run) => createBuildMessage(run, publications));

  // The id tells a client without messages where to resume. A run that is published later comes after it.
  const newest = await findNewestRun(call.index);
  return answerMessages(call, messages, newest?.id);
}

/** The instant after the publication of a run: no two runs have the same. Throws a `QuestionError` for an unknown id. */
async function findInstantAfter(
  version: ExportVersion,
  { recordedBuilds, publications }: PublishedIndex,
  id: string,
): Promise<number> {
  const run = await findNewest(recordedBuilds, (each) => each.id === id);
  if (!run) {
    throw createRequestError(
      404,
      `There is no build ${quote(id)}. Ids never change, so it is from another index. Read all: /build-export/${version}/builds/since/0`,
    );
  }

  return findAvailableAt(await publications(), run.at) + 1;
}

/** The newest public run, or the public run with an id. */
async function findNewestRun(
  { recordedBuilds, publications }: PublishedIndex,
  wantedId?: string,
): Promise<Run | undefined> {
  const instants = await publications();
  const now = Date.now();
  return findNewest(
    recordedBuilds,
    ({ id, at }) => (wantedId ?? id) === id && findAvailableAt(instants, at) <= now,
  );
}
