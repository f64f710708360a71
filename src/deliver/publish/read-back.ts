import { setTimeout as wait } from 'node:timers/promises';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import { sha256 } from '../../io/files/file-system.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { expectHttpError } from '../../io/http/error.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { findHeaders, findMediaType, unservedFiles } from '../../site/render/headers.ts';
import type { SiteHttp } from './site-http.ts';

interface ReadBackOptions {
  baseUrl: string;
  /** The digests of the published files, by path. */
  digests: Digests;
  /** Paths to read first, if there are too many to read all. */
  first: Iterable<string>;
  openHttp(): SiteHttp;
  /** The part of the site that needs a credential; absent for a public site. */
  protect?: Protection | undefined;
  /** The problem with this protection, if there is one. */
  checkProtection?: (() => Promise<string | undefined>) | undefined;
  /** Milliseconds before each repetition of wrong answers. */
  waitsMs: readonly number[];
  signal: AbortSignal;
}

const maxFiles = 300;

/**
 * Reads the site back from its public address: bytes, headers and protection. A new version may take a while to arrive, so
 * wrong answers are requested again. Returns the number of files, and a line for each wrong answer.
 */
export async function readBack(options: ReadBackOptions) {
  const { checkProtection, waitsMs, signal } = options;
  const paths = choosePaths(options);
  let wrongFiles = await findWrongFiles(paths, options);
  let protectionProblem = await checkProtection?.();

  for (const waitMs of waitsMs) {
    if (wrongFiles.length === 0 && protectionProblem === undefined) {
      break;
    }

    // A stopped run ends the wait, and asks nothing more.
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      break;
    }

    const wrongPaths = wrongFiles.map(({ path }) => path);
    wrongFiles = await findWrongFiles(wrongPaths, options);
    protectionProblem &&= await checkProtection?.();
  }

  const problems = wrongFiles.map(({ problem }) => problem);
  if (protectionProblem !== undefined) {
    problems.push(protectionProblem);
  }
  return { files: paths.length, problems };
}

/** The files to read, the most important first. */
function choosePaths({ digests, first }: ReadBackOptions): string[] {
  const paths = new Set([digestsFile, 'status.json', ...first, ...digests.keys()]);
  const served = [...paths].filter((path) => digests.has(path) && !unservedFiles.has(path));
  return served.slice(0, maxFiles);
}

/** The files whose answers are wrong, with the problem of each. Opens a new client, since a client requests each document once. */
async function findWrongFiles(paths: readonly string[], options: ReadBackOptions) {
  const http = options.openHttp();
  try {
    const results = await Promise.all(
      paths.map(async (path) => {
        const problem = await findProblem(http, path, options).catch(
          (error) => expectHttpError(error).message,
        );
        return problem === undefined ? undefined : { path, problem };
      }),
    );
    return results.filter((result) => result !== undefined);
  } finally {
    await http.close();
  }
}

/** The problem of the answer for a file; undefined if it is right. */
async function findProblem(
  http: Fetcher,
  path: string,
  { baseUrl, digests, protect }: ReadBackOptions,
): Promise<string | undefined> {
  const url = `${baseUrl}/${path}`;
  const answer = await http.fetch({ url, accept: [findMediaType(path)] });
  if (sha256(answer.body) !== digests.get(path)) {
    return `${url} is not the file that was sent`;
  }

  for (const [name, expected] of findHeaders(path, protect) ?? []) {
    const got = answer.headers.get(name.toLowerCase());
    if (got !== expected) {
      const shown = got === undefined ? 'missing' : `"${got}"`;
      return `${url}: ${name} is ${shown}, not "${expected}"`;
    }
  }

  return undefined;
}
