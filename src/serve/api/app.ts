import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { STATUS_CODES } from 'node:http';
import { AskError } from '../../ask/ask-error.ts';
import type { Permission } from '../../core/schema/access.ts';
import { Denied } from '../access/denied.ts';
import { createChallenge } from '../access/guard.ts';
import { listPaths, type Api, type ApiEnv, type ApiSettings, type Call } from './route.ts';
import { routes } from './routes.ts';

/** Creates the HTTP API, which answers every request for a path without a file. */
export function createApi(settings: ApiSettings): Api {
  const api = new Hono<ApiEnv>({ strict: false });
  api.use(async (call, next) => {
    call.set('settings', settings);
    await next();
    call.header('X-Content-Type-Options', 'nosniff');
  });
  api.use(
    cors({ origin: '*', allowMethods: ['GET', 'POST'], exposeHeaders: ['*'], maxAge: 86_400 }),
  );
  api.use(methodNotAllowed({ app: api, onMethodNotAllowed: rejectMethod }));
  for (const { method, path, permission, answer } of routes) {
    const paths = listPaths(path).map(toPattern);
    // The credential is checked before the route reads the request.
    api.on(method.toUpperCase(), paths, requirePermission(permission), limitBody, answer);
  }
  api.onError(answerError);
  api.notFound(async (call) => {
    const detail = 'There is nothing at this path. openapi.json lists what there is.';
    return (await settings.findPage(call.req.raw)) ?? answerProblem(call, 404, detail);
  });
  return api;
}

/**
 * Converts a path to Hono's form. If an extension follows a parameter, Hono needs one pattern that matches both: `{line}.json` becomes
 * `:line{[^/]+\.json}`.
 */
function toPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}(\.\w+)?/g, (_, name: string, ending?: string) => {
    return ending === undefined ? `:${name}` : `:${name}{[^/]+\\${ending}}`;
  });
}

function rejectMethod(call: Call, methods: readonly string[]): Response {
  const detail = `${call.req.method} is not allowed here, only ${methods.join(' and ')}.`;
  call.header('Allow', [...methods, 'OPTIONS'].join(', '));
  return answerProblem(call, 405, detail);
}

/**
 * Rejects a body of over a megabyte. The body is first read to its end. Otherwise a client that is still sending would lose the answer and
 * its connection.
 */
const limitBody: MiddlewareHandler<ApiEnv> = async ({ req }, next) => {
  if (!req.raw.body) {
    return next();
  }

  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.raw.body) {
    size += chunk.length;
    if (size <= 1_000_000) {
      chunks.push(chunk);
    }
  }
  if (size > 1_000_000) {
    throw new AskError(413, 'body: expected at most 1,000,000 bytes');
  }
  req.raw = new Request(req.raw, { method: req.method, body: Buffer.concat(chunks) });
  await next();
};

/** Rejects a request whose credential does not have a permission, if the index is protected. */
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

/** Answers with an error in the form of RFC 9457, and with `no-store`. */
function answerProblem(
  call: Call,
  status: AskError['status'] | 405 | 500,
  detail: string,
  members?: object,
): Response {
  const title = STATUS_CODES[status];
  const instance = call.req.path;
  const problem = { type: 'about:blank', title, status, detail, ...members, instance };
  if (status === 503) {
    call.header('Retry-After', '10');
  }
  return call.body(`${JSON.stringify(problem)}\n`, status, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  });
}
