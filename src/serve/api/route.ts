import type { Context, Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import * as z from 'zod';
import type { Permission } from '../../core/schema/access.ts';
import type { Access, Grant } from '../access/guard.ts';
import { AskError, Denied } from '../errors.ts';
import type { PublishedIndex } from '../published-index.ts';

/** What the doors of an index answer from. */
export interface ApiSettings {
  readonly index: PublishedIndex;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Absent where the doors are public. */
  readonly access?: Access | undefined;
  readonly streams: {
    readonly retryMs: number;
    readonly heartbeatMs: number;
    readonly lifetimeMs: number;
  };
  /** Answers agents. */
  answerMcp(request: Request): Promise<Response>;
  /** The page for a path without a file; undefined where a program asks. */
  findPage(request: Request): Promise<Response | undefined>;
}

export interface ApiEnv {
  Variables: { settings: ApiSettings; grant?: Grant };
}
export type Api = Hono<ApiEnv>;
export type Call = Context<ApiEnv>;

/** Schemas by the names of parameters. */
export type Shape = Readonly<Record<string, z.ZodType>>;

interface Schemas {
  readonly params?: Shape;
  /** Any other parameter is rejected. */
  readonly query?: Shape;
  readonly headers?: Shape;
  /** Of a JSON object or a form; any other member is rejected. */
  readonly body?: Shape;
}
type Values<S> = {
  readonly [Part in keyof S]: { readonly [Name in keyof S[Part]]: z.output<S[Part][Name]> };
};

/** A request and its answer, as `openapi.json` describes them. */
export interface Operation<S extends Schemas = Schemas> {
  readonly method: 'get' | 'post';
  /** As in OpenAPI, beside `{namespace?}`, which may be left out with its slash. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** What a credential needs for it, where doors are protected; without one, it asks for none. */
  readonly permission?: Permission;
  readonly request?: S;
  /** By type of content. */
  readonly returns: Shape;
}

/** A request that the Worker answers. */
export interface Route extends Operation {
  answer(call: Call): Promise<Response>;
}

/** `answer` gets the values that the schemas of the request read. */
export function defineRoute<S extends Schemas>({
  answer,
  ...operation
}: Operation<S> & {
  answer(call: Call, input: Values<S>): Response | Promise<Response>;
}): Route {
  const { params = {}, query = {}, headers = {}, body }: Schemas = operation.request ?? {};
  const schemas = {
    params: z.object(params),
    query: createStrictSchema(query),
    headers: z.object(headers),
    body: body && createStrictSchema(body),
  };
  return {
    ...operation,
    async answer(call) {
      const input = {
        params: readPart(schemas.params, call.req.param()),
        query: readPart(schemas.query, readQuery(call)),
        headers: readPart(schemas.headers, call.req.header()),
        body: schemas.body && readPart(schemas.body, await readBody(call)),
      };
      // Each value is what its schema gave.
      return answer(call, input as Values<S>);
    },
  };
}

const limitBody = bodyLimit({
  maxSize: 1_000_000,
  onError: () => {
    throw new AskError(413, 'body: expected at most 1,000,000 bytes');
  },
});

/** Answers the requests of a route: checks the credential, then reads the request as the route describes it. */
export function addRoute(api: Api, { method, path, permission, answer }: Route): void {
  const paths = listPaths(path).map((each) => each.replaceAll(/\{(\w+)\}/g, ':$1'));
  api.on([method.toUpperCase()], paths, requirePermission(permission), limitBody, answer);
}

const bodyForm = 'expected a JSON object or a form';

function createStrictSchema(shape: Shape) {
  const names = Object.keys(shape).join(', ');
  const onlyNames = names === '' ? 'no parameters' : `only ${names}`;
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? `expected ${onlyNames}` : bodyForm),
  });
}

/** With and without what may be left out: `/a/{b}/c` and `/a/c` of `/a/{b?}/c`. */
export function listPaths(path: string): string[] {
  return [...new Set([path.replace('?}', '}'), path.replace(/\/\{\w+\?\}/, '')])];
}

/** Where the doors are protected, rejects a credential without a permission. */
function requirePermission(permission: Permission | undefined): MiddlewareHandler<ApiEnv> {
  return async (call, next) => {
    const { access } = call.get('settings');
    if (!access || !permission) {
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
  };
}

/**
 * Before a text is parsed: no operation reads more than a few fields, and none that are nested. The fields of a query or a form begin with
 * `&`, those of JSON with a bracket or a comma, those of multipart with a line.
 */
function limitFields(name: string, text: string): void {
  const count = text.split(/[&,[{]|\n--/).length;
  if (count > 100) {
    throw new AskError(400, `${name}: expected at most 100 fields; got ${count}`);
  }
}

/** A repeated parameter has an array, which only lists accept. */
function readQuery(call: Call): object {
  limitFields('query string', call.req.url);
  const entries = Object.entries(call.req.queries());
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** Throws an `AskError` for the first problem: `maxBuilds: expected a whole number from 1 to 1000; got "0"`. */
function readPart(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  if (!error) {
    return data;
  }

  const issue = error.issues[0]!;
  const [parameter] = issue.code === 'unrecognized_keys' ? issue.keys : issue.path.map(String);
  if (parameter === undefined) {
    throw new AskError(400, `body: ${issue.message}; got ${show(value)}`);
  }

  const got = show((value as Record<string, unknown>)[parameter]);
  throw new AskError(400, `${parameter}: ${issue.message}; got ${got}`, { parameter });
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100);
}

async function readBody(call: Call): Promise<unknown> {
  const type = (call.req.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  const text = await call.req.text();
  limitFields('body', text);
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') {
    return call.req.parseBody({ all: true }).catch(() => rejectBody(400));
  }

  if (text !== '' && type !== 'application/json') {
    rejectBody(415);
  }
  try {
    return JSON.parse(text || '{}');
  } catch {
    return rejectBody(400);
  }
}

function rejectBody(status: 400 | 415): never {
  throw new AskError(status, `body: ${bodyForm}`);
}
