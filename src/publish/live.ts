import { userAgentOf } from '../http/user-agent.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Env } from '../env.ts';
import { createHttp, type Http } from '../http/client.ts';
import { HttpError } from '../http/error.ts';
import { readNpmConfig } from '../http/npm-config.ts';
import { DaySchema } from '../model/scalars.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { digestsFile, parseDigests } from '../site/digests.ts';
import { parseJson } from '../store/documents.ts';
import { sha256 } from '../store/sha256.ts';
import { readPublishedIndex, type PublishedIndex } from './diff.ts';

/** What is served at the public address now. */
export interface LiveSite {
  asOf: string;
  digests: ReadonlyMap<string, string>;
  index: PublishedIndex;
}

export type Live =
  | { kind: 'site'; site: LiveSite }
  /** Nothing was ever published there: its first document is a 404, or the name does not exist. */
  | { kind: 'nothing'; reason: string }
  /** Anything else. Nobody knows what readers would lose. */
  | { kind: 'unreadable'; reason: string };

export interface LiveInput {
  baseUrl: string;
  config: SiteConfig;
  env: Env;
  signal: AbortSignal;
}

const firstDocument = 'status.json';
const LiveStatus = z.object({ asOf: DaySchema });

/** Does not throw, whatever the address answers. */
export async function readLive(input: LiveInput): Promise<Live> {
  const { baseUrl } = input;
  const http = openSiteHttp(input);
  try {
    const site = await readSite(async (path) => {
      const isList = path === digestsFile;
      const accept = [isList ? 'text/plain' : 'application/json'];
      // GitHub Pages knows no type for a file without an ending.
      const alsoAccept = isList ? ['application/octet-stream'] : [];
      return (await http.fetch({ url: `${baseUrl}/${path}`, accept, alsoAccept })).body;
    });
    return { kind: 'site', site };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof HttpError)) return { kind: 'unreadable', reason: `${baseUrl}: ${message}` };
    const isFirst = error.url === new URL(`${baseUrl}/${firstDocument}`).href;
    if (isFirst && (error.kind === 'absent' || isUnknownName(error)))
      return { kind: 'nothing', reason: `nothing is published at ${baseUrl} yet` };
    return { kind: 'unreadable', reason: message };
  } finally {
    await http.close();
  }
}

/** A copy of a site on disk. Throws where it is not one. */
export function readCopy(folder: string): Promise<LiveSite> {
  return readSite((path) => Promise.resolve(readFileSync(join(folder, path))));
}

/** The client for a published site: a person may be waiting. */
export function openSiteHttp({ env, signal, config }: Omit<LiveInput, 'baseUrl'>): Http {
  const userAgent = userAgentOf(config);
  const npm = readNpmConfig(env, process.cwd());
  return createHttp({ userAgent, signal, env, npm, limits: { maxRetries: 1, totalMs: 60_000 } });
}

async function readSite(read: (path: string) => Promise<Buffer>): Promise<LiveSite> {
  const json = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const parsed = schema.safeParse(parseDocument(path, await read(path)));
    if (!parsed.success) throw new Error(`${path} is not a document of a release index`);
    return parsed.data;
  };
  const { asOf } = await json(firstDocument, LiveStatus);
  const list = await read(digestsFile);
  const digests = parseDigests(list.toString()).set(digestsFile, sha256(list));
  return { asOf, digests, index: await readPublishedIndex(json) };
}

function parseDocument(path: string, bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function isUnknownName({ cause }: Error): boolean {
  if (!(cause instanceof Error)) return false;
  return (cause as NodeJS.ErrnoException).code === 'ENOTFOUND' || isUnknownName(cause);
}
