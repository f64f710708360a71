import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { answerMetadata, metadataPath, strictTransport } from '../access/deny.ts';
import { createGuard, type Guard } from '../access/guard.ts';
import { preflight, problem } from '../api/respond.ts';
import { isForMcp } from '../mcp/connection.ts';
import { accessKeysOf, accessOf } from './access-of.ts';
import { serve, type Env } from './worker.ts';

let protection: { readonly access: AccessConfig; readonly guard: Guard } | undefined;

/** The Worker of a private index. With `everything` the host serves no file by itself: each request comes here first. */
async function answerAuthorized(request: Request, env: Env): Promise<Response> {
  protection ??= protect(env);
  if (!protection) return problem(request, 503, 'The access configuration of the index is missing.');
  const { access, guard } = protection;
  const isEverything = access.protect === 'everything';
  const isMetadata = new URL(request.url).pathname === metadataPath;
  // Browsers send preflights without a credential.
  if (request.method === 'OPTIONS' && (isEverything || isMetadata)) return anyPreflight();
  if (isMetadata) return answerMetadata(request, access, env.BASE_URL);
  if (isEverything) return (await guard(request)) ?? asPrivate(await serve(request, env));
  const isProtected = isForMcp(request) && request.method !== 'OPTIONS';
  if (!isProtected) return serve(request, env);
  return (await guard(request)) ?? asPrivate(await serve(request, env));
}

function protect(env: Env): typeof protection {
  const access = accessOf();
  if (!access) return undefined;
  const onTrouble = (message: string) => console.error(message);
  const guard = createGuard({ access, keys: accessKeysOf(env), baseUrl: env.BASE_URL, onTrouble });
  return { access, guard };
}

/** Only the client may cache it. A `no-store` stays. */
function asPrivate(answer: Response): Response {
  const response = new Response(answer.body, answer);
  const { headers } = response;
  const isSound = answer.ok || answer.status === 304;
  if (!headers.get('cache-control')?.includes('no-store'))
    headers.set('Cache-Control', isSound ? 'private, max-age=3600' : 'no-store');
  headers.append('Vary', 'Authorization');
  headers.set('Strict-Transport-Security', strictTransport);
  return response;
}

function anyPreflight(): Response {
  const response = preflight(['GET', 'HEAD', 'POST', 'OPTIONS']);
  const allowed = 'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';
  response.headers.append('Access-Control-Allow-Headers', allowed);
  return response;
}

export default { fetch: answerAuthorized };
