import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { createLenient } from '../../core/schemas/published/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/runs.ts';
import { describeFileError, isAbsent, readIfThere, sha256 } from '../../io/files/file-system.ts';
import { readDocument as readLocalDocument, unwrapResult } from '../../io/files/read-documents.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, parseDigests, type Digests } from '../../site/digests.ts';
import { Preset } from '../../site/render/renovate/preset.ts';
import { openDocumentsAt, openDocumentsIn, parsePublished } from './index-documents.ts';
import { openSiteHttp, type SiteHttpInput } from './site-http.ts';

/** The facts that identify an event of the live site. Lenient, since a newer program may have published it. */
const LiveEvent = createLenient(
  PublishedChange.pick({ id: true, at: true, version: true, line: true, advisory: true }).extend({
    type: z.string(),
    component: z.string().optional(),
  }),
);
export type LiveEvent = z.infer<typeof LiveEvent>;

const LiveChanges = z.object({ changes: z.array(LiveEvent) });
const SiteStatus = createLenient(
  StatusFile.pick({ asOf: true, inputs: true, runs: true }).partial({ inputs: true }),
);

/** The newest public run, by its instant, and since when it is public. */
export type PublicRun = Pick<Run, 'published' | 'publishedAt'>;

export type LiveSite = Awaited<ReturnType<typeof readSite>>;

export type Live =
  | { kind: 'site'; site: LiveSite }
  /** Nothing is published there: `status.json` answers 404 or 410, the host name does not exist, or the folder has no site. */
  | { kind: 'nothing'; reason: string }
  /** Any other problem: it is unknown which events readers have. */
  | { kind: 'unreadable'; reason: string };

const statusFile = 'status.json';

interface LiveInput extends SiteHttpInput {
  baseUrl: string;
  /** The folder that a server serves, to read in place of the address. */
  to?: string | undefined;
}

/** Reads the site at an address or in a folder. `ownDigests`: those of the site to publish, if there is one. */
export async function readLive(input: LiveInput, ownDigests?: Digests): Promise<Live> {
  const { to } = input;
  try {
    if (to === undefined) {
      return { kind: 'site', site: await readAtAddress(input, ownDigests) };
    }
    if (hasNoSite(to)) {
      return { kind: 'nothing', reason: `nothing is in ${to} yet` };
    }

    return { kind: 'site', site: await readSite(openDocumentsIn(to), ownDigests) };
  } catch (error) {
    return explainFailure(error, input);
  }
}

/** Whether a folder is missing or empty, or its first copy of a site broke off and left an empty list of digests. */
function hasNoSite(folder: string): boolean {
  return (
    !existsSync(folder) ||
    readdirSync(folder).length === 0 ||
    readIfThere(join(folder, digestsFile))?.length === 0
  );
}

/** The reading key is for the address to publish to. */
async function readAtAddress(input: LiveInput, ownDigests?: Digests): Promise<LiveSite> {
  const { baseUrl } = input;
  const http = openSiteHttp({ ...input, ownUrl: baseUrl });
  try {
    return await readSite(openDocumentsAt(http, baseUrl), ownDigests);
  } finally {
    await http.close();
  }
}

/** `events`: those in files of a year, without files that the site to publish has, too. */
async function readSite(documents: PublishedDocuments, ownDigests?: Digests) {
  const { asOf, digests, newestRunAt } = await readSummary(documents);
  const events: LiveEvent[] = [];
  for (const [path, digest] of digests) {
    if (/^changes\/\d{4}\.json$/.test(path) && ownDigests?.get(path) !== digest) {
      events.push(...(await readDocument(documents, path, LiveChanges)).changes);
    }
  }

  const instant = await documents.publishedAt?.();
  const publishedAt = instant === undefined ? undefined : new Date(instant).toISOString();
  const run: PublicRun = { published: newestRunAt, publishedAt };
  return { asOf, digests, events, run };
}

export type BuiltSite = Awaited<ReturnType<typeof readSummary>>;

/** The site in the folder of a build. Throws if the folder holds no site. */
export function readBuiltSite(folder: string): Promise<BuiltSite> {
  return readSummary(openDocumentsIn(folder));
}

/** The address that a site was built for, without a trailing slash; undefined if there is none. Throws an `InputError`. */
export function readBaseUrl(folder: string): string | undefined {
  const path = join(folder, 'renovate.json');
  return isAbsent(path) ? undefined : unwrapResult(readLocalDocument(path, path, Preset)).baseUrl;
}

/**
 * `inputs`: the digest of the files that a site was built from. `digests`: of the files in the list, and of the list itself.
 * `newestRunAt`: the instant of its newest run, if it has any.
 */
async function readSummary(documents: PublishedDocuments) {
  const { asOf, inputs, runs } = await readDocument(documents, statusFile, SiteStatus);
  const list = await readPublishedText(documents, digestsFile);
  const reject = (problem: string) => new QuestionError('no-index', `${digestsFile}: ${problem}`);
  const digests = parseDigests(list, reject).set(digestsFile, sha256(list));
  return { asOf, inputs, digests, newestRunAt: runs?.[0]?.at };
}

/** Throws the error again if it is a defect of this program. */
function explainFailure(error: unknown, { baseUrl, to }: LiveInput): Live {
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
  const { href, hostname } = new URL(`${baseUrl}/${statusFile}`);
  if (error.url === href && (error.kind === 'absent' || isUnknownHost(error, hostname))) {
    return { kind: 'nothing', reason: `nothing is published at ${baseUrl} yet` };
  }

  return { kind: 'unreadable', reason: error.message };
}

/** Whether the name of the site's host is unknown. An unknown proxy says nothing about the site. */
function isUnknownHost({ cause }: Error, host: string): boolean {
  if (!(cause instanceof Error)) {
    return false;
  }

  const { code, hostname } = cause as NodeJS.ErrnoException & { hostname?: string };
  return (code === 'ENOTFOUND' && hostname === host) || isUnknownHost(cause, host);
}

/** A document that every index has. */
async function readDocument<T>(
  documents: PublishedDocuments,
  path: string,
  schema: z.ZodType<T>,
): Promise<T> {
  return parsePublished(path, await readPublishedText(documents, path), schema);
}
