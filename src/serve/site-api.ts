/** Opens the HTTP API of a published site, in the Worker and in a preview. The API answers from the files of the site. */
import { AskError } from '../ask/ask-error.ts';
import { openIndex } from '../ask/published-index.ts';
import { AccessKey, type AccessConfig } from '../core/schema/access.ts';
import { openAccess } from './access/guard.ts';
import { createApi } from './api/app.ts';
import type { Api } from './api/route.ts';
import { createMcp } from './mcp.ts';

/** The files of a site with their headers. A path without a file gives 404. */
export interface Assets {
  fetch(request: Request | string): Promise<Response>;
}

/** The host in requests for assets. Any host will do, because only the path matters. */
const anyHost = 'https://site.invalid';

interface Site {
  assets: Assets;
  /** The URL of the site, without a slash at its end. */
  baseUrl: string;
  /** The content of `site/access.json`. Null for a public index. */
  access: AccessConfig | null;
  /** The secret with the access keys, as a JSON array. */
  keys?: string | undefined;
  /** The version of the program. */
  version: string;
}

export function openSiteApi({ assets, baseUrl, access, keys, version }: Site): Api {
  const index = openIndex({
    async read(path) {
      const response = await assets.fetch(`${anyHost}/${path}`);
      if (!response.ok && response.status !== 404) {
        throw new AskError(503, `${path} cannot be read now.`);
      }
      return response.ok ? Buffer.from(await response.arrayBuffer()) : undefined;
    },
  });
  return createApi({
    index,
    baseUrl,
    access: access ? openAccess(access, readKeys(keys), baseUrl) : undefined,
    streams: { retryMs: 60_000, heartbeatMs: 15_000, lifetimeMs: 300_000 },
    answerMcp: createMcp(index, baseUrl, version),
    async findPage(request) {
      const path = findFile(new URL(request.url).pathname);
      const answer = path && (await assets.fetch(new Request(new URL(path, request.url), request)));
      if (answer && answer.status !== 404) {
        return answer;
      }
      return request.headers.get('accept')?.includes('text/html')
        ? findMissingPage(assets)
        : undefined;
    },
  });
}

/**
 * Returns the file that answers a path without a file. Clients of endoflife.date's API may ask for the path of a document with a slash at
 * its end, and do not follow redirects: `/api/v1/products/svc/` → `/api/v1/products/svc`.
 */
function findFile(path: string): string | undefined {
  if (path === '/') {
    return '/index.html';
  }

  const document = path.replace(/\/$/, '');
  if (document === '/api/v1/products') {
    return '/api/v1/products.json';
  }
  return path !== document && path.startsWith('/api/v1/') ? document : undefined;
}

/** Returns `404.html` for a missing path, because Cloudflare does not do this by itself. Caches must not keep the answer (`no-store`). */
export async function findMissingPage(assets: Assets): Promise<Response | undefined> {
  const page = await assets.fetch(`${anyHost}/404.html`);
  const headers = { ...Object.fromEntries(page.headers), 'cache-control': 'no-store' };
  return page.ok ? new Response(page.body, { status: 404, headers }) : undefined;
}

/** Reads the access keys. If the secret is not a JSON array of access keys, no key is accepted. The log does not show the secret. */
function readKeys(secret = '[]'): AccessKey[] {
  try {
    return AccessKey.array().parse(JSON.parse(secret));
  } catch {
    console.error('RELEASE_INDEX_ACCESS_KEYS is not a list of access keys.');
    return [];
  }
}
