import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { cacheFolder } from './cache.ts';
import type { Root } from './root.ts';

/**
 * Held for the milliseconds of a save, against other runs that save the same. The lock of a killed run expires, so that the
 * next one need not wait long.
 */
export async function lock(root: Root, name: 'data' | 'access-keys'): Promise<() => Promise<void>> {
  const folder = cacheFolder(root);
  let isLost = false;
  const release = await lockfile.lock(root.dir, {
    lockfilePath: join(folder, `${name}.lock`),
    stale: 2000,
    retries: { retries: 400, minTimeout: 5, maxTimeout: 50 },
    // By default this throws out of a timer. A lost lock does no harm: no file is replaced that has changed meanwhile.
    onCompromised: () => (isLost = true),
  });
  return () => (isLost ? Promise.resolve() : release());
}
