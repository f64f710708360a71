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
  /** Checks this protection. */
  checkProtection?: Probe | undefined;
  /** Milliseconds before each repetition of wrong answers. */
  waitsMs: readonly number[];
  signal: AbortSignal;
}

export interface ReadBack {
  /** The number of files read. */
  files: number;
  /** One line for each wrong answer. */
  problems: string[];
}

/** Returns the problem with an answer; undefined if it is right. */
type Probe = (http: Fetcher) => Promise<string | undefined>;

const maxFiles = 300;

/**
 * Reads the site back from its public address: bytes, headers and protection. A new version may take a while to arrive, so
 * wrong answers are requested again.
 */
export async function readBack(options: ReadBackOptions): Promise<ReadBack> {
  const { checkProtection, openHttp, waitsMs, signal } = options;
  const files = chooseFiles(options);
  const probes = files.map(([path, digest]) => createFileProbe(path, digest, options));
  if (checkProtection) {
    probes.push(checkProtection);
  }

  let problems = await runProbes(probes, openHttp);
  for (const waitMs of waitsMs) {
    if (problems.size === 0) {
      break;
    }

    // A stopped run ends the wait, and asks nothing more.
    await wait(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      break;
    }

    problems = await runProbes([...problems.keys()], openHttp);
  }

  return { files: files.length, problems: [...problems.values()] };
}

/** The paths and digests of the files to read, the most important first. */
function chooseFiles({ digests, first }: ReadBackOptions): [path: string, digest: string][] {
  const files: [string, string][] = [];
  for (const path of new Set([digestsFile, 'status.json', ...first, ...digests.keys()])) {
    const digest = digests.get(path);
    if (digest !== undefined && !unservedFiles.has(path)) {
      files.push([path, digest]);
    }
  }
  return files.slice(0, maxFiles);
}

/** The problems by probe. Opens a new client, since a client requests each document only once. */
async function runProbes(
  probes: readonly Probe[],
  openHttp: () => SiteHttp,
): Promise<ReadonlyMap<Probe, string>> {
  const http = openHttp();
  try {
    const results = await Promise.all(
      probes.map(async (probe) => {
        const problem = await probe(http).catch((error) => expectHttpError(error).message);
        return { probe, problem };
      }),
    );

    const problems = new Map<Probe, string>();
    for (const { probe, problem } of results) {
      if (problem !== undefined) {
        problems.set(probe, problem);
      }
    }
    return problems;
  } finally {
    await http.close();
  }
}

function createFileProbe(
  path: string,
  digest: string,
  { baseUrl, protect }: ReadBackOptions,
): Probe {
  const url = `${baseUrl}/${path}`;
  const headers = findHeaders(path, protect) ?? [];

  return async (http) => {
    const answer = await http.fetch({ url, accept: [findMediaType(path)] });
    if (sha256(answer.body) !== digest) {
      return `${url} is not the file that was sent`;
    }

    for (const [name, expected] of headers) {
      const got = answer.headers.get(name.toLowerCase());
      if (got !== expected) {
        const shown = got === undefined ? 'missing' : `"${got}"`;
        return `${url}: ${name} is ${shown}, not "${expected}"`;
      }
    }

    return undefined;
  };
}
