import { AccessKey, type AccessConfig } from '../core/schema/access.ts';
import { openAccess } from './access/guard.ts';
import { createApi } from './api/app.ts';
import type { Api } from './api/route.ts';
import { AskError } from './errors.ts';
import { openIndex } from './published-index.ts';
import { createMcp } from './mcp.ts';

/** Bindings and variables that the host gives the Worker. */
interface Env {
  /** The files of the site with their headers. */
  ASSETS: { fetch(request: Request | string): Promise<Response> };
  /** Without a slash at its end. */
  BASE_URL: string;
  /** Secret: the access keys, as a JSON array. */
  RELEASE_INDEX_ACCESS_KEYS?: string;
}

/** The bundler puts in `site/access.json`, checked and with its defaults; null for a public index. */
declare const RELEASE_INDEX_ACCESS: AccessConfig | null;

/** Files and settings of a version of the Worker never change. */
let api: Api | undefined;

function open({ ASSETS, BASE_URL: baseUrl, RELEASE_INDEX_ACCESS_KEYS: keys }: Env): Api {
  const index = openIndex({
    async read(path) {
      const response = await ASSETS.fetch(`https://site.invalid/${path}`);
      if (!response.ok && response.status !== 404) {
        throw new AskError(503, `${path} cannot be read now.`);
      }
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
  });
  return createApi({
    index,
    baseUrl,
    access: RELEASE_INDEX_ACCESS
      ? openAccess(RELEASE_INDEX_ACCESS, readKeys(keys), baseUrl)
      : undefined,
    streams: { retryMs: 60_000, heartbeatMs: 15_000, lifetimeMs: 300_000 },
    answerMcp: createMcp(index, baseUrl),
    async findPage(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/') {
        return ASSETS.fetch(new Request(new URL('/index.html', request.url), request));
      }
      if (!request.headers.get('accept')?.includes('text/html')) {
        return undefined;
      }

      // The host has no page of its own for what is missing, and a cache could keep its answer.
      const page = await ASSETS.fetch('https://site.invalid/404.html');
      const headers = { ...Object.fromEntries(page.headers), 'cache-control': 'no-store' };
      return page.ok ? new Response(page.body, { status: 404, headers }) : undefined;
    },
  });
}

/** A secret that is no list of keys opens nothing, and is logged without its text. */
function readKeys(secret = '[]'): AccessKey[] {
  try {
    return AccessKey.array().parse(JSON.parse(secret));
  } catch {
    console.error('RELEASE_INDEX_ACCESS_KEYS is not a list of access keys.');
    return [];
  }
}

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    api ??= open(env);
    return api.fetch(request, env);
  },
};
