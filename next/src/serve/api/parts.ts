import * as z from 'zod';
import { etag, RETAINED_304_HEADERS } from 'hono/etag';
import { createMiddleware } from 'hono/factory';
import type { Permission } from '../../core/schema/access.ts';
import { Denied } from '../access/guard.ts';
import type { ApiEnv, Call } from './app.ts';

/** The query of a request, which rejects any other parameter. */
export function query<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `expected ${names === '' ? 'no parameters' : `only ${names}`}`
        : undefined,
  });
}

export function text(maxLength: number, expected: string, pattern = /^/) {
  return z
    .string({ error: `expected ${expected}` })
    .max(maxLength, { error: `expected at most ${maxLength} characters` })
    .regex(pattern, { error: `expected ${expected}` });
}

/** Values separated by commas, in repeated parameters, or both. */
export function list(expected: string, pattern?: RegExp) {
  const values = text(1000, expected, pattern);
  return z
    .union([values, z.array(values)])
    .transform((given) =>
      [given]
        .flat()
        .join(',')
        .split(',')
        .map((value) => value.trim())
        .filter((value) => value !== ''),
    )
    .meta({ type: 'array', items: { type: 'string' } });
}

export function pageSize(noun: string) {
  const error = 'expected a whole number from 1 to 1000';
  return z.coerce
    .number({ error })
    .int({ error })
    .min(1, { error })
    .max(1000, { error })
    .default(100)
    .describe(`The most ${noun} in an answer.`);
}

const timeForm = 'a time up to now: milliseconds since 1970, or ISO 8601 such as 2026-01-31';

/** A time up to now in milliseconds: nothing was published later. Shorter numbers are rather a year, a day or seconds. */
function readPastTime(given: string): number | undefined {
  const isNumber = /^(?:0|\d{12,15})$/.test(given);
  const time = isNumber
    ? Number(given)
    : /^\d{4}-\d\d-\d\d(?:$|T)/.test(given)
      ? Date.parse(given)
      : NaN;
  return time <= Date.now() ? time : undefined;
}

export const PastTime = text(40, timeForm)
  .refine((given) => readPastTime(given) !== undefined, { error: `expected ${timeForm}` })
  .transform((given) => readPastTime(given)!)
  .meta({ type: 'string', example: '0' });

/** The same, or `now`. */
export const Since = text(40, `now, or ${timeForm}`)
  .refine((given) => given === 'now' || readPastTime(given) !== undefined, {
    error: `expected now, or ${timeForm}`,
  })
  .transform((given) => readPastTime(given) ?? Date.now())
  .meta({ type: 'string', example: '0' });

const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong, and the remedy.'),
    parameter: z.string().optional(),
    position: z.int().optional().describe('The first wrong character of a query, from 1.'),
    expected: z.string().optional(),
    instance: z.string().optional(),
  })
  .meta({ id: 'Problem' });

export const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: Problem } },
});
export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});
export const problems = { default: problem('An error (RFC 9457).') };

/** What a route needs where its door is protected, for requests and in `openapi.json`. */
export function needs(permission: Permission) {
  const middleware = createMiddleware<ApiEnv>(async (call, next) => {
    const { access } = call.get('settings');
    if (!access) {
      return next();
    }

    const grant = await access.check(call.req.raw, permission);
    if (!grant.permissions.includes(permission)) {
      throw new Denied('no-permission');
    }
    call.set('grant', grant);
    await next();
    call.header('Vary', 'Authorization', { append: true });
    call.header('Cache-Control', 'private, no-store');
  });
  return { middleware, security: [{}, { bearer: [permission] }] };
}

/** The answer for an hour, like a file: it follows from files alone. */
export const hashed = etag({
  retainedHeaders: [
    ...RETAINED_304_HEADERS,
    'access-control-allow-origin',
    'access-control-expose-headers',
  ],
});

export async function sendJson<Body>(call: Call, body: Body) {
  const { asOf, staleAfterDays } = await call.get('settings').index.status();
  call.header('Release-Index-As-Of', asOf);
  if (Date.now() - Date.parse(asOf) > (staleAfterDays + 1) * 86_400_000) {
    call.header('Release-Index-Note', `last updated on ${asOf}.`, { append: true });
  }
  call.header('Cache-Control', 'public, max-age=3600');
  return call.json(body, 200);
}

/** The first elements of a list behind `after`, and a link to the next page. */
export function cutPage<Item>(
  call: Call,
  items: readonly Item[],
  size: number,
  nameItem: (item: Item) => string,
): Item[] {
  const page = items.slice(0, size);
  if (items.length > page.length) {
    const { pathname, search } = new URL(call.req.url);
    const next = new URL(`${call.get('settings').baseUrl}${pathname}${search}`);
    next.searchParams.set('after', nameItem(page.at(-1)!));
    call.header('Link', `<${next.href}>; rel="next"`);
  }
  return page;
}
