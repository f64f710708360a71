/** Answers with Server-Sent Events. */
import { stream } from 'hono/streaming';
import { parseAccept } from 'hono/utils/accept';
import { Duplex } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { stampAge } from '../api/answers.ts';
import type { Call } from '../api/route.ts';
import type { Message } from './builds.ts';

/**
 * Sends Server-Sent Events (html.spec.whatwg.org, section 9.2). `newestId`: the id of the newest build. If there are no messages, the
 * client gets this id and can resume from it.
 */
export async function sendMessages(
  call: Call,
  messages: readonly Message[],
  newestId?: string,
): Promise<Response> {
  // With this parameter, the answer stays open for some minutes, with a comment at each heartbeat.
  const isOpen = call.req.query('stream') !== undefined;
  call.header('Cache-Control', 'no-store, no-transform');
  // Status 204 makes an EventSource stop. Otherwise it would reconnect for ever.
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

/** Tells whether the client accepts gzip. Cloudflare replaces `Accept-Encoding`, and keeps the client's value in `cf`. */
function acceptsGzip(call: Call): boolean {
  const { cf }: Request & { cf?: { clientAcceptEncoding?: string } } = call.req.raw;
  const accepted = cf?.clientAcceptEncoding ?? call.req.header('accept-encoding') ?? '';
  return parseAccept(accepted.toLowerCase()).some(({ type, q }) => type === 'gzip' && q > 0);
}

/** Compresses a response and flushes each chunk, so that no message waits for the next one. `CompressionStream` does not flush. */
function compress(response: Response): Response {
  const zip: ReadableWritablePair = Duplex.toWeb(createGzip({ flush: constants.Z_SYNC_FLUSH }));
  const headers = new Headers(response.headers);
  headers.set('Content-Encoding', 'gzip');
  // `encodeBody` is an option only of Cloudflare. It says that the body is already compressed.
  const options: ResponseInit & { encodeBody: string } = { headers, encodeBody: 'manual' };
  return new Response(response.body?.pipeThrough(zip), options);
}
