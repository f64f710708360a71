import { limitWork } from '../../core/query/budget.ts';
import { buildFields } from '../../core/query/fields.ts';
import { matches } from '../../core/query/match.ts';
import { parseQuery } from '../../core/query/parse.ts';
import type { Run } from '../../core/schemas/journal.ts';
import { entriesFrom } from '../recorded-years.ts';
import type { Question } from './endpoint.ts';
import {
  afterKnown,
  readFirstInstant,
  streamEntries,
  streamMessages,
  type Message,
  type Streamed,
} from './event-stream.ts';
import { parameters } from './parameters.ts';
import { parseTime, readStated, wrong } from './read-parameters.ts';
import { cachedJson, currentJson, nextPage, noteHeader, ProblemError } from './respond.ts';

/** Runs of this index in the shapes that the specification has for builds: npm starts each of them. */
const buildTool = 'npm';

/** A run that was not started by npm has no version of it. */
const versionOf = ({ npm = 'unknown' }: Run) => npm;

/** Version 2 of the export has all builds. Version 1 has those of Gradle, and no run of an index is one. */
export type ExportVersion = 'v1' | 'v2';

/** `GET /build-export/{version}/builds/since/{date}`. */
export async function answerBuildsSince(version: ExportVersion, question: Question): Promise<Response> {
  const streamed = streamedBuilds(version, question);
  return streamEntries(question, streamed, entriesFrom(streamed.recorded, readFirstInstant(question)));
}

/** `GET /build-export/{version}/builds/sinceBuild/{buildId}`. */
export async function answerBuildsSinceBuild(version: ExportVersion, question: Question): Promise<Response> {
  const streamed = streamedBuilds(version, question);
  return streamEntries(question, streamed, await afterKnown(streamed, question.stated['buildId']!));
}

/** `GET /build-export/{version}/build/{buildId}/events`. */
export async function answerBuildEvents(version: ExportVersion, question: Question): Promise<Response> {
  const { stated } = question;
  const { recorded } = streamedBuilds(version, question);
  const [id, seen, types] = [stated['buildId']!, stated['Last-Event-ID'], stated['eventTypes']?.split(',')];
  const run = await findBuild(recorded, id);
  if (!run) throw new ProblemError(404, `There is no build ${JSON.stringify(id)}.`);
  if (version === 'v1') {
    const expected = 'a build of Gradle; /build-export/v2 has all builds';
    throw wrong('buildId', expected, `${id}, a build of ${buildTool}`);
  }
  const events = eventsOf(run).map((data, place) => ({ id: String(place + 1), event: 'BuildEvent', data }));
  const seenAt = [id, ...events.map((event) => event.id)].findIndex((each) => each === seen);
  if (seen !== undefined && seenAt === -1)
    throw new ProblemError(404, `The build ${id} has no event ${JSON.stringify(seen.slice(0, 200))}.`);
  const wanted = async function* (): AsyncGenerator<Message> {
    if (seen === undefined) yield buildMessage(run);
    for (const event of events.slice(Math.max(seenAt, 0)))
      if (types?.includes(event.data.type.eventType) ?? true) yield event;
  };
  return streamMessages(question, wanted());
}

/** `GET /api/builds`. */
export async function answerBuilds({ request, stated, index, settings }: Question): Promise<Response> {
  const { query: text = '', maxBuilds = '100' } = stated;
  const query = parseQuery(text, await index.day(), buildFields);
  const since = readStated(parameters.buildsSince, stated, parseTime) ?? 0;
  const runs: Run[] = [];
  for await (const run of entriesFrom(index.recordedBuilds, since)) runs.push(run);
  try {
    limitWork(query, runs.length, 'builds');
  } catch (error) {
    throw wrong('query', 'fewer terms, or a later since', (error as Error).message);
  }
  const found = runs.filter((run) => matches(query, rowOf(run)));
  const page = found.slice(0, Number(maxBuilds));
  const items = page.map((run) => ({
    id: run.id,
    availableAt: Date.parse(run.at),
    buildToolType: buildTool,
    buildToolVersion: versionOf(run),
    buildAgentVersion: run.program,
  }));
  const next = String(Date.parse(found[page.length]?.at ?? ''));
  const headers = found.length > page.length ? nextPage(request, settings.baseUrl, 'since', next) : {};
  const body = `${JSON.stringify(items, undefined, 2)}\n`;
  const noted = { ...headers, ...(await noteHeader(index)) };
  // A query may name a day by its distance from today.
  return text === '' ? cachedJson(request, body, noted) : currentJson(request, body, noted);
}

function streamedBuilds(version: ExportVersion, { index }: Question): Streamed<Run> {
  return {
    recorded: index.recordedBuilds,
    messageOf: (run) => (version === 'v2' ? buildMessage(run) : undefined),
    thing: 'build',
    all: `/build-export/${version}/builds/since/0`,
  };
}

function buildMessage(run: Run): Message {
  const data = {
    buildId: run.id,
    timestamp: Date.parse(run.at),
    toolType: buildTool,
    toolVersion: versionOf(run),
    agentVersion: run.program,
  };
  return { id: run.id, event: 'Build', data };
}

/** Options that leave out a part of the work begin with this. */
const skip = '--skip-';

/** What a run did, in order. Of sources the instant is that of recording: when each answered is not recorded. */
function eventsOf(run: Run) {
  const { requested = [], answered = {}, troubles = [], events, commit } = run;
  const [started, at, finished] = [run.startedAt, run.at, run.finishedAt].map((instant) =>
    Date.parse(instant),
  );
  const event = (timestamp: number, eventType: string, data: object) => ({
    timestamp,
    type: { majorVersion: 1, minorVersion: 0, eventType },
    data,
  });
  return [
    event(started!, 'BuildStarted', {}),
    event(started!, 'BuildRequestedTasks', {
      requested: requested.filter((task) => !task.startsWith(skip)),
      excluded: requested.flatMap((task) => (task.startsWith(skip) ? task.slice(skip.length) : [])),
    }),
    ...Object.entries(answered).flatMap(([component, sources]) =>
      sources.map((source) => event(at!, 'SourceAnswered', { component, source })),
    ),
    ...troubles.map(({ kind, ...trouble }) =>
      event(at!, kind === 'held' ? 'SourceHeld' : 'SourceFailed', trouble),
    ),
    event(finished!, 'BuildFinished', { outcome: outcomeOf(run), events, ...(commit && { commit }) }),
  ];
}

function outcomeOf({ troubles }: Run): string {
  return troubles ? 'failed' : 'succeeded';
}

/** The run as a query sees it. */
function rowOf(run: Run): Readonly<Record<string, unknown>> {
  const { startedAt, finishedAt, commit, node, asOf, components, asked, events, requested = [] } = run;
  const kinds = new Set((run.troubles ?? []).map(({ kind }) => kind));
  return {
    buildTool,
    buildToolVersion: run.npm,
    buildOutcome: outcomeOf(run),
    buildDuration: Date.parse(finishedAt) - Date.parse(startedAt),
    buildStartTime: startedAt,
    requested,
    value: Object.fromEntries(
      Object.entries({ asOf, commit, node, components, asked, events }).flatMap(([key, value]) =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    ),
    tag: [...kinds, ...(events > 0 ? ['changed'] : [])],
    hasVerificationFailure: kinds.has('held'),
    hasNonVerificationFailure: kinds.has('failed'),
  };
}

async function findBuild(recorded: Streamed<Run>['recorded'], id: string): Promise<Run | undefined> {
  for await (const run of entriesFrom(recorded, 0)) if (run.id === id) return run;
  return undefined;
}
