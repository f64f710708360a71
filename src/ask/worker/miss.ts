import { answerEndpoint } from '../api/handlers.ts';
import { isNamed, notAllowed, preflight, problem } from '../api/respond.ts';
import { isForMcp } from '../mcp/mcp-address.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.ts';
import { siteIndex } from './site-index.ts';

/** What the host gives the Worker: the site's files, with their headers, by address. */
export interface MissEnv {
  ASSETS: { fetch(request: Request): Promise<Response> };
  /** Where the site is published. */
  BASE_URL: string;
  /** Of a stream of changes, in milliseconds, as text: when a client comes back, how often it says that it is alive, when it ends. */
  STREAM_RETRY_MS?: string;
  STREAM_HEARTBEAT_MS?: string;
  STREAM_LIFETIME_MS?: string;
}

let mcp: McpEndpoint | undefined;

const possible = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Runs only where no file answers: the host serves files itself and never calls it for them. An error is never cached, or
 * a component would stay missing for an hour after it was published (RFC 9111, section 4.2.2 lets caches keep a 404).
 */
export async function answerMiss(request: Request, env: MissEnv): Promise<Response> {
  const { method } = request;
  const { pathname } = new URL(request.url);
  if (isForMcp(request)) return (mcp ??= createMcpEndpoint(siteIndex(env), env.BASE_URL)).fetch(request);
  const answer = await answerEndpoint(request, siteIndex(env), {
    baseUrl: env.BASE_URL,
    retryMs: Number(env.STREAM_RETRY_MS ?? 5_000),
    heartbeatMs: Number(env.STREAM_HEARTBEAT_MS ?? 15_000),
    lifetimeMs: Number(env.STREAM_LIFETIME_MS ?? 300_000),
  });
  if (answer) return answer;
  if (method === 'OPTIONS') return preflight(possible);
  if (method !== 'GET' && method !== 'HEAD') return notAllowed(request, possible);
  if (pathname === '/') {
    const home = await env.ASSETS.fetch(new Request(new URL('/index.html', request.url), request));
    if (home.status !== 404) return home;
  }
  if (isNamed(request.headers.get('accept'), 'text/html')) {
    const page = await env.ASSETS.fetch(new Request(new URL('/404.html', request.url)));
    if (page.ok) return missingPage(request, page);
  }
  const detail =
    'There is no such file. /index.json lists the components; <component>.json holds the releases of one.';
  return problem(request, 404, detail);
}

function missingPage(request: Request, page: Response): Response {
  const headers = new Headers(page.headers);
  for (const name of ['ETag', 'Content-Length', 'CF-Cache-Status']) headers.delete(name);
  headers.set('Cache-Control', 'no-store');
  headers.set('Vary', 'Accept');
  return new Response(request.method === 'HEAD' ? null : page.body, { status: 404, headers });
}

export default { fetch: answerMiss };
