import { AccessKey, type AccessConfig } from '../core/schema/access.ts';
import { metadataPath, openAccess } from './access/guard.ts';
import { createApi } from './api/app.ts';
import { needs } from './api/parts.ts';
import { openIndex } from './index.ts';
import { createMcp } from './mcp.ts';

/** Bindings and variables that the host gives the Worker. */
interface Env {
  /** The files of the site with their headers. */
  ASSETS: { fetch(request: Request | string): Promise<Response> };
  /** Without a slash at its end. */
  BASE_URL: string;
  /** Secret: the access keys, as a JSON array. */
  RELEASE_INDEX_ACCESS_KEYS?: string;
  RELEASE_INDEX_ACCESS_KEYS_2?: string;
}

/** The bundler puts in `site/access.json`, checked and with its defaults; null for a public index. */
declare const RELEASE_INDEX_ACCESS: AccessConfig | null;

/** One for each environment: files and settings of a version of the Worker never change. */
const opened = new WeakMap<Env, ReturnType<typeof open>>();

function open(env: Env) {
  const { ASSETS, BASE_URL: baseUrl } = env;
  const index = openIndex({
    async read(path) {
      const response = await ASSETS.fetch(`https://site.invalid/${path}`);
      return response.ok ? response.text() : undefined;
    },
  });
  const access = RELEASE_INDEX_ACCESS
    ? openAccess(RELEASE_INDEX_ACCESS, readKeys(env), baseUrl)
    : undefined;
  const api = createApi({
    index,
    baseUrl,
    access,
    streams: { retryMs: 60_000, heartbeatMs: 15_000, lifetimeMs: 300_000 },
  });

  api.post('/mcp', needs('mcp').middleware, createMcp(index, baseUrl));
  if (access) {
    api.get(metadataPath, (call) =>
      call.json(
        {
          resource: `${baseUrl}/mcp`,
          authorization_servers: access.config.accessControl.externalOauth.issuers.map(
            ({ uri }) => uri,
          ),
          bearer_methods_supported: ['header'],
          scopes_supported: ['openid', 'email'],
        },
        200,
        { 'Cache-Control': 'public, max-age=3600' },
      ),
    );
  }

  /** The host has no file for `/`, and its own 404 could be kept by a cache. */
  api.get('*', async (call, next) => {
    const { pathname } = new URL(call.req.url);
    if (pathname === '/') {
      return ASSETS.fetch(new Request(new URL('/index.html', call.req.url), call.req.raw));
    }
    if (!call.req.header('accept')?.includes('text/html')) {
      return next();
    }

    const page = await ASSETS.fetch('https://site.invalid/404.html');
    return page.ok ? call.html(await page.text(), 404, { 'Cache-Control': 'no-store' }) : next();
  });
  return api;
}

/** A secret that is no list of keys opens nothing, and is logged without its text. */
function readKeys({
  RELEASE_INDEX_ACCESS_KEYS: first = '[]',
  RELEASE_INDEX_ACCESS_KEYS_2: second = '[]',
}: Env): AccessKey[] {
  try {
    return [first, second].flatMap((text) => AccessKey.array().parse(JSON.parse(text)));
  } catch {
    console.error('RELEASE_INDEX_ACCESS_KEYS is not a list of access keys.');
    return [];
  }
}

export default {
  fetch(request: Request, env: Env): Response | Promise<Response> {
    const api = opened.get(env) ?? open(env);
    opened.set(env, api);
    return api.fetch(request, env);
  },
};
