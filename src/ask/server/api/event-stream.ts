import { Duplex } from 'node:stream';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { setTimeout } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { isAccepted } from './accept.ts';
import type { ApiCall, ApiSettings } from './endpoint.ts';
import { respond } from './respond.ts';

/** A message of Server-Sent Events (html.spec.whatwg.org, section 9.2). */
export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

const headers = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/**
 * Sends messages as Server-Sent Events. Without messages, it sends `newestId`, if given, so the client knows where to resume.
 * With the parameter `stream`, the response stays open until its lifetime ends, with a comment at each heartbeat. Without it, a
 * client that resumes and has missed nothing gets 204.
 */
export function answerMessages(
  { request, parameters, settings }: ApiCall,
  messages: readonly Message[],
  newestId?: string,
): Response {
  const isOpen = parameters['stream'] !== undefined;
  const isResumed = parameters['Last-Event-ID'] !== undefined;

  // 204 stops an EventSource, which would reconnect for ever.
  if (messages.length === 0 && isResumed && !isOpen) {
    return respond(request, 204, null, headers);
  }

  const resumeMessage =
    messages.length === 0 && newestId !== undefined ? `id: ${newestId}\n\n` : '';
  const texts = [`retry: ${settings.retryMs}\n\n`, resumeMessage, ...messages.map(formatMessage)];
  // A client closes the stream of a GET. It reads no stream after HEAD, so this one ends here.
  const hasHeartbeats = isOpen && request.method !== 'HEAD';
  // Ends the generator when the client goes away. The types of the browser lack `from`.
  const stream = NodeStream.from(writeStream(texts.join(''), hasHeartbeats, settings));
  const body = (stream as ReadableStream<string>).pipeThrough(new TextEncoderStream());
  const allHeaders = {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    Vary: 'Accept-Encoding',
  };
  if (!isAccepted(readAcceptedEncodings(request), 'gzip')) {
    return respond(request, 200, body, allHeaders);
  }

  const zippedHeaders = { ...allHeaders, 'Content-Encoding': 'gzip' };
  // The body is compressed already; the compression of the host would delay messages.
  return respond(request, 200, compressStream(body), zippedHeaders, { encodeBody: 'manual' });
}

function formatMessage({ id, event, data }: Message): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Writes a text, then comments until the lifetime ends: without them, an open connection may be closed. */
async function* writeStream(
  text: string,
  hasHeartbeats: boolean,
  { heartbeatMs, lifetimeMs }: ApiSettings,
): AsyncGenerator<string, void> {
  yield text;
  if (!hasHeartbeats) {
    return;
  }

  for (let passedMs = 0; passedMs < lifetimeMs; passedMs += heartbeatMs) {
    await setTimeout(heartbeatMs);
    yield ': still here\n\n';
  }
}

/** Compresses and sends each chunk without waiting for the next, which `CompressionStream` would do. */
function compressStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const zip = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH }));
  // Node types the chunks as any.
  return body.pipeThrough(zip as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The host replaces `Accept-Encoding`, and keeps the value of the client in `cf`. */
function readAcceptedEncodings(request: Request & { cf?: { clientAcceptEncoding?: string } }) {
  return request.cf?.clientAcceptEncoding ?? request.headers.get('accept-encoding');
}
