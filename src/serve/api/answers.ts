/** Answers of routes: JSON, lines, Server-Sent Events. */
import { stream } from 'hono/streaming';
import { parseAccept } from 'hono/utils/accept';
import { hash } from 'node:crypto';
import { Duplex } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import type { Message } from '../builds.ts';
import type { Call } from './route.ts';

/** Says of which day an answer is and, where that is too long ago, a warning, which it returns. */
async function stampAge(call: Call): Promise<string | undefined> {
  const { asOf, staleness } = await call.get('settings').index.age();
  call.header('Release-Index-As-Of', asOf);
  if (staleness !== undefined) {
    addNote(call, staleness);
  }
  return staleness;
}

/** A header has ASCII alone: the rest is encoded as in an address. */
export function addNote(call: Call, text: string): void {
  const encoded = text.toWellFormed().replaceAll(/[^ -~]/gu, encodeURIComponent);
  call.header('Release-Index-Note', encoded, { append: true });
}

/** For an hour, like a file: the answer follows from files alone, unless it depends on the time of the request. */
export async function sendJson(call: Call, body: object, maxAge = 3600): Promise<Response> {
  await stampAge(call);
  const text = JSON.stringify(body);
  const tag = `"${hash('sha256', text)}"`;
  call.header('Cache-Control', `public, max-age=${maxAge}`);
  call.header('ETag', tag);
  if (call.req.header('if-none-match')?.includes(tag)) {
    return call.body(null, 304);
  }

  return call.body(text, 200, { 'Content-Type': 'application/json' });
}

/** As a JSON array or, where the client accepts them, as lines. */
export async function sendElements(call: Call, items: readonly object[]): Promise<Response> {
  await stampAge(call);
  const isInLines = /application\/x-ndjson/i.test(call.req.header('accept') ?? '');
  const lines = (isInLines ? items : [items]).map((value) => JSON.stringify(value));
  return call.body(`${lines.join('\n')}\n`, 200, {
    'Content-Type': isInLines ? 'application/x-ndjson' : 'application/json',
    Vary: 'Accept',
    'Cache-Control': 'no-store',
  });
}

/**
 * Sends Server-Sent Events (html.spec.whatwg.org, section 9.2). With the parameter `stream`, the answer stays open for some time, with a
 * comment at each heartbeat. Without messages, the id of the newest build tells the client where to resume.
 */
export async function sendMessages(
  call: Call,
  messages: readonly Message[],
  newestId?: string,
): Promise<Response> {
  const isOpen = call.req.query('stream') !== undefined;
  call.header('Cache-Control', 'no-store, no-transform');
  // An EventSource would reconnect for ever.
  if (messages.length === 0 && !isOpen && call.req.header('last-event-id') !== undefined) {
    return call.body(null, 204);
  }

  const { retryMs, heartbeatMs, lifetimeMs } = call.get('settings').streams;
  const staleness = await stampAge(call);
  const blocks = [
    `retry: ${retryMs}`,
    staleness && `: ${staleness}`,
    messages.length === 0 && newestId && `id: ${newestId}`,
    ...messages.map(formatMessage),
  ].filter(Boolean);
  call.header('Content-Type', 'text/event-stream; charset=utf-8');
  call.header('Vary', 'Accept-Encoding', { append: true });
  const response = stream(call, async (writer) => {
    await writer.write(blocks.map((block) => `${block}\n\n`).join(''));
    const openMs = isOpen && call.req.method !== 'HEAD' ? lifetimeMs : 0;
    for (let passedMs = 0; passedMs < openMs && !writer.aborted; passedMs += heartbeatMs) {
      await writer.sleep(heartbeatMs);
      await writer.write(': still here\n\n');
    }
  });
  return acceptsGzip(call) ? compress(response) : response;
}

function formatMessage({ id, event, data }: Message): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}`;
}

/** The host replaces `Accept-Encoding`, and keeps that of the client in `cf`. */
function acceptsGzip(call: Call): boolean {
  const { cf }: Request & { cf?: { clientAcceptEncoding?: string } } = call.req.raw;
  const accepted = cf?.clientAcceptEncoding ?? call.req.header('accept-encoding') ?? '';
  return parseAccept(accepted.toLowerCase()).some(({ type, q }) => type === 'gzip' && q > 0);
}

/** Flushes each chunk, which `CompressionStream` does not: a message must not wait for the next. */
function compress(response: Response): Response {
  const zip: ReadableWritablePair = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH }));
  const headers = new Headers(response.headers);
  headers.set('Content-Encoding', 'gzip');
  // The host alone has this option: the body is compressed already.
  const options: ResponseInit & { encodeBody: string } = { headers, encodeBody: 'manual' };
  return new Response(response.body?.pipeThrough(zip), options);
}
