import type { PublishedChange } from '../published-index.ts';
import type { ApiSettings } from './endpoint.ts';

/** Many short events are sent in few chunks. */
const chunkLength = 2 ** 16;

/**
 * Changes as Server-Sent Events (html.spec.whatwg.org, section 9.2). Without any, an id without an event tells the
 * client where to resume. `isOpen`: afterwards the stream stays open, with comments, until its lifetime ends. `begin`:
 * messages before the first.
 */
export function renderEvents(
  changes: AsyncIterable<PublishedChange> | readonly PublishedChange[],
  newestId: string | undefined,
  settings: ApiSettings,
  isOpen: boolean,
  begin = '',
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const texts = textsOf(changes, newestId, settings, isOpen ? gone.signal : undefined, begin);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => gone.abort(),
  });
}

/** `gone`: ends a stream that would stay open. */
async function* textsOf(
  changes: AsyncIterable<PublishedChange> | readonly PublishedChange[],
  newestId: string | undefined,
  { retryMs, heartbeatMs, lifetimeMs }: ApiSettings,
  gone: AbortSignal | undefined,
  begin: string,
): AsyncGenerator<string, void, void> {
  let waiting = `retry: ${retryMs}\n\n${begin}`;
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
  if (!gone) return;
  for (let passed = 0; passed < lifetimeMs; passed += heartbeatMs) {
    await sleep(heartbeatMs, gone);
    if (gone.aborted) return;
    yield ': still here\n\n';
  }
}

function sleep(ms: number, gone: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    gone.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
