/** Answers of routes: JSON and lines. */
import { hash } from 'node:crypto';
import type { Call } from './route.ts';

/** Says of which day an answer is and, where that is too long ago, a warning, which it returns. */
export async function stampAge(call: Call): Promise<string | undefined> {
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
