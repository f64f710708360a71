import type { PublishedChange } from '../answers/published-index.ts';
import type { StreamSettings } from './api.ts';

/** After how many milliseconds a client comes back. */
const retryMs = 5000;

/** Many short texts make few chunks. */
const chunkLength = 2 ** 16;

/**
 * Changes as Server-Sent Events (html.spec.whatwg.org, section 9.2). Where there is none, an id without an event says from
 * where on a client goes on when it comes back. `open`: afterwards the stream stays open, with comments, for some time.
 */
export function renderEvents(
  changes: AsyncIterable<PublishedChange>,
  newestId: string | undefined,
  open: StreamSettings | undefined,
): ReadableStream<Uint8Array> {
  const texts = textsOf(changes, newestId, open);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return();
    },
  });
}

async function* textsOf(
  changes: AsyncIterable<PublishedChange>,
  newestId: string | undefined,
  open: StreamSettings | undefined,
): AsyncGenerator<string, void, void> {
  let waiting = `retry: ${retryMs}\n\n`;
  let isEmpty = true;
  for await (const change of changes) {
    isEmpty = false;
    waiting += `id: ${change.id}\nevent: Change\ndata: ${JSON.stringify(change)}\n\n`;
    if (waiting.length < chunkLength) continue;
    yield waiting;
    waiting = '';
  }
  if (isEmpty && newestId !== undefined) waiting += `id: ${newestId}\n\n`;
  yield waiting;
  if (!open) return;
  for (let passed = 0; passed < open.lifetimeMs; passed += open.heartbeatMs) {
    await new Promise((done) => setTimeout(done, open.heartbeatMs));
    yield ': still here\n\n';
  }
}
