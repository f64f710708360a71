import { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { ApiCall, ApiSettings } from './endpoint.ts';
import { isAccepted, respond } from './respond.ts';

/** A message of Server-Sent Events (html.spec.whatwg.org, section 9.2). */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: object;
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

  async function* writeStream() {
    yield* writeTexts(first, messages, newestId, settings);
    if (isOpen) {
      yield* writeHeartbeats(settings);
    }
  }

  const texts = writeStream();
  const body = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    cancel: () => void texts.return(),
  }).pipeThrough(new TextEncoderStream());

  const allHeaders = {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    Vary: 'Accept-Encoding',
  };
  if (!isAccepted(readAcceptedEncodings(request), 'gzip')) {
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

/** Writes messages, or else only the id of the newest one. */
async function* writeTexts(
  first: IteratorResult<Message>,
  messages: AsyncGenerator<Message>,
  newestId: string | undefined,
  { retryMs }: ApiSettings,
): AsyncGenerator<string, void> {
  let chunk = `retry: ${retryMs}\n\n`;
  if (first.done && newestId !== undefined) {
    chunk += `id: ${newestId}\n\n`;
  }

  for (let result = first; result.done !== true; result = await messages.next()) {
    const { id, event, data } = result.value;
    chunk += `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
  }

  yield chunk;
}

/** Writes comments that keep a stream open until its lifetime ends. */
async function* writeHeartbeats({
  heartbeatMs,
  lifetimeMs,
}: ApiSettings): AsyncGenerator<string, void> {
  for (let passed = 0; passed < lifetimeMs; passed += heartbeatMs) {
    await setTimeout(heartbeatMs);
    yield ': still here\n\n';
  }
}
