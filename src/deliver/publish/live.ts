import * as z from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/small-files.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { endSentence } from '../../core/text/wording.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, parseDigests, type Digests } from '../../site/digests.ts';
import { openDocumentsAt, openDocumentsIn, parsePublished } from './index-documents.ts';
import { openSiteHttp, readingKeyVariable, type SiteHttpInput } from './site-http.ts';

/** The subject of an event of the live site. Lenient, since a newer program may have published it. */
const LiveEvent = createLenient(
  PublishedChange.pick({ id: true, at: true, version: true, line: true, advisory: true }).extend({
    type: z.string(),
  }),
);
export type LiveEvent = z.infer<typeof LiveEvent>;

const LiveChanges = z.object({ changes: z.array(LiveEvent) });
const LiveStatus = createLenient(StatusFile.pick({ asOf: true, runs: true }));

/** The newest public run, by its instant, and since when it is public. */
export type PublicRun = Pick<Run, 'published' | 'publishedAt'>;

export interface LiveSite {
  asOf: string;
  digests: Digests;
  /** The events in files of a year that differ from those of the site to publish. */
  events: readonly LiveEvent[];
  run: PublicRun;
}

export type Live =
  | { kind: 'site'; site: LiveSite }
  /** Nothing was ever published there: `status.json` answers 404, or the host name does not exist. */
  | { kind: 'nothing'; reason: string }
  /** Any other problem: it is unknown which events readers have. */
  | { kind: 'unreadable'; reason: string };

const firstDocument = 'status.json';

/** `ownDigests`: those of the site to publish. Does not throw on any answer. */
export async function readLive(
  input: SiteHttpInput & { baseUrl: string },
  ownDigests: Digests,
): Promise<Live> {
  const { baseUrl } = input;
  const http = openSiteHttp(input);

  try {
    return { kind: 'site', site: await readSite(openDocumentsAt(http, baseUrl), ownDigests) };
  } catch (error) {
    return explainUnread(error as Error, baseUrl);
  } finally {
    await http.close();
  }
}

function explainUnread(error: Error, baseUrl: string): Live {
  const { message } = error;
  if (!(error instanceof HttpError)) {
    return { kind: 'unreadable', reason: `${baseUrl}: ${message}` };
  }

  const { href, hostname } = new URL(`${baseUrl}/${firstDocument}`);
  if (error.url === href && (error.kind === 'absent' || isUnknownHost(error, hostname))) {
    return { kind: 'nothing', reason: `nothing is published at ${baseUrl} yet` };
  }
  if (error.status === 401) {
    const remedy = `If the index is private, set ${readingKeyVariable} to one of its access keys.`;
    return { kind: 'unreadable', reason: `${endSentence(message)} ${remedy}` };
  }

  return { kind: 'unreadable', reason: message };
}

/** An unknown host of another name is a proxy: it says nothing about the site. */
function isUnknownHost({ cause }: Error, host: string): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }

  const { code, hostname } = cause as NodeJS.ErrnoException & { hostname?: string };
  return (code === 'ENOTFOUND' && hostname === host) || isUnknownHost(cause, host);
}

/** Reads the site in a folder. `ownDigests`: those of the site to publish, if that is another one. Throws if the folder holds no site. */
export function readCopy(folder: string, ownDigests?: Digests): Promise<LiveSite> {
  return readSite(openDocumentsIn(folder), ownDigests);
}

async function readSite(documents: PublishedDocuments, ownDigests?: Digests): Promise<LiveSite> {
  const { asOf, runs } = await readDocument(documents, firstDocument, LiveStatus);
  const list = await readPublishedText(documents, digestsFile);
  const digests = parseDigests(list).set(digestsFile, sha256(list));
  const events = await readOtherEvents(documents, digests, ownDigests ?? digests);
  return { asOf, digests, events, run: await readPublicRun(documents, runs) };
}

/** The events of the years whose files differ from those of the site to publish. */
async function readOtherEvents(
  documents: PublishedDocuments,
  digests: Digests,
  ownDigests: Digests,
): Promise<LiveEvent[]> {
  const events: LiveEvent[] = [];
  for (const [path, digest] of digests) {
    if (/^changes\/\d{4}\.json$/.test(path) && ownDigests.get(path) !== digest) {
      events.push(...(await readEvents(documents, path)));
    }
  }
  return events;
}

/** The events that readers of a published site know. */
export interface LiveState {
  run: PublicRun;
  /** The newest events. */
  events: readonly LiveEvent[];
}

/** The state of the site at an address or in a folder; undefined if it cannot be read. */
export async function readPublishedState(
  input: SiteHttpInput & { baseUrl: string; to?: string | undefined },
): Promise<LiveState | undefined> {
  const http = openSiteHttp(input);
  try {
    const documents =
      input.to === undefined ? openDocumentsAt(http, input.baseUrl) : openDocumentsIn(input.to);
    const { runs } = await readDocument(documents, firstDocument, LiveStatus);
    return {
      run: await readPublicRun(documents, runs),
      events: await readEvents(documents, 'changes.json'),
    };
  } catch {
    // Nothing is published yet, or the publication will report the problem.
    return undefined;
  } finally {
    await http.close();
  }
}

async function readPublicRun(
  documents: PublishedDocuments,
  runs: readonly { at: string }[] = [],
): Promise<PublicRun> {
  const instant = await documents.publishedAt?.();
  const publishedAt = instant === undefined ? undefined : new Date(instant).toISOString();
  return { published: runs[0]?.at, publishedAt };
}

async function readEvents(documents: PublishedDocuments, path: string): Promise<LiveEvent[]> {
  return (await readDocument(documents, path, LiveChanges)).changes;
}

/** A document that every index has. */
async function readDocument<T>(
  documents: PublishedDocuments,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  return parsePublished(path, await readPublishedText(documents, path), schema);
}
