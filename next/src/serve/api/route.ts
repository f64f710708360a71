import { Hono, type Context, type Env, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';

/** A request that the Worker answers, and its description in `openapi.json`. */
export interface Route {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operationId?: string;
  readonly summary: string;
  readonly middleware?: MiddlewareHandler<any> | MiddlewareHandler<any>[];
  readonly security?: readonly object[];
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly headers?: z.ZodType;
    readonly body?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
      }
    >
  >;
}

type Valid<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Part<R extends Route, Name extends 'params' | 'query' | 'headers'> = R extends {
  request: { [K in Name]: infer Schema };
}
  ? Valid<Schema>
  : undefined;
type Body<R extends Route> = R extends {
  request: { body: { content: Record<string, { schema: infer Schema }> } };
}
  ? Valid<Schema>
  : undefined;

export interface Input<R extends Route> {
  readonly params: Part<R, 'params'>;
  readonly query: Part<R, 'query'>;
  readonly headers: Part<R, 'headers'>;
  readonly body: Body<R>;
}

export const createRoute = <const R extends Route>(route: R): R => route;

/** Reads and checks a request as its route describes it. `reject` makes the answer of the first problem. */
export class Api<E extends Env> extends Hono<E> {
  readonly routesDescribed: Route[] = [];
  readonly #reject: (issue: z.core.$ZodIssue, got: unknown, call: Context<E>) => Response;

  constructor(reject: (issue: z.core.$ZodIssue, got: unknown, call: Context<E>) => Response) {
    super();
    this.#reject = reject;
  }

  add<const R extends Route>(
    route: R,
    answer: (call: Context<E>, input: Input<R>) => Promise<Response> | Response,
  ): void {
    this.routesDescribed.push(route);
    const { params, query, headers, body } = route.request ?? {};
    this.on(
      [route.method.toUpperCase()],
      [route.path.replaceAll(/\{(\w+)\}/g, ':$1')],
      ...[route.middleware ?? []].flat(),
      async (call: Context<E>) => {
        const lists = Object.entries(call.req.queries()).map(([name, values]) => [
          name,
          values.length === 1 ? values[0] : values,
        ]);
        const given = {
          params: call.req.param(),
          query: Object.fromEntries(lists),
          headers: call.req.header(),
          body: body && (await readBody(call)),
        };
        const input: Record<string, unknown> = {};
        const schemas = {
          params,
          query,
          headers,
          body: body && Object.values(body.content)[0]!.schema,
        };
        for (const [part, schema] of Object.entries(schemas)) {
          const value = given[part as keyof typeof given];
          const result = schema?.safeParse(value);
          if (result && !result.success) {
            return this.#reject(result.error.issues[0]!, value, call);
          }
          input[part] = result?.data;
        }
        return answer(call, input as unknown as Input<R>);
      },
    );
  }
}

async function readBody(call: Context): Promise<unknown> {
  const type = (call.req.header('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase();
  const text = type.startsWith('multipart/') ? undefined : await call.req.text();
  if (text === '') {
    return {};
  }
  if (type === 'application/json') {
    try {
      return JSON.parse(text!);
    } catch {
      throw new HTTPException(400, { message: 'body: expected a JSON object' });
    }
  }
  if (type === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(text));
  }
  if (type === 'multipart/form-data') {
    return call.req.parseBody();
  }
  throw new HTTPException(415, { message: 'body: expected application/json or a form' });
}
