import { setTimeout as wait } from 'node:timers/promises';
import type { Http } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { headersFor, unservedFiles } from '../render/headers.ts';
import { digestsFile } from '../site/digests.ts';
import { sha256 } from '../store/sha256.ts';

export interface ReadBackOptions {
  baseUrl: string;
  /** What must be served, by path. */
  digests: ReadonlyMap<string, string>;
  /** Paths to look at before others where there are too many for all of them. */
  first: Iterable<string>;
  openHttp(): Http;
  signal: AbortSignal;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ReadBack {
  /** Files that were looked at. */
  files: number;
  /** One line for each that is not served as it should be. */
  problems: string[];
}

const mostFiles = 300;
// A new version reaches all places of the host within seconds; a minute is generous.
const waitsMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Asks the public address for the site, as a reader would: bytes, headers, and that a miss is not cached. What is not
 * right at once may only not have arrived yet, and is asked for again.
 */
export async function readBack(options: ReadBackOptions): Promise<ReadBack> {
  const { sleep = (ms, signal) => wait(ms, undefined, { signal }) } = options;
  const paths = choose(options);
  let pending = new Map<string, string>(paths.map((path) => [path, '']));
  for (const waitMs of [...waitsMs, undefined]) {
    pending = await examine(pending.keys(), options);
    if (pending.size === 0 || waitMs === undefined || options.signal.aborted) break;
    await sleep(waitMs, options.signal).catch(() => undefined);
  }
  return { files: paths.length, problems: [...pending.values()] };
}

function choose({ digests, first }: ReadBackOptions): string[] {
  const essential = [digestsFile, 'status.json', 'index.json', 'all.json', 'index.html'];
  const ordered = new Set([...essential, ...first, ...digests.keys()]);
  const served = [...ordered].filter((path) => digests.has(path) && !unservedFiles.has(path));
  return served.slice(0, mostFiles);
}

/** Path and problem of each that is not right; the client is a new one, because it asks for a document once. */
async function examine(paths: Iterable<string>, options: ReadBackOptions): Promise<Map<string, string>> {
  const http = options.openHttp();
  try {
    const problems = new Map<string, string>();
    const look = async (path: string) => {
      const problem =
        path === missing ? await examineMiss(http, options) : await examineFile(http, path, options);
      if (problem !== undefined) problems.set(path, problem);
    };
    await Promise.all([...new Set([...paths, missing])].map(look));
    return problems;
  } finally {
    await http.close();
  }
}

async function examineFile(
  http: Http,
  path: string,
  { baseUrl, digests }: ReadBackOptions,
): Promise<string | undefined> {
  const url = `${baseUrl}/${path}`;
  const expected = headersFor(path)!;
  try {
    const answer = await http.fetch({ url, accept: [typeOf(expected.get('Content-Type')!)] });
    if (sha256(answer.body) !== digests.get(path)) return `${url} is not the file that was sent`;
    for (const [name, value] of expected) {
      const got = answer.headers.get(name.toLowerCase());
      if (got !== value)
        return `${url}: ${name} is ${got === undefined ? 'missing' : `"${got}"`}, not "${value}"`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

const missing = 'there-is-no-such-file.json';

async function examineMiss(http: Http, { baseUrl }: ReadBackOptions): Promise<string | undefined> {
  const url = `${baseUrl}/${missing}`;
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return `${url} is served, though there is no such file`;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.status !== 404) return error.message;
    const cached = error.headers?.get('cache-control');
    return cached === 'no-store'
      ? undefined
      : `${url}: a miss is served with Cache-Control "${cached}", not "no-store"`;
  }
}

function typeOf(contentType: string): string {
  return contentType.split(';')[0]!;
}
