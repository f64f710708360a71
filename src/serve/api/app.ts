import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { STATUS_CODES } from 'node:http';
import { createChallenge } from '../access/guard.ts';
import { AskError, Denied } from '../errors.ts';
import { addRoute, type Api, type ApiEnv, type ApiSettings, type Call } from './route.ts';
import { routes } from './routes.ts';

/** Answers every request for which there is no file. */
export function createApi(settings: ApiSettings): Api {
  const api = new Hono<ApiEnv>();
  api.use(async (call, next) => {
    call.set('settings', settings);
    await next();
    call.header('X-Content-Type-Options', 'nosniff');
  });
  api.use(
    cors({
      origin: '*',
      allowMethods: ['GET', 'POST'],
      exposeHeaders: ['*'],
      maxAge: 86_400,
    }),
  );
  api.use(methodNotAllowed({ app: api, onMethodNotAllowed: rejectMethod }));
  for (const route of routes) {
    addRoute(api, route);
  }
  api.onError(answerError);
  api.notFound(async (call) => {
    const page = await settings.findPage(call.req.raw);
    return (
      page ??
      answerProblem(call, 404, 'There is nothing at this path. openapi.json lists what there is.')
    );
  });
  return api;
}

function rejectMethod(call: Call, methods: readonly string[]): Response {
  return answerProblem(
    call,
    405,
    `${call.req.method} is not allowed here, only ${methods.join(' and ')}.`,
    undefined,
    { Allow: [...methods, 'OPTIONS'].join(', ') },
  );
}

function answerError(error: Error, call: Call): Response {
  if (error instanceof Denied) {
    return answerDenied(call, error);
  }
  if (error instanceof AskError) {
    return answerProblem(call, error.status, error.message, error.members);
  }

  console.error(error);
  return answerProblem(call, 500, 'The program failed. Its log says why.');
}

function answerDenied(call: Call, denied: Denied): Response {
  const { status, message } = denied;
  const isChallenged = status === 401 || status === 403;
  const challenge = isChallenged && createChallenge(denied, call.get('settings').baseUrl);
  return answerProblem(call, status, message, undefined, {
    Vary: 'Authorization',
    ...(challenge && { 'WWW-Authenticate': challenge }),
  });
}

/** An error in the form of RFC 9457, which nobody caches. */
function answerProblem(
  call: Call,
  status: number,
  detail: string,
  members?: object,
  headers?: Readonly<Record<string, string>>,
): Response {
  const instance = call.req.path;
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    ...members,
    instance,
  };
  return call.body(`${JSON.stringify(problem)}\n`, status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(status === 503 && { 'Retry-After': '10' }),
    ...headers,
  });
}
