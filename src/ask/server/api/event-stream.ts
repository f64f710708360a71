import { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import {
  readEntriesAfter,
  readEntriesFrom,
  findAvailableAt,
  readNewestEntry,
  type Publications,
} from '../../answers/recorded-years.ts';
import { parameters, type ApiSettings, type ApiCall } from './endpoint.ts';
import { readPastInstant, createValueError } from './read-request.ts';
import { isAccepted, respond, rejectRequest } from './respond.ts';

/** A message of Server-Sent Events (html.spec.whatwg.org, section 9.2). */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/**
 * Streams the runs after the run with the id, or since the date. A client that reconnects with `Last-Event-ID` continues after
 * that run. `describeRun`: gives undefined for a run that the client did not ask for; `fullPath`: the address of all runs. Throws
 * a `QuestionError`.
 */
export async function streamRuns(
  call: ApiCall,
  describeRun: (run: Run, availableAt: number) => Message | undefined,
  start: { readonly date: string } | { readonly id: string },
  fullPath: string,
): Promise<Response> {
  const { recordedBuilds } = call.index;
  const publications = await call.index.publications();
  const runs = await findWantedRuns(call, publications, start, fullPath);

  const listMessages = async function* () {
    for await (const run of runs) {
      const message = describeRun(run, findAvailableAt(publications, run.at));
      if (message) {
        yield message;
      }
    }
  };

  const newest = await readNewestEntry(recordedBuilds, publications);
  return streamMessages(call, listMessages(), newest?.id);
}

async function findWantedRuns(
  { index, parameters }: ApiCall,
  publications: Publications,
  start: { readonly date: string } | { readonly id: string },
  fullPath: string,
): Promise<AsyncGenerator<Run>> {
  const since = 'date' in start ? readFirstInstant(start.date) : 0;
  const lastId = parameters['Last-Event-ID'] ?? ('id' in start ? start.id : undefined);
  if (lastId === undefined) {
    return readEntriesFrom(index.recordedBuilds, publications, since);
  }

  const runs = await readEntriesAfter(index.recordedBuilds, publications, lastId);
  if (runs) {
    return runs;
  }

  const problem = `There is no build ${JSON.stringify(lastId.slice(0, 200))}.`;
  throw rejectRequest(
    404,
    `${problem} Ids never change, so it is from another index. Read all: ${fullPath}`,
  );
}

/** In milliseconds since 1970. */
function readFirstInstant(date: string): number {
  if (date === 'now') {
    return Date.now();
  }

  const since = readPastInstant(date);
  if (since === undefined) {
    throw createValueError(parameters.date, date);
  }

  return since;
}

const headers = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/**
 * Sends messages as Server-Sent Events. Without messages, it sends only `newestId`, so the client knows where to resume.
 * With the parameter `stream`, the response stays open until its lifetime ends, with a comment at each heartbeat.
 */
export async function streamMessages(
  { request, parameters, settings }: ApiCall,
  messages: AsyncGenerator<Message>,
  newestId?: string,
): Promise<Response> {
  const isOpen = parameters['stream'] !== undefined;
  const first = await messages.next();

  // 204 stops an EventSource, which would reconnect for ever.
  if (first.done && parameters['Last-Event-ID'] !== undefined && !isOpen) {
    return respond(request, 204, null, headers);
  }

  const isCompressed = isAccepted(readAcceptedEncodings(request), 'gzip');
  const abort = new AbortController();
  const texts = writeTexts(first, messages, newestId, settings, isOpen ? abort.signal : undefined);
  const encoder = new TextEncoder();

  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(encoder.encode(value));
      }
    },
    cancel: () => abort.abort(),
  });

  const allHeaders = {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    Vary: 'Accept-Encoding',
  };
  if (!isCompressed) {
    return respond(request, 200, body, allHeaders);
  }

  return respond(
    request,
    200,
    compressStream(body),
    { ...allHeaders, 'Content-Encoding': 'gzip' },
    hostOptions,
  );
}

/** Tells the host not to compress the body: its compression would delay messages. */
const hostOptions = { encodeBody: 'manual' };

/** Flushes each chunk. */
function compressStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const zip = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH }));
  return body.pipeThrough(zip as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The host replaces `Accept-Encoding`, and keeps the value of the client in `cf`. */
function readAcceptedEncodings({
  cf,
  headers: requestHeaders,
}: Request & { cf?: { clientAcceptEncoding?: string } }) {
  return cf?.clientAcceptEncoding ?? requestHeaders.get('accept-encoding');
}

/** Joins short messages into chunks of at least this many characters. */
const chunkLength = 2 ** 16;

/** With `abortSignal`, keeps the stream open until it aborts or the lifetime ends. */
async function* writeTexts(
  first: IteratorResult<Message>,
  messages: AsyncGenerator<Message>,
  newestId: string | undefined,
  { retryMs, heartbeatMs, lifetimeMs }: ApiSettings,
  abortSignal: AbortSignal | undefined,
): AsyncGenerator<string, void, void> {
  let chunk = `retry: ${retryMs}\n\n`;

  for (let next = first; next.done !== true; next = await messages.next()) {
    const { id, event, data } = next.value;
    chunk += `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
  }

  if (first.done && newestId !== undefined) {
    chunk += `id: ${newestId}\n\n`;
  }

  yield chunk;

  if (!abortSignal) {
    return;
  }

  for (let passed = 0; passed < lifetimeMs; passed += heartbeatMs) {
    await setTimeout(heartbeatMs, undefined, { signal: abortSignal }).catch(() => undefined);

    if (abortSignal.aborted) {
      return;
    }

    yield ': still here\n\n';
  }
}
