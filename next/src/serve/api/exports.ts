import * as z from 'zod';
import { createRoute } from './route.ts';
import { stream } from 'hono/streaming';
import { Duplex } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { createBuildMessage, listEventMessages, type Message } from '../builds.ts';
import type { Run } from '../../core/schema/events.ts';
import { AskError } from '../errors.ts';
import type { Api, Call } from './app.ts';
import { list, needs, Since, problem, problems, query, text } from './parts.ts';

const buildId = text(13, 'an id of 13 letters and digits', /^[a-z0-9]{13}$/);
const headers = z.object({ 'last-event-id': z.string().max(100).optional() });
const streamed = {
  stream: text(100, 'any value')
    .optional()
    .describe('Keeps the connection open. Any value, also an empty one.'),
};
const responses = {
  200: {
    description: 'Server-Sent Events',
    content: { 'text/event-stream': { schema: z.string() } },
  },
  204: { description: 'Nothing follows the Last-Event-ID.' },
  404: problem('There is no such build.'),
  ...problems,
};

export function addExports(api: Api): void {
  for (const version of ['v1', 'v2'] as const) {
    // The runs of an index are no builds of Gradle, of which alone version 1 knows.
    const hasBuilds = version === 'v2';
    const start = `/build-export/${version}`;
    const common = { method: 'get', ...needs('export'), responses } as const;

    api.add(
      createRoute({
        ...common,
        path: `${start}/builds/since/{date}`,
        summary: 'Runs since an instant.',
        request: { params: z.object({ date: Since }), query: query(streamed), headers },
      }),
      async (call, input) => {
        const { date } = input.params;
        const after = input.headers['last-event-id'];
        const { index } = call.get('settings');
        const runs =
          after === undefined ? await index.runs(date) : listAfter(await index.runs(), after);
        return sendBuilds(call, hasBuilds ? runs : []);
      },
    );

    api.add(
      createRoute({
        ...common,
        path: `${start}/builds/sinceBuild/{buildId}`,
        summary: 'Runs after a run.',
        request: { params: z.object({ buildId }), query: query(streamed), headers },
      }),
      async (call, input) => {
        const after = input.headers['last-event-id'] ?? input.params.buildId;
        const runs = listAfter(await call.get('settings').index.runs(), after);
        return sendBuilds(call, hasBuilds ? runs : []);
      },
    );

    api.add(
      createRoute({
        ...common,
        path: `${start}/build/{buildId}/events`,
        summary: 'A run and its events.',
        request: {
          params: z.object({ buildId }),
          query: query({ eventTypes: list('types of events').optional() }),
          headers,
        },
      }),
      async (call, input) => {
        const { buildId: id } = input.params;
        const run = (await call.get('settings').index.runs()).find((each) => each.id === id);
        if (!run) {
          throw new AskError(404, `There is no build ${id}.`);
        }
        if (!hasBuilds) {
          throw new AskError(
            400,
            `buildId: expected a build of Gradle; got ${id}, a build of another tool. /build-export/v2 has all builds.`,
            { parameter: 'buildId' },
          );
        }

        const { eventTypes } = input.query;
        const events = listEventMessages(run).filter(
          ({ eventType }) => !eventTypes || eventTypes.includes(eventType),
        );
        const messages = [createBuildMessage(run), ...events];
        return sendMessages(call, dropUntil(messages, input.headers['last-event-id']));
      },
    );
  }
}

function listAfter(runs: readonly Run[], id: string): readonly Run[] {
  const position = runs.findIndex((run) => run.id === id);
  if (position === -1) {
    throw new AskError(
      404,
      `There is no build ${id.slice(0, 20)}. Ids never change: read all with /builds/since/0.`,
    );
  }

  return runs.slice(position + 1);
}

/** The messages behind the one with an id: a number for an event, which a filter may have left out. */
function dropUntil(messages: readonly Message[], id: string | undefined): readonly Message[] {
  if (id === undefined || id === messages[0]!.id) {
    return messages.slice(id === undefined ? 0 : 1);
  }
  if (!/^\d{1,6}$/.test(id)) {
    throw new AskError(404, 'The build has no event with the Last-Event-ID.');
  }

  return messages.slice(1).filter((message) => Number(message.id) > Number(id));
}

async function sendBuilds(call: Call, runs: readonly Run[]): Promise<Response> {
  const newest = (await call.get('settings').index.runs()).at(-1)?.id;
  return sendMessages(call, runs.map(createBuildMessage), newest);
}

/** Without messages, the id of the newest build tells the client where to resume. */
function sendMessages(call: Call, messages: readonly Message[], newestId?: string): Response {
  const { retryMs, heartbeatMs, lifetimeMs } = call.get('settings').streams;
  const isOpen = call.req.query('stream') !== undefined;
  call.header('Cache-Control', 'no-store, no-transform');
  // An EventSource would reconnect for ever.
  if (messages.length === 0 && !isOpen && call.req.header('last-event-id') !== undefined) {
    return call.body(null, 204);
  }

  const resume = messages.length === 0 && newestId !== undefined ? `id: ${newestId}\n\n` : '';
  const texts = messages.map(
    ({ id, event, data }) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  call.header('Content-Type', 'text/event-stream; charset=utf-8');
  call.header('Vary', 'Accept-Encoding', { append: true });
  const response = stream(call, async (writer) => {
    await writer.write(`retry: ${retryMs}\n\n${resume}${texts.join('')}`);
    const openMs = isOpen && call.req.method !== 'HEAD' ? lifetimeMs : 0;
    for (let passedMs = 0; passedMs < openMs && !writer.aborted; passedMs += heartbeatMs) {
      await writer.sleep(heartbeatMs);
      await writer.write(': still here\n\n');
    }
  });
  return acceptsGzip(call) ? compress(response) : response;
}

/** The host replaces `Accept-Encoding`, and keeps that of the client in `cf`. */
function acceptsGzip(call: Call): boolean {
  const { cf } = call.req.raw as { cf?: { clientAcceptEncoding?: string } };
  const accepted = cf?.clientAcceptEncoding ?? call.req.header('accept-encoding') ?? '';
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}

/** Flushes each chunk, which `CompressionStream` does not: a message must not wait for the next. */
function compress(response: Response): Response {
  const zip = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH })) as ReadableWritablePair<
    Uint8Array,
    Uint8Array
  >;
  const headers = new Headers(response.headers);
  headers.set('Content-Encoding', 'gzip');
  return new Response(response.body!.pipeThrough(zip), {
    headers,
    encodeBody: 'manual',
  } as ResponseInit);
}
