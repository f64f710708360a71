import type { z } from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { lenient } from '../../core/schemas/published/document-schemas.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { sentence } from '../../core/text/wording.ts';
import { sha256 } from '../../io/files/file-system.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, parseDigests } from '../../site/digests.ts';
import { documentsAt, documentsIn, parsePublished } from './index-documents.ts';
import { readNewestEvents, readOtherEvents, type LiveEvent } from './live-events.ts';
import { openSiteHttp, readingKeyVariable, type SiteHttpInput } from './site-http.ts';

export interface LiveSite {
  asOf: string;
  digests: ReadonlyMap<string, string>;
  /** The events in files of a year that differ from those of the site to publish. */
  events: readonly LiveEvent[];
  run: PublicRun;
}

/** The newest public run, by its instant, and since when it is public. */
export type PublicRun = Pick<Run, 'published' | 'publishedAt'>;

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
  ownDigests: ReadonlyMap<string, string>,
): Promise<Live> {
  const { baseUrl } = input;
  const http = openSiteHttp(input);

  try {
    return { kind: 'site', site: await readSite(documentsAt(http, baseUrl), ownDigests) };
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof HttpError)) {
      return { kind: 'unreadable', reason: `${baseUrl}: ${message}` };
    }

    const isFirst = error.url === new URL(`${baseUrl}/${firstDocument}`).href;
    if (isFirst && (error.kind === 'absent' || isUnknownName(error))) {
      return { kind: 'nothing', reason: `nothing is published at ${baseUrl} yet` };
    }

    const advice = `If the index is private, set ${readingKeyVariable} to one of its access keys.`;
    return {
      kind: 'unreadable',
      reason: error.status === 401 ? `${sentence(message)} ${advice}` : message,
    };
  } finally {
    await http.close();
  }
}

/** Reads the site in a folder. Throws if the folder holds no site. */
export function readCopy(
  folder: string,
  ownDigests?: ReadonlyMap<string, string>,
): Promise<LiveSite> {
  return readSite(documentsIn(folder), ownDigests);
}

/** The events that readers of a published site know. */
export interface LiveState {
  readonly run: PublicRun;
  /** The newest events. */
  readonly events: readonly LiveEvent[];
}

/** The state of the site at an address or in a folder; undefined if it cannot be read. */
export async function readPublishedState(
  input: SiteHttpInput & { baseUrl: string; to?: string | undefined },
): Promise<LiveState | undefined> {
  const http = openSiteHttp(input);
  try {
    const documents =
      input.to === undefined ? documentsAt(http, input.baseUrl) : documentsIn(input.to);
    const { runs } = await readAs(documents, firstDocument, LiveStatus);
    return {
      run: await readPublicRun(documents, runs),
      events: await readNewestEvents(documents),
    };
  } catch {
    // Nothing is published yet, or the publication will report the problem.
    return undefined;
  } finally {
    await http.close();
  }
}

const LiveStatus = lenient(StatusFile.pick({ asOf: true, runs: true }));

async function readPublicRun(
  documents: PublishedDocuments,
  runs: readonly { at: string }[] = [],
): Promise<PublicRun> {
  const instant = await documents.publishedAt?.();
  const publishedAt = instant === undefined ? undefined : new Date(instant).toISOString();
  return { published: runs[0]?.at, publishedAt };
}

async function readSite(
  documents: PublishedDocuments,
  ownDigests?: ReadonlyMap<string, string>,
): Promise<LiveSite> {
  const { asOf, runs } = await readAs(documents, firstDocument, LiveStatus);
  const list = await readPublishedText(documents, digestsFile);
  const digests = parseDigests(list).set(digestsFile, sha256(list));
  const events = await readOtherEvents(documents, digests, ownDigests ?? digests);
  const run = await readPublicRun(documents, runs);
  return { asOf, digests, events, run };
}

/** A document that every index has. */
async function readAs<T>(
  documents: PublishedDocuments,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  return parsePublished(path, await readPublishedText(documents, path), schema);
}

function isUnknownName({ cause }: Error): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }

  return (cause as NodeJS.ErrnoException).code === 'ENOTFOUND' || isUnknownName(cause);
}
