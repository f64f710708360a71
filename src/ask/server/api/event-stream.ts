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
    const position = first.done && newestId !== undefined ? `id: ${newestId}\n\n` : '';
    yield `retry: ${settings.retryMs}\n\n${position}`;
    if (!first.done) {
      yield* writeMessages(first.value, messages);
    }
    if (isOpen) {
      yield* writeHeartbeats(settings);
    }
  }

  const body = streamTexts(writeStream());
  const allHeaders = {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    Vary: 'Accept-Encoding',
  };
  if (!isAccepted(readAcceptedEncodings(request), 'gzip')) {
    return respond(request, 200, body, allHeaders);
  }

  const zippedHeaders = { ...allHeaders, 'Content-Encoding': 'gzip' };
  return respond(request, 200, compressStream(body), zippedHeaders, hostOptions);
}

/** A body that takes each text when the client has room for it, and ends the generator when the client goes away. */
function streamTexts(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
  return stream.pipeThrough(new TextEncoderStream());
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

async function* writeMessages(
  first: Message,
  messages: AsyncGenerator<Message>,
): AsyncGenerator<string, void> {
  let chunk = formatMessage(first);
  for await (const message of messages) {
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }

    chunk += formatMessage(message);
  }

  yield chunk;
}

function formatMessage({ id, event, data }: Message): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
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
