import { setTimeout as wait } from 'node:timers/promises';
import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import type { Protection } from '../../core/schemas/access-config.ts';
import { headersFor } from '../../site/render/headers.ts';
import { digestsFile } from '../../site/digests.ts';
import { sha256 } from '../../io/files/sha256.ts';

export interface ReadBackOptions {
  baseUrl: string;
  /** What must be served, by path. */
  digests: ReadonlyMap<string, string>;
  /** Paths to look at first, where there are too many for all. */
  first: Iterable<string>;
  openHttp(): Http;
  /** What asks for a credential, and what is wrong with what a stranger is answered; nothing does where absent. */
  protect?: Protection | undefined;
  examineProtection?: () => Promise<string | undefined>;
  signal: AbortSignal;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ReadBack {
  /** Files that were looked at. */
  files: number;
  /** They, and the answer to a request for a file that there is not. */
  answers: number;
  /** One line for each answer that is not served as it should be. */
  problems: string[];
}

const missing = 'there-is-no-such-file.json';
/** Stands for what a stranger is answered. */
const strangers = '';
const mostFiles = 300;
// A new version reaches all of the host's data centres within seconds; a minute is generous.
const waitsMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

/**
 * Reads the site back from its public address: bytes, headers, and that a miss is not cached. What is wrong may only not
 * have arrived yet, so it is asked for again.
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
  const answers = paths.length + (options.examineProtection ? 2 : 1);
  return { files: paths.length, answers, problems: [...pending.values()] };
}

function choose({ digests, first }: ReadBackOptions): string[] {
  const essential = [digestsFile, 'status.json', 'index.json', 'all.json', 'index.html'];
  const ordered = new Set([...essential, ...first, ...digests.keys()]);
  const served = [...ordered].filter((path) => digests.has(path));
  return served.slice(0, mostFiles);
}

/** The problem of each path that has one. With a new client, as each asks for a document only once. */
async function examine(
  paths: Iterable<string>,
  { baseUrl, digests, openHttp, protect, examineProtection }: ReadBackOptions,
): Promise<Map<string, string>> {
  const http = openHttp();
  const problems = new Map<string, string>();
  const look = async (path: string) => {
    const url = `${baseUrl}/${path}`;
    try {
      const problem = await (path === missing
        ? examineMiss(http, url)
        : path === strangers
          ? examineProtection!()
          : examineFile(http, url, { path, digest: digests.get(path), protect }));
      if (problem !== undefined) problems.set(path, problem);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      problems.set(path, error.message);
    }
  };
  try {
    await Promise.all([...new Set([...paths, missing, ...(examineProtection ? [strangers] : [])])].map(look));
    return problems;
  } finally {
    await http.close();
  }
}

async function examineFile(
  http: Http,
  url: string,
  { path, digest, protect }: { path: string; digest: string | undefined; protect: Protection | undefined },
): Promise<string | undefined> {
  const expected = headersFor(path, protect)!;
  const [type] = expected.get('Content-Type')!.split(';') as [string];
  const answer = await http.fetch({ url, accept: [type] });
  if (sha256(answer.body) !== digest) return `${url} is not the file that was sent`;
  for (const [name, value] of expected) {
    const got = answer.headers.get(name.toLowerCase());
    if (got !== value)
      return `${url}: ${name} is ${got === undefined ? 'missing' : `"${got}"`}, not "${value}"`;
  }
  return undefined;
}

async function examineMiss(http: Http, url: string): Promise<string | undefined> {
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return `${url} is served, though there is no such file`;
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
    const cached = error.headers?.get('cache-control');
    if (cached === 'no-store') return undefined;
    return `${url}: a miss is served with Cache-Control "${cached}", not "no-store"`;
  }
}
