import type { AccessConfig } from '../../core/schemas/access-config.ts';
import {
  answerMetadata,
  deny,
  insufficientScope,
  metadataPath,
  strictTransport,
} from '../access/deny.ts';
import { createGuard, type Grant, type Guard } from '../access/guard.ts';
import { narrowFile, type NarrowedFile } from '../access/narrow-files.ts';
import { narrowIndex, type NarrowedIndex } from '../access/narrow-index.ts';
import { permissionFor, subjectOf, tokenPath } from '../access/subject.ts';
import { tokenEndpoint } from '../access/token-endpoint.ts';
import { createApi } from '../api/router.ts';
import { preflight, problem, respond } from '../api/respond.ts';
import { isForMcp } from '../mcp/connection.ts';
import { accessKeysOf, accessOf } from './access-of.ts';
import { readAsset, serve, settingsOf, viewOf, wholeView, type Env, type View } from './worker.ts';

let protection: { readonly access: AccessConfig; readonly guard: Guard } | undefined;

/** The Worker of a private index. With `everything`, the host sends each request here before it serves a file. */
async function answerAuthorized(request: Request, env: Env): Promise<Response> {
  protection ??= protect(env);
  if (!protection) {
    return problem(request, 503, 'The access configuration of the index is missing.');
  }
  const { access, guard } = protection;
  const isEverything = access.protect === 'everything';
  const { pathname } = new URL(request.url);
  const isMetadata = pathname === metadataPath;
  const isForTokens = pathname === tokenPath;
  // Browsers send preflights without a credential.
  if (request.method === 'OPTIONS' && (isEverything || isMetadata || isForTokens)) {
    return preflight(['GET', 'HEAD', 'POST', 'OPTIONS']);
  }
  if (isMetadata) {
    return answerMetadata(request, access, env.BASE_URL);
  }
  const isProtected =
    isEverything || isForTokens || (isForMcp(request) && request.method !== 'OPTIONS');
  if (!isProtected) {
    return serve(request, env);
  }
  const grant = await guard(request);
  if (grant instanceof Response) {
    return grant;
  }
  const refuse = (reason: 'no-permission' | 'not-visible') =>
    deny(request, reason, { baseUrl: env.BASE_URL, acceptsBasic: isEverything });
  if (isForTokens) {
    return asPrivate(await makeToken(request, env, grant));
  }
  const { permissions, lists } = grant.scope;
  if (!permissions.includes(permissionFor(request.method, pathname))) {
    return refuse('no-permission');
  }
  if (lists.length === 0) {
    return asPrivate(await serve(request, env));
  }
  const view = narrowedView(env, grant.scope);
  const subject = subjectOf(pathname);
  if (!(await view.index.shows(subject))) {
    return refuse('not-visible');
  }
  if (subject.kind === 'list' && ['GET', 'HEAD'].includes(request.method)) {
    const file = await narrowFile(subject.path, view.index, (path) => readAsset(env, path));
    if (file) {
      return asPrivate(answerFile(request, file));
    }
  }
  return asPrivate(await serve(request, env, view));
}

/** Adds the headers that the host adds to its files. */
function answerFile(request: Request, { type, body }: NarrowedFile): Response {
  return respond(request, 200, body, {
    'Content-Type': type,
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  });
}

async function makeToken(request: Request, env: Env, grant: Grant): Promise<Response> {
  const { index } = narrowedView(env, grant.scope);
  const answerToken = createApi([tokenEndpoint(grant, index, env.BASE_URL)]);
  const answer = (await answerToken(request, index, settingsOf(env)))!;
  if (answer.status === 403) {
    answer.headers.set('WWW-Authenticate', insufficientScope(env.BASE_URL));
  }
  return answer;
}

type NarrowedView = View & { readonly index: NarrowedIndex };

/** Limits memory: each view keeps the documents that it has read. */
const mostViews = 20;
const views = new Map<string, NarrowedView>();

function narrowedView(env: Env, { lists, permissions }: Grant['scope']): NarrowedView {
  const seesRuns = permissions.includes('accessDataWithoutAssociatedProject');
  const key = JSON.stringify([lists, seesRuns]);
  let view = views.get(key);
  if (!view) {
    const index = narrowIndex(
      wholeView(env).index,
      lists,
      (path) => readAsset(env, path),
      seesRuns,
    );
    view = { ...viewOf(index, env), index };
    if (views.size >= mostViews) {
      for (const oldest of views.keys().take(1)) {
        views.delete(oldest);
      }
    }
    views.set(key, view);
  }
  return view;
}

function protect(env: Env): typeof protection {
  const access = accessOf();
  if (!access) {
    return undefined;
  }
  const onTrouble = (message: string) => console.error(message);
  const guard = createGuard({ access, keys: accessKeysOf(env), baseUrl: env.BASE_URL, onTrouble });
  return { access, guard };
}

/** Lets only the client cache the answer. Keeps `no-store`. */
function asPrivate(answer: Response): Response {
  const response = new Response(answer.body, answer);
  const { headers } = response;
  const isSound = answer.ok || answer.status === 304;
  if (!headers.get('cache-control')?.includes('no-store')) {
    headers.set('Cache-Control', isSound ? 'private, max-age=3600' : 'no-store');
  }
  headers.append('Vary', 'Authorization');
  headers.set('Strict-Transport-Security', strictTransport);
  return response;
}

export default { fetch: answerAuthorized };
