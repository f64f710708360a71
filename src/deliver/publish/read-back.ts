import { setTimeout as wait } from 'node:timers/promises';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import { sha256 } from '../../io/files/file-system.ts';
import type { Http } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { findHeaders, unservedFiles } from '../../site/render/headers.ts';

interface ReadBackOptions {
  baseUrl: string;
  /** The digests of the published files, by path. */
  digests: Digests;
  /** Paths to read first, if there are too many to read all. */
  first: Iterable<string>;
  openHttp(): Http;
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
type Probe = (http: Http) => Promise<string | undefined>;

const maxFiles = 300;

/**
 * Reads the site back from its public address: bytes, headers and protection. A new version may take a while to arrive, so
 * wrong answers are requested again.
 */
export async function readBack(options: ReadBackOptions): Promise<ReadBack> {
  const { baseUrl, digests, protect, checkProtection, openHttp, waitsMs, signal } = options;
  const paths = choosePaths(options);
  const probes = paths.map((path): Probe => {
    const headers = findHeaders(path, protect)!;
    return (http) => checkFile(http, `${baseUrl}/${path}`, headers, digests.get(path)!);
  });
  if (checkProtection) {
    probes.push(checkProtection);
  }

  let failures = await runProbes(probes, openHttp);

  for (const waitMs of waitsMs) {
    if (failures.size === 0) {
      break;
    }

    await wait(waitMs, undefined, { signal }).catch(() => undefined);

    if (signal.aborted) {
      break;
    }

    failures = await runProbes([...failures.keys()], openHttp);
  }

  return { files: paths.length, problems: [...failures.values()] };
}

function choosePaths({ digests, first }: ReadBackOptions): string[] {
  const documents = [digestsFile, 'status.json', 'index.json', 'all.json', 'index.html'];
  const paths = new Set([...documents, ...first, ...digests.keys()]);
  return [...paths]
    .filter((path) => digests.has(path) && !unservedFiles.has(path))
    .slice(0, maxFiles);
}

/** The problems by probe. Opens a new client, since a client requests each document only once. */
async function runProbes(
  probes: readonly Probe[],
  openHttp: () => Http,
): Promise<Map<Probe, string>> {
  const http = openHttp();
  const problems = new Map<Probe, string>();

  const runProbe = async (probe: Probe) => {
    try {
      const problem = await probe(http);
      if (problem !== undefined) {
        problems.set(probe, problem);
      }
    } catch (error) {
      if (!(error instanceof HttpError)) {
        throw error;
      }

      problems.set(probe, error.message);
    }
  };

  try {
    await Promise.all(probes.map(runProbe));
    return problems;
  } finally {
    await http.close();
  }
}

async function checkFile(
  http: Http,
  url: string,
  headers: ReadonlyMap<string, string>,
  digest: string,
): Promise<string | undefined> {
  const [type] = headers.get('Content-Type')!.split(';') as [string];
  const answer = await http.fetch({ url, accept: [type] });
  if (sha256(answer.body) !== digest) {
    return `${url} is not the file that was sent`;
  }

  for (const [name, value] of headers) {
    const got = answer.headers.get(name.toLowerCase());
    if (got !== value) {
      const shown = got === undefined ? 'missing' : `"${got}"`;
      return `${url}: ${name} is ${shown}, not "${value}"`;
    }
  }

  return undefined;
}
