/** Is the site that was sent the one that its address serves? */
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import { digestsFile, type Digests } from '../core/sha256sums.ts';
import { inputError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import { formatList } from '../core/text.ts';
import { findHeaders, unservedFile } from '../site/headers.ts';
import { nameWorker } from './wrangler.ts';

/** All files have the same. */
const cacheControl = findHeaders(digestsFile)['cache-control'];
/** A site has thousands of files: of so many, the changed ones and a sample of the others. */
const maxFiles = 300;
const readsAtOnce = 32;
/** A new version reaches all data centres of Cloudflare within seconds; a minute is generous. */
const waitsMs = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Reads the site from its address until each file is the one that was sent, changed ones first. Returns their number. Throws an
 * `InputError` if one stays another.
 */
export async function readBack(
  baseUrl: string,
  digests: Digests,
  changed: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const paths = [...new Set([...changed, ...digests.keys()])]
    .filter((path) => path !== unservedFile)
    .slice(0, maxFiles);
  const limit = pLimit(readsAtOnce);
  let wrong = paths;

  for (const ms of waitsMs) {
    await wait(ms, undefined, { signal });
    const results = await limit.map(wrong, (path) =>
      isServed(`${baseUrl}/${path}`, digests.get(path), signal),
    );
    wrong = wrong.filter((_, index) => !results[index]);
    if (wrong.length === 0) {
      return paths.length;
    }
  }

  const remedy = `Go back to the version before: npx wrangler rollback --name ${nameWorker(baseUrl)}`;
  throw inputError(
    baseUrl,
    `does not serve with "Cache-Control: ${cacheControl}" what was sent: ${formatList(wrong, 3)}. ${remedy}`,
  );
}

async function isServed(
  url: string,
  digest: string | undefined,
  stop: AbortSignal,
): Promise<boolean> {
  const response = await fetch(url, {
    cache: 'no-store',
    signal: AbortSignal.any([stop, AbortSignal.timeout(30_000)]),
  }).catch(() => undefined);
  const body = await response?.bytes().catch(() => undefined);
  if (!response || !body) {
    return false;
  }

  return sha256(body) === digest && response.headers.get('cache-control') === cacheControl;
}
