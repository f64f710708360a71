import { existsSync, readdirSync } from 'node:fs';
import * as z from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { createLenient } from '../../core/schemas/published/document-schemas.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { endSentence } from '../../core/text/wording.ts';
import { describeFileError, sha256 } from '../../io/files/file-system.ts';
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

interface LiveInput extends SiteHttpInput {
  baseUrl: string;
  /** The folder that a server serves, to read in place of the address. */
  to?: string | undefined;
}

/** Reads the site at an address or in a folder. `ownDigests`: those of the site to publish. */
export async function readLive(input: LiveInput, ownDigests: Digests): Promise<Live> {
  const { to } = input;
  try {
    if (to !== undefined && (!existsSync(to) || readdirSync(to).length === 0)) {
      return { kind: 'nothing', reason: `nothing is in ${to} yet` };
    }

    const site = await readPublished(input, (documents) => readSite(documents, ownDigests));
    return { kind: 'site', site };
  } catch (error) {
    return explainUnread(error, input);
  }
}

async function readPublished<T>(
  input: LiveInput,
  read: (documents: PublishedDocuments) => Promise<T>,
): Promise<T> {
  if (input.to !== undefined) {
    return read(openDocumentsIn(input.to));
  }

  const http = openSiteHttp(input);
  try {
    return await read(openDocumentsAt(http, input.baseUrl));
  } finally {
    await http.close();
  }
}

/** Throws the error again if it is a defect of this program. */
function explainUnread(error: unknown, { baseUrl, to }: LiveInput): Live {
  if (error instanceof HttpError) {
    return explainFailedRequest(error, baseUrl);
  }
  if (error instanceof QuestionError) {
    return { kind: 'unreadable', reason: `${to ?? baseUrl}: ${error.message}` };
  }

  const reason = describeFileError(error);
  if (reason === undefined) {
    throw error;
  }

  return { kind: 'unreadable', reason };
}

function explainFailedRequest(error: HttpError, baseUrl: string): Live {
  const { message } = error;
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

/** Whether the name of the site's host is unknown. An unknown proxy says nothing about the site. */
function isUnknownHost({ cause }: Error, host: string): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }

  const { code, hostname } = cause as NodeJS.ErrnoException & { hostname?: string };
  return (code === 'ENOTFOUND' && hostname === host) || isUnknownHost(cause, host);
}

/** Reads the site in a folder. Throws if the folder holds no site. */
export function readCopy(folder: string): Promise<LiveSite> {
  return readSite(openDocumentsIn(folder));
}

/** `ownDigests`: those of the site to publish; without them, no events are read. */
async function readSite(documents: PublishedDocuments, ownDigests?: Digests): Promise<LiveSite> {
  const { asOf, runs } = await readDocument(documents, firstDocument, LiveStatus);
  const list = await readPublishedText(documents, digestsFile);
  const reject = (problem: string) => new QuestionError('no-index', `${digestsFile}: ${problem}`);
  const digests = parseDigests(list, reject).set(digestsFile, sha256(list));
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
export async function readPublishedState(input: LiveInput): Promise<LiveState | undefined> {
  try {
    return await readPublished(input, readState);
  } catch (error) {
    // Throws defects. Otherwise nothing is published yet, or the publication will report the problem.
    explainUnread(error, input);
    return undefined;
  }
}

async function readState(documents: PublishedDocuments): Promise<LiveState> {
  const { runs } = await readDocument(documents, firstDocument, LiveStatus);
  return {
    run: await readPublicRun(documents, runs),
    events: await readEvents(documents, 'changes.json'),
  };
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
