import { changesAfter, changesFrom, newestChange } from '../published-changes.ts';
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

/** A client that reconnects resumes after the last event it received. */
async function answerChanges(question: Question, wanted: AsyncGenerator<PublishedChange>): Promise<Response> {
  const { request, stated, index, settings } = question;
  const seen = stated['Last-Event-ID'];
  const changes = seen === undefined ? wanted : await afterKnown(question, seen);
  const isOpen = stated['stream'] !== undefined && stated['stream'] !== 'false';
  const headers = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };
  const newestId = (await newestChange(index))?.id;
  // Ends an EventSource, which otherwise reconnects for ever.
  if (seen !== undefined && seen === newestId && !isOpen) return respond(request, 204, null, headers);
  // Compression would buffer the comments of an open stream.
  const isCompressed = !isOpen && isNamed(acceptedEncodings(request), 'gzip');
  return respond(
    request,
    200,
    request.method === 'HEAD' ? null : renderEvents(changes, newestId, settings, isOpen),
    {
      ...headers,
      'Content-Type': 'text/event-stream; charset=utf-8',
      Vary: 'Accept-Encoding',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    },
  );
}

async function afterKnown({ index }: Question, id: string): Promise<AsyncGenerator<PublishedChange>> {
  const changes = await changesAfter(index, id);
  if (changes) return changes;
  const detail = `There is no change ${JSON.stringify(id.slice(0, 200))}: it was removed by a correction, or never existed. Read all: /export/v1/changes/since/0`;
  throw new ProblemError(404, detail);
}

/** The host replaces the header and keeps the original in `cf`. */
function acceptedEncodings({ cf, headers }: Request & { cf?: { clientAcceptEncoding?: string } }) {
  return cf?.clientAcceptEncoding ?? headers.get('accept-encoding');
}
