import { existsSync, readdirSync } from 'node:fs';
import * as z from 'zod';
import { readPublishedText, type PublishedDocuments } from '../../ask/answers/answer-index.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import { createLenient } from '../../core/schemas/published/document-schemas.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Run } from '../../core/schemas/recorded/journal.ts';
import { endSentence, formatCount, formatList } from '../../core/text/wording.ts';
import { describeFileError, sha256 } from '../../io/files/file-system.ts';
import { HttpError } from '../../io/http/error.ts';
import { digestsFile, parseDigests, type Digests } from '../../site/digests.ts';
import { openDocumentsAt, openDocumentsIn, parsePublished } from './index-documents.ts';
import { openSiteHttp, readingKeyVariable, type SiteHttpInput } from './site-http.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import {
  readPublishedIds,
  listJournals,
  readJournal,
  listRuns,
} from '../../io/files/recorded-files.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { findDecidedComponent } from '../../record/gate/rules/waiting-change.ts';

/** The subject of an event of the live site. Lenient, since a newer program may have published it. */
const LiveEvent = createLenient(
  PublishedChange.pick({ id: true, at: true, version: true, line: true, advisory: true }).extend({
    type: z.string(),
  }),
);
type LiveEvent = z.infer<typeof LiveEvent>;

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
function explainUnread(error: unknown, { baseUrl, to = baseUrl }: LiveInput): Live {
  if (error instanceof QuestionError) {
    return { kind: 'unreadable', reason: `${to}: ${error.message}` };
  }
  if (!(error instanceof HttpError)) {
    const reason = describeFileError(error);
    if (reason === undefined) {
      throw error;
    }

    return { kind: 'unreadable', reason };
  }

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

/** An unknown host of another name is a proxy: it says nothing about the site. */
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
    // Nothing is published yet, or the publication will report the problem.
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

/** The kind of findings about events that readers would lose. */
export const lostEvents = 'lost events';

/**
 * A problem if readers of the live site have events that the journals lack, or ids that name other events there: this checkout is
 * behind, or its history was rewritten. Events of a component that a decision removed may be missing. `decisions`: those of the
 * present run.
 */
export function findLostEvents(
  root: Root,
  events: readonly LiveEvent[],
  decisions: readonly string[] = [],
): Finding | undefined {
  const removedNames = listRemoved(root, decisions);
  const { missing, renamed } = listLostEvents(
    root,
    events.filter(({ id }) => !removedNames.has(splitId(id).component)),
  );

  const problems: string[] = [];
  if (missing.length > 0) {
    problems.push(
      `has ${formatCount(missing.length, 'event')} that the journals lack: ${formatEvents(missing)}`,
    );
  }
  if (renamed.length > 0) {
    problems.push(
      `calls ${formatCount(renamed.length, 'event')} by ids of others in the journals: ${formatEvents(renamed)}`,
    );
  }
  if (problems.length === 0) {
    return undefined;
  }

  const remedy =
    'Nothing was recorded or published. If this checkout is behind: git pull. If its history was rewritten: restore the lost commits, or go on from the present commit: npx release-index accept history';
  return { ...problem('live site', `${problems.join(', and ')}. ${remedy}`), kind: lostEvents };
}

/** The components that a decision is about and that are no longer there. */
function listRemoved(root: Root, decisions: readonly string[]): Set<string> {
  const accepted = listRuns(root).runs.flatMap((run) => run.accepted ?? []);
  const components = [...accepted, ...decisions].map(findDecidedComponent);
  return new Set(components).difference(new Set(listComponents(root).names));
}

/** The greatest live id of each component with lost events. */
export function findLostIds(root: Root, events: readonly LiveEvent[]): Record<string, number> {
  const { missing, renamed } = listLostEvents(root, events);
  const components = new Set([...missing, ...renamed].map(({ id }) => splitId(id).component));
  const ids = new Map<string, number>();
  for (const event of events) {
    const { component, number } = splitId(event.id);
    if (components.has(component)) {
      ids.set(component, Math.max(number, ids.get(component) ?? 0));
    }
  }
  return Object.fromEntries(ids);
}

/** Without events that a person has given up. */
function listLostEvents(root: Root, events: readonly LiveEvent[]) {
  const recorded = readRecordedEvents(root);
  const givenUpIds = readPublishedIds(root);
  const missing: LiveEvent[] = [];
  const renamed: LiveEvent[] = [];

  for (const event of events) {
    const { component, number } = splitId(event.id);
    const description = recorded.get(event.id);
    if (number <= (givenUpIds.get(component) ?? 0)) {
      continue;
    }

    if (description === undefined) {
      missing.push(event);
    } else if (description !== nameEvent(event)) {
      renamed.push(event);
    }
  }

  return { missing, renamed };
}

/** The parts of a published id. */
function splitId(id: string): { component: string; number: number } {
  const slash = id.lastIndexOf('/');
  return { component: id.slice(0, slash), number: Number(id.slice(slash + 1)) };
}

function formatEvents(events: readonly LiveEvent[]): string {
  return formatList(
    events.map((event) => `${event.id} (${nameEvent(event)})`),
    3,
  );
}

/** Descriptions of the events in all journals, by their published ids. A renamed component keeps its former name in ids. */
function readRecordedEvents(root: Root): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>();
  for (const name of listJournals(root)) {
    const events = readJournal(root, name).value?.values ?? [];
    const { component = name } = events[0] ?? {};
    for (const event of events) {
      descriptions.set(`${component}/${event.id}`, nameEvent(event));
    }
  }
  return descriptions;
}

/** The type, subject and instant of an event. */
function nameEvent({ at, type, version, line, advisory }: Omit<LiveEvent, 'id'>): string {
  return [type, version ?? line ?? advisory, at].filter(Boolean).join(' ');
}
