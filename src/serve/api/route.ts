import type { Context, Hono } from 'hono';
import type { Permission } from '../../core/schema/access.ts';
import type { Access, Grant } from '../access/guard.ts';
import type { PublishedIndex } from '../published-index.ts';
import { createReader, type Schemas, type Shape, type Values } from './request.ts';

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
  answer(asked: { call: Call; index: PublishedIndex } & Values<S>): Response | Promise<Response>;
}): Route {
  const readRequest = createReader(operation.request);
  return {
    ...operation,
    answer: async (call) =>
      answer({ call, index: call.get('settings').index, ...(await readRequest(call.req)) }),
  };
}

/** With and without what may be left out: `/a/{b}/c` and `/a/c` of `/a/{b?}/c`. */
export function listPaths(path: string): string[] {
  return [...new Set([path.replace('?}', '}'), path.replace(/\/\{\w+\?\}/, '')])];
}
