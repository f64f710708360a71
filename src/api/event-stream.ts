import type { PublishedChange } from '../answers/published-index.ts';
import type { StreamSettings } from './api.ts';

/** Many short texts make few chunks. */
const chunkLength = 2 ** 16;

/**
 * Changes as Server-Sent Events (html.spec.whatwg.org, section 9.2). Where there is none, an id without an event says from
 * where on a client goes on when it comes back. `isOpen`: afterwards the stream stays open, with comments, for some time.
 */
export function renderEvents(
  changes: AsyncIterable<PublishedChange>,
  newestId: string | undefined,
  settings: StreamSettings,
  isOpen: boolean,
): ReadableStream<Uint8Array> {
  const texts = textsOf(changes, newestId, settings, isOpen);
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
  settings: StreamSettings,
  isOpen: boolean,
): AsyncGenerator<string, void, void> {
  let waiting = `retry: ${settings.retryMs}\n\n`;
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
  if (!isOpen) return;
  for (let passed = 0; passed < settings.lifetimeMs; passed += settings.heartbeatMs) {
    await new Promise((done) => setTimeout(done, settings.heartbeatMs));
    yield ': still here\n\n';
  }
}
