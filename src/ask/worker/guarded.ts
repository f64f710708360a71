import { createGuard, type Guard } from '../access/guard.ts';
import { asPrivate } from '../access/private-answer.ts';
import { answerMetadata, metadataPath } from '../access/resource-metadata.ts';
import { preflight, problem } from '../api/respond.ts';
import { isForMcp } from '../mcp/mcp-address.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { accessKeysOf, accessOf } from './access-of.ts';
import { answerMiss, type MissEnv } from './miss.ts';

interface Protection {
  readonly access: AccessConfig;
  readonly guard: Guard;
}

let protection: Protection | undefined;

/** The Worker of a private index. With `everything` the host serves no file itself, so that each request comes here first. */
async function answerGuarded(request: Request, env: MissEnv): Promise<Response> {
  protection ??= protect(env);
  if (!protection) return problem(request, 503, 'Who may read the index is not known.');
  const { access, guard } = protection;
  const isEverything = access.protect === 'everything';
  const isMetadata = new URL(request.url).pathname === metadataPath;
  // A browser asks without a credential, and alike for all addresses.
  if (request.method === 'OPTIONS' && (isEverything || isMetadata)) return anyPreflight();
  if (isMetadata) return answerMetadata(request, access, env.BASE_URL);
  if (isEverything) return (await guard(request)) ?? asPrivate(await answerOrServe(request, env));
  const isProtected = isForMcp(request) && request.method !== 'OPTIONS';
  return (isProtected && (await guard(request))) || answerMiss(request, env);
}

function protect(env: MissEnv): Protection | undefined {
  const access = accessOf();
  if (!access) return undefined;
  const onTrouble = (message: string) => console.error(message);
  return {
    access,
    guard: createGuard({ access, keys: accessKeysOf(env), baseUrl: env.BASE_URL, onTrouble }),
  };
}

/** What the host does where it needs not ask first. */
async function answerOrServe(request: Request, env: MissEnv): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return answerMiss(request, env);
  const file = await env.ASSETS.fetch(request);
  return file.status === 404 ? answerMiss(request, env) : file;
}

function anyPreflight(): Response {
  const response = preflight(['GET', 'HEAD', 'POST', 'OPTIONS']);
  const allowed = 'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Method, Mcp-Name';
  response.headers.append('Access-Control-Allow-Headers', allowed);
  return response;
}

export default { fetch: answerGuarded };
