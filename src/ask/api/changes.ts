import { EventType } from '../../core/schemas/journal.ts';
import {
  changesAfter,
  changesFrom,
  filterChanges,
  isAbout,
  newestChange,
  type ChangeFilter,
} from '../published-changes.ts';
import { findRelease } from '../judge-version.ts';
import { requireComponent } from '../resolve.ts';
import type { PublishedChange } from '../published-index.ts';
import type { ApiSettings, Question } from './endpoint.ts';
import { parseTime, readStated } from './read-parameters.ts';
import { isNamed, ProblemError, respond } from './respond.ts';
import { parameters } from './parameters.ts';

/** `GET /export/v1/changes/since/{date}`. */
export async function answerChangesSince(question: Question): Promise<Response> {
  const { stated, index } = question;
  const now = Date.now();
  const since = readStated(parameters.date, stated, (text) => {
    const time = text === 'now' ? now : parseTime(text);
    return time !== undefined && time <= now ? time : undefined;
  })!;
  return answerChanges(question, changesFrom(index, since));
}

/** `GET /export/v1/changes/sinceChange`. */
export async function answerChangesSinceChange(question: Question): Promise<Response> {
  return answerChanges(question, await afterKnown(question, question.stated['id']!));
}

/** `GET /export/v1/releases/{component}/{version}/events`. */
export async function answerReleaseEvents(question: Question): Promise<Response> {
  const { stated, index } = question;
  const [component, version] = [stated['component']!, stated['version']!];
  const details = await requireComponent(index, component);
  const release = findRelease(details.releases, version);
  if (!release) throw new ProblemError(404, `${component} has no release ${JSON.stringify(version)}.`);
  const { types } = filterOf(stated);
  const isOfRelease = (change: PublishedChange) =>
    (isAbout(change, component) || isAbout(change, details.component)) && change.version === release.version;
  const found: PublishedChange[] = [];
  for await (const change of filterChanges(changesFrom(index, 0), { types }))
    if (isOfRelease(change)) found.push(change);
  const first = `event: Release\ndata: ${JSON.stringify({ component: details.component, ...release })}\n\n`;
  return respondStream(question, found, undefined, false, first);
}

/** One who comes back goes on behind what it saw last, whatever it asked for at first. */
async function answerChanges(question: Question, wanted: AsyncGenerator<PublishedChange>): Promise<Response> {
  const { request, stated, index } = question;
  const seen = stated['Last-Event-ID'];
  const all = seen === undefined ? wanted : await afterKnown(question, seen);
  const changes = filterChanges(all, filterOf(stated));
  const isOpen = stated['stream'] !== undefined && stated['stream'] !== 'false';
  const newestId = (await newestChange(index))?.id;
  const first = await changes.next();
  // That ends an EventSource, which would otherwise come back for ever.
  if (first.done && seen !== undefined && !isOpen) return respond(request, 204, null, headers);
  return respondStream(question, startingWith(first, changes), newestId, isOpen);
}

const headers = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

function respondStream(
  { request, settings }: Question,
  changes: AsyncIterable<PublishedChange> | readonly PublishedChange[],
  newestId: string | undefined,
  isOpen: boolean,
  begin = '',
): Response {
  // A stream that is compressed would hold its comments back.
  const isCompressed = !isOpen && isNamed(acceptedEncodings(request), 'gzip');
  const body = request.method === 'HEAD' ? null : renderEvents(changes, newestId, settings, isOpen, begin);
  return respond(request, 200, body, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    Vary: 'Accept-Encoding',
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
}

async function* startingWith(
  first: IteratorResult<PublishedChange, void>,
  rest: AsyncGenerator<PublishedChange>,
): AsyncGenerator<PublishedChange> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

function filterOf(stated: Question['stated']): ChangeFilter {
  const words = (text: string) => text.split(',').filter((word) => word !== '');
  const known: readonly string[] = EventType.options;
  return {
    components: stated['component'] === undefined ? undefined : words(stated['component']),
    types: readStated(parameters.types, stated, (text) => {
      const types = words(text);
      return types.length > 0 && types.every((type) => known.includes(type)) ? types : undefined;
    }),
  };
}

async function afterKnown({ index }: Question, id: string): Promise<AsyncGenerator<PublishedChange>> {
  const changes = await changesAfter(index, id);
  if (changes) return changes;
  const detail = `There is no change ${JSON.stringify(id.slice(0, 200))}. Ids never change, so that it is not one of this index. Read all: /export/v1/changes/since/0`;
  throw new ProblemError(404, detail);
}

/** The host replaces the header, and keeps what the client said. */
function acceptedEncodings({ cf, headers: stated }: Request & { cf?: { clientAcceptEncoding?: string } }) {
  return cf?.clientAcceptEncoding ?? stated.get('accept-encoding');
}

/** Many short events are sent in few chunks. */
const chunkLength = 2 ** 16;

/**
 * Changes as Server-Sent Events (html.spec.whatwg.org, section 9.2). Without any, an id without an event tells the
 * client where to resume. `isOpen`: afterwards the stream stays open, with comments, until its lifetime ends. `begin`:
 * messages before the first.
 */
function renderEvents(
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
