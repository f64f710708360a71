/** Defines a route: its description, and how its requests are read. */
import type { Context, Hono, HonoRequest } from 'hono';
import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { type Item, readPurl } from '../../ask/item.ts';
import type { PublishedIndex } from '../../ask/published-index.ts';
import { isDay } from '../../core/day.ts';
import { isObject } from '../../core/objects.ts';
import { formatPackage } from '../../core/purl.ts';
import type { Permission } from '../../core/schema/access.ts';
import type { Access, Grant } from '../access/guard.ts';

/** The settings of an API. */
export interface ApiSettings {
  readonly index: PublishedIndex;
  /** The URL of the site, without a slash at its end. */
  readonly baseUrl: string;
  /** Checks credentials. Absent if the index is public. */
  readonly access?: Access | undefined;
  readonly streams: {
    readonly retryMs: number;
    readonly heartbeatMs: number;
    readonly lifetimeMs: number;
  };
  /** Answers requests of agents. */
  answerMcp(request: Request): Promise<Response>;
  /** Finds the page that a person sees for a path without a file. Undefined if a program sent the request. */
  findPage(request: Request): Promise<Response | undefined>;
}

export interface ApiEnv {
  Variables: { settings: ApiSettings; grant?: Grant };
}
export type Api = Hono<ApiEnv>;
export type Call = Context<ApiEnv>;

/** A request and its answer, in the form of `openapi.json`. */
export interface Operation<S extends Schemas = Schemas> {
  readonly method: 'get' | 'post';
  /** A path in the form of OpenAPI. `{namespace?}` may be left out with its slash. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The permission that a credential needs if the index is protected. Absent if the operation needs no credential. */
  readonly permission?: Permission;
  readonly request?: S;
  /** The schemas of the answer, by content type. */
  readonly returns: Shape;
}

/** A request that the Worker answers. */
export interface Route extends Operation {
  answer(call: Call): Promise<Response>;
}

/** Defines a route. `answer` gets the parameters, headers and body of the request, as the schemas convert them. */
export function defineRoute<S extends Schemas>({
  answer,
  ...operation
}: Operation<S> & {
  answer(asked: { call: Call; index: PublishedIndex } & Values<S>): Response | Promise<Response>;
}): Route {
  const readRequest = createReader(operation.request);
  return {
    ...operation,
    answer: async (call) =>
      answer({ call, index: call.get('settings').index, ...(await readRequest(call.req)) }),
  };
}

/** Lists a path with and without its optional part: `/a/{b}/c` and `/a/c` for `/a/{b?}/c`. */
export function listPaths(path: string): string[] {
  return [...new Set([path.replace('?}', '}'), path.replace(/\/\{\w+\?\}/, '')])];
}

/* Reads requests with the schemas of a route. */

/** The schemas of parameters, by name. */
export type Shape = Readonly<Record<string, z.ZodType>>;

interface Schemas {
  readonly params?: Shape;
  /** The parameters of the query string. Any other parameter is rejected. */
  readonly query?: Shape;
  readonly headers?: Shape;
  /** The members of a JSON object or a form. Any other member is rejected. */
  readonly body?: Shape;
}
type Values<S> = {
  readonly [Part in keyof S]: { readonly [Name in keyof S[Part]]: z.output<S[Part][Name]> };
};

/** Returns a function that reads a request. The function throws an `AskError` if a schema rejects a part of the request. */
function createReader<S extends Schemas>(
  schemas?: S,
): (request: HonoRequest) => Promise<Values<S>> {
  const { params = {}, query = {}, headers = {}, body } = schemas ?? {};
  const paramsSchema = z.object(params);
  const querySchema = createStrictSchema(query);
  const headersSchema = z.object(headers);
  const bodySchema = body && createStrictSchema(body);
  return async (request) => {
    // The type is right, because each field is the output of its schema.
    return {
      params: readPart(paramsSchema, request.param()),
      query: readPart(querySchema, readQuery(request)),
      headers: readPart(headersSchema, request.header()),
      body: bodySchema && readPart(bodySchema, await readBody(request)),
    } as Values<S>;
  };
}

function createStrictSchema(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  const expected = names === '' ? 'no parameters' : `only ${names}`;
  return z.strictObject(shape, { error: `expected ${expected}` });
}

