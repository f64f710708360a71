/** Reads the parts of a request by the schemas of its route. */
import type { HonoRequest } from 'hono';
import * as z from 'zod';
import { isObject } from '../../core/objects.ts';
import { AskError } from '../errors.ts';

/** Schemas by the names of parameters. */
export type Shape = Readonly<Record<string, z.ZodType>>;

export interface Schemas {
  readonly params?: Shape;
  /** Any other parameter is rejected. */
  readonly query?: Shape;
  readonly headers?: Shape;
  /** Of a JSON object or a form; any other member is rejected. */
  readonly body?: Shape;
}
export type Values<S> = {
  readonly [Part in keyof S]: { readonly [Name in keyof S[Part]]: z.output<S[Part][Name]> };
};

/** What reads a request. It throws an `AskError` for the first value that its schema rejects. */
export function createReader<S extends Schemas>(
  schemas?: S,
): (request: HonoRequest) => Promise<Values<S>> {
  const { params = {}, query = {}, headers = {}, body } = schemas ?? {};
  const paramsSchema = z.object(params);
  const querySchema = createStrictSchema(query);
  const headersSchema = z.object(headers);
  const bodySchema = body && createStrictSchema(body);
  return async (request) => {
    // Each value is what its schema gave.
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
 * Before a text is parsed: no operation reads more than a few fields, and none that are nested. The fields of a query or a form begin with
 * `&`, those of JSON with a bracket or a comma, those of multipart with a line.
 */
function limitFields(name: string, text: string): void {
  const count = text.split(/[&,[{]|\n--/).length;
  if (count > 100) {
    throw new AskError(400, `${name}: expected at most 100 fields; got ${count}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A repeated parameter has an array, which only lists accept. */
function readQuery(request: HonoRequest): Fields {
  limitFields('query string', request.url);
  const entries = Object.entries(request.queries());
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

/** Throws an `AskError` for the first problem: `maxBuilds: expected a whole number from 1 to 1000; got "0"`. */
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
  const body: unknown = await Promise.try(JSON.parse, text || '{}').catch(() => rejectBody(400));
  return isObject(body) ? body : rejectBody(400, `; got ${JSON.stringify(body).slice(0, 100)}`);
}

function rejectBody(status: 400 | 415, got = ''): never {
  throw new AskError(status, `body: expected a JSON object or a form${got}`);
}
