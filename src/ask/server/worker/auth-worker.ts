import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { createChallenge, deny, answerMetadata, metadataPath } from '../access/deny.ts';
import { createGuard, type Grant, type Guard } from '../access/guard.ts';
import { tokenEndpoint } from '../access/token-endpoint.ts';
import {
  findNeededPermission,
  isForMcp,
  readAccess,
  readKeySecrets,
  strictTransport,
  tokenPath,
} from '../access/worker-access.ts';
import { answerPreflight, answerProblem } from '../api/respond.ts';
import { answerFromTable } from '../api/router.ts';
import { openSiteOnce, serve, readSettings, type Env } from './worker.ts';

/** The Worker of a private index. With `everything`, the host sends each request here before it serves a file. */
async function answerAuthorized(request: Request, env: Env): Promise<Response> {
  const access = readAccess();
  return access
    ? answerProtected(request, env, access)
    : answerProblem(request, 503, 'The access configuration of the index is missing.');
}

/** Serves what is public, and the rest to clients whose credential the guard accepts. */
export async function answerProtected(
  request: Request,
  env: Env,
  access: AccessConfig,
): Promise<Response> {
  const { method, url } = request;
  const { pathname } = new URL(url);
  const protectsAll = access.protect === 'everything';
  const isMetadata = pathname === metadataPath;
  const isForTokens = pathname === tokenPath;

  // Browsers send preflights without a credential.
  if (method === 'OPTIONS' && (protectsAll || isMetadata || isForTokens)) {
    return answerPreflight(['GET', 'HEAD', 'POST', 'OPTIONS']);
  }
  if (isMetadata) {
    return answerMetadata(request, access, env.BASE_URL);
  }
  if (!protectsAll && !isForTokens && (!isForMcp(request) || method === 'OPTIONS')) {
    return serve(request, env);
  }

  const grant = await openGuardOnce(access, env)(request);
  if (grant instanceof Response) {
    return grant;
  }
  if (isForTokens) {
    return makePrivate(await answerTokenRequest(request, env, grant));
  }
  if (!grant.permissions.includes(findNeededPermission(method, pathname))) {
    return deny(request, 'no-permission', { baseUrl: env.BASE_URL, acceptsBasic: protectsAll });
  }

  return makePrivate(await serve(request, env));
}

/** Makes a token from the accepted credential. A refusal gets the challenge that a client of OAuth expects. */
async function answerTokenRequest(request: Request, env: Env, grant: Grant): Promise<Response> {
  const { index } = openSiteOnce(env);
  const settings = { ...readSettings(env), baseUrl: env.BASE_URL };
  // The path of the request is the path of the endpoint.
  const answer = (await answerFromTable([tokenEndpoint], { request, index, settings, grant }))!;
  if (answer.status === 403) {
    // The body states the reason.
    const challenge = createChallenge(env.BASE_URL, ['error="insufficient_scope"']);
    answer.headers.set('WWW-Authenticate', challenge);
  }

  return answer;
}

/** By the environment, which has the access keys. A guard keeps what issuers answered. */
const openedGuards = new WeakMap<Env, Guard>();

function openGuardOnce(access: AccessConfig, env: Env): Guard {
  const guard =
    openedGuards.get(env) ??
    createGuard({
      access,
      keys: readKeySecrets(env),
      baseUrl: env.BASE_URL,
      onTrouble: (trouble) => console.error(trouble),
    });
  openedGuards.set(env, guard);
  return guard;
}

/** Lets only the client cache the answer. Keeps `no-store`. */
function makePrivate(answer: Response): Response {
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