/**
 * Rejects a text with many fields before it is parsed. Operations read only a few fields. Counts the characters that begin a field:
 * - in a query or a form: `&`
 * - in JSON: a bracket or a comma
 * - in multipart: `--` at the beginning of a line
 */
function limitFields(name: string, text: string): void {
  const count = text.split(/[&,[{]|\n--/).length;
  if (count > 100) {
    throw new AskError(400, `${name}: expected at most 100 fields; got ${count}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the query string. A repeated parameter becomes an array, which only the schema of a list parameter accepts. */
function readQuery(request: HonoRequest): Fields {
  limitFields('query string', request.url);
  const entries = Object.entries(request.queries());
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/**
 * Parses a part of a request. Throws an `AskError` with the first problem: `maxBuilds: expected a whole number from 1 to 1000; got "0"`.
 */
function readPart(schema: z.ZodType, fields: Fields): unknown {
  const { data, error } = schema.safeParse(fields);
  const [issue] = error?.issues ?? [];
  if (!issue) {
    return data;
  }

  const [parameter = ''] = issue.code === 'unrecognized_keys' ? issue.keys : issue.path.map(String);
  const got = JSON.stringify(fields[parameter])?.slice(0, 100) ?? 'nothing';
  throw new AskError(400, `${parameter}: ${issue.message}; got ${got}`, { parameter });
}

async function readBody(request: HonoRequest): Promise<Fields> {
  const type = (request.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  const text = await request.text();
  limitFields('body', text);
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') {
    return request.parseBody({ all: true }).catch(() => rejectBody(400));
  }

  if (text !== '' && type !== 'application/json') {
    rejectBody(415);
  }
  const body = parseBody(text || '{}');
  return isObject(body) ? body : rejectBody(400, `; got ${JSON.stringify(body).slice(0, 100)}`);
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return rejectBody(400);
  }
}

function rejectBody(status: 400 | 415, got = ''): never {
  throw new AskError(status, `body: expected a JSON object or a form${got}`);
}

export function textParameter(maxLength: number, expected: string, pattern?: RegExp) {
  const error = `expected ${expected}`;
  const text = z
    .string({ error })
    .max(maxLength, { error: `expected at most ${maxLength} characters` });
  return pattern ? text.regex(pattern, { error }) : text;
}

/** A parameter with several texts. They are separated by commas or blanks, or the parameter is repeated, or both. */
export const listParameter = z
  .preprocess(
    (texts) =>
      String(texts)
        .split(/[\s,]+/)
        .filter(Boolean),
    z.array(z.string()),
  )
  .meta({ type: 'array', items: { type: 'string' } });

export const versionParameter = textParameter(200, 'a version such as 2025.3', /^[^\s\p{Cc}]+$/u);

/** A time in milliseconds. A time in the future is rejected, because nothing can have been published then. */
export const sinceParameter = z
  .preprocess(
    (text) => readPastTime(String(text), Date.now()),
    z.number({
      error:
        'expected now, or a time up to now: milliseconds since 1970, or ISO 8601 such as 2026-01-31',
    }),
  )
  .meta({ type: 'string', example: '0' });

function readPastTime(text: string, now: number): number | undefined {
  if (text === 'now') {
    return now;
  }

  // A shorter number is rejected, because it is more likely a year, a date or seconds.
  const isNumber = /^(?:0|\d{12,15})$/.test(text);
  const day = text.slice(0, 10);
  const isIso = isDay(day) && (text === day || text[10] === 'T');
  const time = isNumber ? Number(text) : Date.parse(text);
  return (isNumber || isIso) && time <= now ? time : undefined;
}

/** The path of a package. If the package has no namespace, the slash after `{namespace?}` is also left out. */
export const packagePath = '/packages/{type}/{namespace?}/{name}/{version}';

export const packageSegments = {
  type: textParameter(
    200,
    'a type of package URLs, such as npm, maven or generic',
    /^[A-Za-z][A-Za-z0-9.-]*$/,
  ),
  namespace: textParameter(200, 'a namespace such as @scope').optional(),
  name: textParameter(200, 'the name of a package'),
  version: versionParameter,
};

/** Converts the segments of a path to the package that they name. */
export function toItem({
  type,
  namespace,
  name,
  version,
}: z.output<z.ZodObject<typeof packageSegments>>): Item {
  const path = namespace ? `${namespace}/${name}` : name;
  return readPurl(formatPackage(type.toLowerCase(), path), version);
}
