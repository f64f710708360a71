import { join } from 'node:path';
import { readIfThere } from '../../src/core/files.ts';
import { AccessConfig, AccessKey } from '../../src/core/schema/access.ts';
import { openAccess } from '../../src/serve/access/guard.ts';
import { createApi } from '../../src/serve/api/app.ts';
import { openIndex } from '../../src/serve/index.ts';
import { createMcp } from '../../src/serve/mcp.ts';
import { baseUrl } from './worker.ts';

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

interface Doors {
  /** The content of `site/access.json`. */
  readonly access?: object;
  readonly keys?: readonly object[];
  readonly baseUrl?: string;
  readonly heartbeatMs?: number;
  readonly lifetimeMs?: number;
  /** Where the files are not in a folder. */
  readonly read?: (path: string) => Promise<string | undefined>;
}

/** The doors of a built site in this process, for what does not depend on the runtime of the host. A path may be an address. */
export function openDoors(out: string, doors: Doors = {}): Ask {
  const { access, keys = [], baseUrl: url = baseUrl, heartbeatMs = 50, lifetimeMs = 200 } = doors;
  const read = (path: string) => Promise.resolve(readIfThere(join(out, path))?.toString());
  const index = openIndex({ read: doors.read ?? read });
  const api = createApi({
    index,
    baseUrl: url,
    access: access && openAccess(AccessConfig.parse(access), AccessKey.array().parse(keys), url),
    streams: { retryMs: 10, heartbeatMs, lifetimeMs },
    answerMcp: createMcp(index, url),
    findPage: () => Promise.resolve(undefined),
  });
  return async (path, init) => {
    const address = new URL(path, baseUrl);
    const request = new Request(address, init);
    request.headers.set('host', address.host);
    return api.fetch(request);
  };
}
