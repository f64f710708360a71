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
  const detail = `${call.req.method} is not allowed here, only ${methods.join(' and ')}.`;
  call.header('Allow', [...methods, 'OPTIONS'].join(', '));
  return answerProblem(call, 405, detail);
}

function answerError(error: Error, call: Call): Response {
  if (error instanceof Denied) {
    call.header('Vary', 'Authorization');
    if (error.status === 401 || error.status === 403) {
      call.header('WWW-Authenticate', createChallenge(error, call.get('settings').baseUrl));
    }
  }
  if (error instanceof AskError) {
    return answerProblem(call, error.status, error.message, error.members);
  }

  console.error(error);
  return answerProblem(call, 500, 'The program failed. Its log says why.');
}

/** An error in the form of RFC 9457, which nobody caches. */
function answerProblem(call: Call, status: number, detail: string, members?: object): Response {
  const title = STATUS_CODES[status];
  const instance = call.req.path;
  const problem = { type: 'about:blank', title, status, detail, ...members, instance };
  if (status === 503) {
    call.header('Retry-After', '10');
  }
  // All are statuses of errors, which may have a body.
  return call.body(`${JSON.stringify(problem)}\n`, status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  });
}
