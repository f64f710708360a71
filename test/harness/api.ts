import manifest from '../../package.json' with { type: 'json' };
import { openIndex } from '../../src/ask/published-index.ts';
import { AccessConfig, AccessKey } from '../../src/core/schema/access.ts';
import type { Run } from '../../src/core/schema/recorded.ts';
import { openSite, type SiteReader } from '../../src/core/site-reader.ts';
import { openAccess } from '../../src/serve/access/guard.ts';
import { createApi } from '../../src/serve/api/app.ts';
import { createMcp } from '../../src/serve/mcp.ts';
import { baseUrl as usualUrl } from './index-folder.ts';

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface ApiOptions {
  /** The content of `site/access.json`. */
  readonly access?: object;
  readonly keys?: readonly object[];
  readonly baseUrl?: string;
  readonly heartbeatMs?: number;
}

/** Returns a site that has these documents. All other paths are read from the folder `out`, if it is given. */
export function openFiles(documents: Readonly<Record<string, object>>, out?: string): SiteReader {
  const others = out === undefined ? undefined : openSite(out);
  return {
    async read(path) {
      const document = documents[path];
      return document ? Buffer.from(JSON.stringify(document)) : others?.read(path);
    },
  };
}

/** Returns a site whose build list contains these runs. `runs` starts with the oldest run. */
export function openRuns(runs: readonly Partial<Run>[]): SiteReader {
  const years = { builds: ['2026'], changes: [] };
  return openFiles({
    'status.json': { asOf: '2026-01-31', staleAfterDays: 1_000_000, years },
    'builds/2026.json': { builds: runs.toReversed() },
  });
}

/**
 * Returns a function that calls the API of a site in this process, without a server. It accepts a path or a whole URL. It is for tests
 * whose results are the same in Node and in workerd.
 */
export function openSiteApi(site: string | SiteReader, options: ApiOptions = {}): Ask {
  const { access, keys = [], baseUrl = usualUrl, heartbeatMs = 50 } = options;
  const index = openIndex(typeof site === 'string' ? openSite(site) : site);
  const api = createApi({
    index,
    baseUrl,
    access:
      access && openAccess(AccessConfig.parse(access), AccessKey.array().parse(keys), baseUrl),
    streams: { retryMs: 10, heartbeatMs, lifetimeMs: 200 },
    answerMcp: createMcp(index, baseUrl, manifest.version),
    findPage: () => Promise.resolve(undefined),
  });
  return async (path, init) => {
    const address = new URL(path, usualUrl);
    const request = new Request(address, init);
    request.headers.set('host', address.host);
    return api.fetch(request);
  };
}
