/** Sends the answers of routes, as JSON or as lines of JSON. */
import { hash } from 'node:crypto';
import type { Call } from './route.ts';

/** Adds a header with the date of the data. If the index is stale, adds a warning and returns it. */
export async function stampAge(call: Call): Promise<string | undefined> {
  const { asOf, staleness } = await call.get('settings').index.age();
  call.header('Release-Index-As-Of', asOf);
  if (staleness !== undefined) {
    addNote(call, staleness);
  }
  return staleness;
}

/** Adds a note to the headers. Characters that are not ASCII are percent-encoded. */
export function addNote(call: Call, text: string): void {
  const encoded = text.toWellFormed().replaceAll(/[^ -~]/gu, encodeURIComponent);
  call.header('Release-Index-Note', encoded, { append: true });
}

/**
 * Sends JSON that is made from the site's files. Caches may keep these files for an hour, so they may also keep the answer for an hour.
 * `maxAge`: in seconds; 0 if the answer depends on the time of the request.
 */
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

/** Sends a JSON array, or one element per line if the client accepts `application/x-ndjson`. */
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
