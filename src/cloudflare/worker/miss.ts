import { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.ts';
import { openSiteIndex } from './site-index.ts';

/** What the host gives the Worker: the site's files, with their headers, by address. */
export interface MissEnv {
  ASSETS: { fetch(request: Request): Promise<Response> };
  /** Where the site is published. */
  BASE_URL: string;
}

let mcp: McpEndpoint | undefined;

const possible = 'GET, HEAD, OPTIONS';

/**
 * Runs only where no file answers: the host serves files itself and never calls it for them. An error is never cached, or
 * a component would stay missing for an hour after it was published (RFC 9111, section 4.2.2 lets caches keep a 404).
 */
export async function answerMiss(request: Request, env: MissEnv): Promise<Response> {
  const { method } = request;
  const { pathname } = new URL(request.url);
  if (pathname === '/mcp')
    return (mcp ??= createMcpEndpoint(openSiteIndex(env), env.BASE_URL)).fetch(request);
  if (method === 'OPTIONS') return preflight();
  if (method !== 'GET' && method !== 'HEAD') {
    return problem(request, 405, 'Method Not Allowed', `${method} is not possible here, only GET and HEAD.`, {
      Allow: possible,
    });
  }
  if (pathname === '/') {
    const home = await env.ASSETS.fetch(new Request(new URL('/index.html', request.url), request));
    if (home.status !== 404) return home;
  }
  if (wantsPage(request)) {
    const page = await env.ASSETS.fetch(new Request(new URL('/404.html', request.url)));
    if (page.ok) return missingPage(request, page);
  }
  const detail =
    'There is no such file. /index.json lists the components; <component>.json holds the releases of one.';
  return problem(request, 404, 'Not Found', detail);
}

/** What a browser asks before it sends a condition to another origin. The host itself refuses that for files. */
function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      Allow: possible,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': 'If-None-Match, If-Modified-Since, Range',
      'Access-Control-Max-Age': '86400',
      'Cache-Control': 'no-store',
    },
  });
}

/** Named, and not with a weight of nothing (RFC 9110, section 12.4.2). */
function wantsPage(request: Request): boolean {
  const ranges = (request.headers.get('accept') ?? '').split(',');
  return ranges.some((range) => /^\s*text\/html\b/.test(range) && !/;\s*q=0(?:\.0*)?\s*$/.test(range));
}

function missingPage(request: Request, page: Response): Response {
  const headers = new Headers(page.headers);
  for (const name of ['ETag', 'Content-Length', 'CF-Cache-Status']) headers.delete(name);
  headers.set('Cache-Control', 'no-store');
  headers.set('Vary', 'Accept');
  return new Response(request.method === 'HEAD' ? null : page.body, { status: 404, headers });
}

/** RFC 9457. */
function problem(
  request: Request,
  status: number,
  title: string,
  detail: string,
  more: Record<string, string> = {},
): Response {
  const instance = new URL(request.url).pathname;
  const body = `${JSON.stringify({ type: 'about:blank', title, status, detail, instance })}\n`;
  return new Response(request.method === 'HEAD' ? null : body, {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'nosniff',
      Vary: 'Accept',
      ...more,
    },
  });
}

export default { fetch: answerMiss };
