import * as z from 'zod';
import { computeSha256 } from '../../core/digest.ts';
import { isDay } from '../../core/day.ts';
import { AskError } from '../errors.ts';
import type { Call } from './route.ts';

export function textParameter(maxLength: number, expected: string, pattern?: RegExp) {
  const error = `expected ${expected}`;
  const text = z
    .string({ error })
    .max(maxLength, { error: `expected at most ${maxLength} characters` });
  return pattern ? text.regex(pattern, { error }) : text;
}

/** Values separated by commas, in repeated parameters, or both. */
export const listParameter = z
  .preprocess(
    (stated) =>
      String(stated)
        .split(/[\s,]+/)
        .filter(Boolean),
    z.array(z.string()),
  )
  .meta({ type: 'array', items: { type: 'string' } });

export const versionParameter = textParameter(200, 'a version such as 2025.3', /^[^\s\p{Cc}]+$/u);

const timeForm = 'a time up to now: milliseconds since 1970, or ISO 8601 such as 2026-01-31';

/** A time up to now in milliseconds: nothing was published later. Shorter numbers are rather a year, a day or seconds. */
function readPastTime(text: string): number | undefined {
  const isNumber = /^(?:0|\d{12,15})$/.test(text);
  const isIso = isDay(text.slice(0, 10)) && /^.{10}(?:$|T)/.test(text);
  const time = isNumber ? Number(text) : Date.parse(text);
  return (isNumber || isIso) && time <= Date.now() ? time : undefined;
}

function timeParameter(expected: string, read: (text: string) => number | undefined) {
  const error = `expected ${expected}`;
  return z
    .preprocess((text) => read(String(text)), z.number({ error }))
    .meta({ type: 'string', example: '0' });
}

export const sinceParameter = timeParameter(`now, or ${timeForm}`, (text) =>
  text === 'now' ? Date.now() : readPastTime(text),
);

const sizeError = { error: 'expected a whole number from 1 to 1000' };
const afterForm = 'the value in a link to the next page';

/** Of a list in pages, which a query selects. */
export const pageParameters = {
  query: textParameter(2000, 'a query').default(''),
  since: timeParameter(timeForm, readPastTime).optional(),
  size: z.coerce
    .number(sizeError)
    .int(sizeError)
    .min(1, sizeError)
    .max(1000, sizeError)
    .default(100),
  after: textParameter(300, afterForm).optional(),
};

/** Says of which day an answer is, and whether that is too long ago. Returns the latter. */
export async function stampAge(call: Call): Promise<string | undefined> {
  const { asOf, staleness } = await call.get('settings').index.age();
  call.header('Release-Index-As-Of', asOf);
  if (staleness !== undefined) {
    call.header('Release-Index-Note', staleness, { append: true });
  }
  return staleness;
}

/** For an hour, like a file: the answer follows from files alone, unless it depends on the time of the request. */
export async function sendJson(call: Call, body: object, maxAge = 3600): Promise<Response> {
  await stampAge(call);
  const text = JSON.stringify(body);
  const tag = `"${await computeSha256(text)}"`;
  call.header('Cache-Control', `public, max-age=${maxAge}`);
  call.header('ETag', tag);
  if (call.req.header('if-none-match')?.includes(tag)) {
    return call.body(null, 304);
  }

  return call.body(text, 200, { 'Content-Type': 'application/json' });
}

export async function sendElements(call: Call, items: readonly object[]): Promise<Response> {
  await stampAge(call);
  const isInLines = /application\/x-ndjson/i.test(call.req.header('accept') ?? '');
  const lines = isInLines ? items.map((item) => JSON.stringify(item)) : [JSON.stringify(items)];
  return call.body(`${lines.join('\n')}\n`, 200, {
    'Content-Type': isInLines ? 'application/x-ndjson' : 'application/json',
    Vary: 'Accept',
    'Cache-Control': 'no-store',
  });
}

/** The elements of a list behind `after`, the last one of the page before, and a link to the next page. */
export function cutPage<Item>(
  call: Call,
  items: readonly Item[],
  { after, size }: { after: string | undefined; size: number },
  nameItem: (item: Item) => string,
): readonly Item[] {
  const start = after === undefined ? 0 : items.findIndex((item) => nameItem(item) === after) + 1;
  if (after !== undefined && start === 0) {
    throw new AskError(400, `after: expected ${afterForm}`, { parameter: 'after' });
  }

  const end = start + size;
  const page = items.slice(start, end);
  if (items.length > end) {
    const next = new URL(call.req.url);
    next.searchParams.set('after', nameItem(page.at(-1)!));
    const { baseUrl } = call.get('settings');
    call.header('Link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`);
  }
  return page;
}
