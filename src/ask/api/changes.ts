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
import type { Question } from './endpoint.ts';
import { renderEvents } from './event-stream.ts';
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
