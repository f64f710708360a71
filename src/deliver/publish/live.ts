import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { HttpError } from '../../io/http/error.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { AllFile } from '../../core/schemas/published/release-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { digestsFile, parseDigests } from '../../site/digests.ts';
import { parseJson } from '../../io/files/documents.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { sentence } from '../../core/text.ts';
import { describedComponents } from '../../site/own-files.ts';
import { PublishedComponent, type PublishedIndex } from './index-difference.ts';
import { openSiteHttp, ownKeyVariable, type SiteHttpInput } from './site-http.ts';

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

export interface LiveInput extends SiteHttpInput {
  baseUrl: string;
}

const firstDocument = 'status.json';

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
    const advice = `Where it is a private index, ${ownKeyVariable} has to hold an access key of it.`;
    return { kind: 'unreadable', reason: error.status === 401 ? `${sentence(message)} ${advice}` : message };
  } finally {
    await http.close();
  }
}

/** A site in a folder, with the components that are published under an earlier name as well. Throws where it is not one. */
export async function readCopy(folder: string): Promise<LiveSite> {
  const read = (path: string) => Promise.resolve(readFileSync(join(folder, path)));
  const { index, ...site } = await readSite(read);
  const earlier = describedComponents(site.digests.keys()).filter((name) => !index.has(name));
  const components = earlier.map(async (name) => {
    const path = `${name}.json`;
    return [name, parseDocument(path, await read(path), PublishedComponent)] as const;
  });
  return { ...site, index: new Map([...index, ...(await Promise.all(components))]) };
}

/** `all.json`, or a part of it. */
const IndexDocument = lenient(AllFile.extend({ components: z.record(z.string(), PublishedComponent) }));

/** The components of a site, from `all.json` and the parts that it may list. Throws where one has another form. */
export async function readPublishedIndex(
  read: <T>(path: string, schema: z.ZodType<T>) => T | Promise<T>,
): Promise<PublishedIndex> {
  const { components, parts = [] } = await read('all.json', IndexDocument);
  const index = new Map(Object.entries(components));
  for (const path of parts) {
    const part = await read(path, IndexDocument);
    for (const [name, component] of Object.entries(part.components)) index.set(name, component);
  }
  return index;
}

async function readSite(read: (path: string) => Promise<Buffer>): Promise<LiveSite> {
  const json = async <T>(path: string, schema: z.ZodType<T>): Promise<T> =>
    parseDocument(path, await read(path), schema);
  const { asOf } = await json(firstDocument, lenient(StatusFile.pick({ asOf: true })));
  const list = await read(digestsFile);
  const digests = parseDigests(list.toString()).set(digestsFile, sha256(list));
  return { asOf, digests, index: await readPublishedIndex(json) };
}

function parseDocument<T>(path: string, bytes: Buffer, schema: z.ZodType<T>): T {
  let document: unknown;
  try {
    document = parseJson(bytes);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const parsed = schema.safeParse(document);
  if (!parsed.success) throw new Error(`${path} is not a document of a release index`);
  return parsed.data;
}

function isUnknownName({ cause }: Error): boolean {
  if (!(cause instanceof Error)) return false;
  return (cause as NodeJS.ErrnoException).code === 'ENOTFOUND' || isUnknownName(cause);
}
