import type { AccessConfig } from '../../../core/schemas/access/access-config.ts';
import { AccessKeys, accessKeySecrets } from '../../../core/schemas/access/access-keys.ts';
import { createBearerChallenge, deny, strictTransport } from '../access/deny.ts';
import { createGuard, type Grant, type Guard } from '../access/guard.ts';
import {
  findNeededPermission,
  isForMcp,
  mcpPath,
  metadataPath,
  tokenPath,
} from '../access/protected-paths.ts';
import { tokenEndpoint } from '../access/token-endpoint.ts';
import {
  answerCachedJson,
  answerPreflight,
  answerProblem,
  fileMethods,
  rejectMethod,
} from '../api/respond.ts';
import { answerFromTable } from '../api/router.ts';
import { openSiteOnce, serve, readSettings, type Env } from './worker.ts';

/** The bundler replaces it by the validated configuration as JSON, with all defaults. */
declare const RELEASE_INDEX_ACCESS: string;

/** The access configuration of the site; null for a public site. */
export function readAccess(): AccessConfig | null {
  return JSON.parse(RELEASE_INDEX_ACCESS) as AccessConfig | null;
}

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
    return answerPreflight(['GET', 'HEAD', 'POST']);
  }
  if (isMetadata) {
    return answerMetadata(request, access, env.BASE_URL);
  }

  const needsGrant = protectsAll || isForTokens || (isForMcp(request) && method !== 'OPTIONS');
  if (!needsGrant) {
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

/** Names the issuers of tokens. Public, because clients read it before they have a token. */
function answerMetadata(
  request: Request,
  { externalOauth }: AccessConfig,
  baseUrl: string,
): Promise<Response> | Response {
  if (!fileMethods.includes(request.method)) {
    return rejectMethod(request, fileMethods);
  }

  const metadata = {
    resource: `${baseUrl}${mcpPath}`,
    authorization_servers: externalOauth.issuers.map(({ uri }) => uri),
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email'],
  };
  return answerCachedJson(request, `${JSON.stringify(metadata)}\n`);
}

/** Makes a token from the accepted credential. A refusal gets the challenge that a client of OAuth expects. */
async function answerTokenRequest(request: Request, env: Env, grant: Grant): Promise<Response> {
  const { index } = openSiteOnce(env);
  const settings = { ...readSettings(env), baseUrl: env.BASE_URL };
  // There is an answer, since the request has the path of the endpoint.
  const answer = (await answerFromTable([tokenEndpoint], { request, index, settings, grant }))!;
  if (answer.status === 403) {
    // The body states the reason.
    const challenge = createBearerChallenge(env.BASE_URL, ['error="insufficient_scope"']);
    answer.headers.set('WWW-Authenticate', challenge);
  }

  return answer;
}

/** A guard by the environment whose keys it accepts. It is kept because it caches the answers of issuers. */
const openedGuards = new WeakMap<Env, Guard>();

function openGuardOnce(access: AccessConfig, env: Env): Guard {
  const guard =
    openedGuards.get(env) ??
    createGuard({
      access,
      keys: readKeySecrets(env),
      baseUrl: env.BASE_URL,
      onOutage: (message) => console.error(message),
      onError: (error) => console.error(error),
    });
  openedGuards.set(env, guard);
  return guard;
}

/** The configured access keys, also expired ones. A secret that is not a list of keys gives none, and is logged without its text. */
function readKeySecrets(env: Env): AccessKeys {
  return accessKeySecrets.flatMap((name) => {
    try {
      return AccessKeys.parse(JSON.parse(env[name] ?? '[]'));
    } catch {
      console.error(`The secret ${name} is not a list of access keys.`);
      return [];
    }
  });
}

/** Lets only the client cache the answer. Keeps `no-store`. */
function makePrivate(answer: Response): Response {
  const response = new Response(answer.body, answer);
  const { headers } = response;
  if (!headers.get('cache-control')?.includes('no-store')) {
    const isCacheable = answer.ok || answer.status === 304;
    headers.set('Cache-Control', isCacheable ? 'private, max-age=3600' : 'no-store');
  }

  headers.append('Vary', 'Authorization');
  headers.set('Strict-Transport-Security', strictTransport);
  return response;
}

export default { fetch: answerAuthorized };
