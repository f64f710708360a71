import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import type { Run } from '../../core/schema/recorded.ts';
import {
  type Call,
  defineRoute,
  listParameter,
  sinceParameter,
  textParameter,
} from '../api/route.ts';
import { createBuildMessage, listEventMessages } from './builds.ts';
import { sendMessages } from './event-stream.ts';

/** The version of the API. Version 1 lists only Gradle builds. The runs of an index are not Gradle builds, so version 1 lists nothing. */
const version = z
  .enum(['v1', 'v2'], { error: 'expected v1 or v2' })
  .describe('v2, for builds of all tools. v1 is for Gradle builds only, so its lists are empty.');
const buildId = textParameter(13, 'an id of 13 letters and digits', /^[a-z0-9]{13}$/);
const stream = textParameter(100, 'any value')
  .optional()
  .describe('With any value, the connection stays open for later runs.');
const headers = { 'last-event-id': textParameter(100, 'the id of a message').optional() };
const exportOperation = {
  method: 'get',
  permission: 'export',
  returns: { 'text/event-stream': z.string() },
} as const;

export const exportBuildsSince = defineRoute({
  ...exportOperation,
  path: '/build-export/{version}/builds/since/{date}',
  operationId: 'export-builds-since',
  summary:
    'Lists the runs since an instant. With stream and now, only later runs. Answers 204 if no run follows the one in Last-Event-ID.',
  request: {
    params: { version, date: sinceParameter },
    query: { stream },
    headers,
  },
  answer({ call, params, headers: { 'last-event-id': lastId } }) {
    return sendBuilds(call, params.version, lastId, params.date);
  },
});

export const exportBuildsSinceBuild = defineRoute({
  ...exportOperation,
  path: '/build-export/{version}/builds/sinceBuild/{buildId}',
  operationId: 'export-builds-since-build',
  summary: 'Lists the runs after a run.',
  request: { params: { version, buildId }, query: { stream }, headers },
  answer({ call, params, headers: { 'last-event-id': lastId } }) {
    return sendBuilds(call, params.version, lastId ?? params.buildId);
  },
});

export const exportEvents = defineRoute({
  ...exportOperation,
  path: '/build-export/{version}/build/{buildId}/events',
  operationId: 'export-events',
  summary: 'Reads a run and its events.',
  request: {
    params: { version, buildId },
    query: { eventTypes: listParameter.optional() },
    headers,
  },
  async answer({
    call,
    index,
    params,
    query: { eventTypes },
    headers: { 'last-event-id': lastId },
  }) {
    // An unknown build gives 404 in both versions.
    const run = requireRun(await index.runs(), params.buildId);
    if (params.version === 'v1') {
      throw new AskError(
        400,
        'buildId: expected a build of Gradle. /build-export/v2 has those of other tools.',
      );
    }

    const events = listEventMessages(run).filter(
      ({ eventType }) => !eventTypes || eventTypes.includes(eventType),
    );
    if (lastId === undefined) {
      return sendMessages(call, [createBuildMessage(run), ...events]);
    }

    const lastNumber = lastId === run.id ? '0' : lastId;
    if (!/^\d{1,6}$/.test(lastNumber)) {
      throw new AskError(404, 'The build has no event with the Last-Event-ID.');
    }
    // Compares the numbers of events. Does not look for the event `lastId`, because the filter may have left out that event.
    const newer = events.filter(({ id }) => Number(id) > Number(lastNumber));
    return sendMessages(call, newer);
  },
});

/** Sends the builds after the build `lastId`, or the builds since an instant. */
async function sendBuilds(
  call: Call,
  apiVersion: 'v1' | 'v2',
  lastId: string | undefined,
  since = 0,
): Promise<Response> {
  const runs = await call.get('settings').index.runs();
  const newer =
    lastId === undefined
      ? runs.filter(({ finishedAt }) => Date.parse(finishedAt) >= since)
      : runs.slice(runs.indexOf(requireRun(runs, lastId)) + 1);
  const messages = apiVersion === 'v1' ? [] : newer.map(createBuildMessage);
  return sendMessages(call, messages, runs.at(-1)?.id);
}

function requireRun(runs: readonly Run[], id: string): Run {
  const run = runs.find((each) => each.id === id);
  if (!run) {
    throw new AskError(404, `There is no build ${id.slice(0, 20)}.`);
  }

  return run;
}
