import type * as z from 'zod';
import { Api as Routes } from './route.ts';
import { STATUS_CODES } from 'node:http';
import type { Context } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { createChallenge, Denied, type Access, type Grant } from '../access/guard.ts';
import { AskError } from '../errors.ts';
import type { PublishedIndex } from '../index.ts';
import { addBuilds } from './builds.ts';
import { addComponents } from './components.ts';
import { addExports } from './exports.ts';
import { addPackages } from './packages.ts';
import { addReleases } from './releases.ts';
import { addTokens } from './token.ts';

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
}

export interface ApiEnv {
  Variables: { settings: ApiSettings; grant?: Grant };
}
export type Api = Routes<ApiEnv>;
export type Call = Context<ApiEnv>;

/** Answers every request for which there is no file. */
export function createApi(settings: ApiSettings): Api {
  const api: Api = new Routes(rejectInvalid);

  api.use(async (call, next) => {
    call.set('settings', settings);
    await next();
    call.header('X-Content-Type-Options', 'nosniff');
  });
  api.use(
    cors({
      origin: '*',
      allowHeaders: [
        'Authorization',
        'Content-Type',
        'If-None-Match',
        'Last-Event-ID',
        'Mcp-Protocol-Version',
        'Mcp-Method',
        'Mcp-Name',
      ],
      exposeHeaders: [
        'ETag',
        'Link',
        'Retry-After',
        'WWW-Authenticate',
        'Deprecation',
        'Sunset',
        'Release-Index-As-Of',
        'Release-Index-Note',
      ],
      maxAge: 86_400,
    }),
  );
  api.use(
    methodNotAllowed({
      app: api,
      onMethodNotAllowed: (call, methods) =>
        answerProblem(
          call,
          405,
          `${call.req.method} is not allowed here, only ${methods.join(' and ')}.`,
          { headers: { Allow: [...methods, 'OPTIONS'].join(', ') } },
        ),
    }),
  );

  addReleases(api);
  addComponents(api);
  addBuilds(api);
  addExports(api);
  addPackages(api);
  addTokens(api);

  api.onError(answerError);
  api.notFound((call) =>
    answerProblem(call, 404, 'There is nothing at this path. openapi.json lists what there is.'),
  );
  return api;
}

function answerError(error: Error, call: Call): Response {
  if (error instanceof AskError) {
    const headers = error.status === 503 ? { 'Retry-After': '10' } : undefined;
    return answerProblem(call, error.status, error.message, { members: error.members, headers });
  }
  if (error instanceof Denied) {
    const { status, message } = error;
    const headers: Record<string, string> = { Vary: 'Authorization' };
    if (status === 401 || status === 403) {
      headers['WWW-Authenticate'] = createChallenge(error, call.get('settings').baseUrl);
    } else if (status === 503) {
      headers['Retry-After'] = '10';
    }
    return answerProblem(call, status, message, { headers });
  }
  if (error instanceof HTTPException) {
    return answerProblem(call, error.status, error.message);
  }

  console.error(error);
  return answerProblem(call, 500, 'The program failed. Its log says why.');
}

/** The first problem of a request: `maxBuilds: expected a whole number from 1 to 1000; got "0"`. */
function rejectInvalid(issue: z.core.$ZodIssue, given: unknown, call: Call): Response {
  const [parameter = issue.code === 'unrecognized_keys' ? issue.keys[0]! : 'body'] =
    issue.path.map(String);
  const got = (given as Record<string, unknown> | undefined)?.[parameter];
  const shown = got === undefined ? 'nothing' : JSON.stringify(got).slice(0, 100);
  return answerProblem(call, 400, `${parameter}: ${issue.message}; got ${shown}`, {
    members: { parameter, expected: issue.message.replace('expected ', '') },
  });
}

/** RFC 9110 has another name for 413 than Node. */
const titles: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: 'Content Too Large',
};

/** An error in the form of RFC 9457, which nobody caches. */
export function answerProblem(
  call: Context,
  status: number,
  detail: string,
  {
    members,
    headers,
  }: { members?: object; headers?: Readonly<Record<string, string>> | undefined } = {},
): Response {
  const problem = {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    ...members,
    instance: call.req.path,
  };
  return call.body(`${JSON.stringify(problem)}\n`, status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...headers,
  });
}
