/** The history that a site has published: no run may publish another one that does not contain it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod';
import type { Definition } from '../core/schema/definition.ts';
import { inputError } from '../core/errors.ts';
import { parseForeign, parseJson } from '../core/parse-document.ts';
import { sha256 } from '../core/files.ts';
import { readDocument, type SiteReader } from '../core/index/site-reader.ts';
import type { Digests } from '../core/sha256sums.ts';
import { readDataFiles, readWhole } from '../record/data-files.ts';
import { openData } from '../record/files.ts';
import { openGit, openHistory, showFile } from '../record/git.ts';

/** Journals and runs only grow, so a published file is the beginning of each later one. */
const growing = /^data\/(?:journal|runs)\/[^/]+\.ndjson$/;

/** What a site has told in a file that the checkout must have, at least as its beginning. */
export interface Published {
  /** That of the checkout, which may have renamed the component. */
  path: string;
  /** Absent where an earlier program built the site, without `data/`. */
  file?: { path: string; digest: string };
  /** In its place, the newest event of a journal. `beginning`: of its line. */
  event?: News & { beginning: string };
}

/** An event that was told, or a run. */
interface News {
  at: string;
  words: string;
}

/** Reads a file of `data/`: empty if there is none. */
type ReadFile = (path: string) => Buffer;

/** Everything that a site has told. None where it tells nothing yet. */
export async function listTold(
  site: SiteReader,
  digests: Digests,
  findOwnPath: FindOwnPath,
): Promise<Published[]> {
  const files = [...digests].filter(([path]) => growing.test(path));
  return files.length > 0
    ? files.map(([path, digest]) => ({ path: findOwnPath(path), file: { path, digest } }))
    : await listNewestEvents(site, digests, findOwnPath);
}

/** Finds the path of a file of `data/` here, by its published one: a component may have another name by now. */
export type FindOwnPath = (publishedPath: string) => string;

/** By the former names in definitions. */
export function followRenames(definitions: ReadonlyMap<string, Definition>): FindOwnPath {
  const names = new Map(
    Array.from(definitions).flatMap(([name, { renamedFrom = [] }]) =>
      renamedFrom.map((former) => [former, name] as const),
    ),
  );
  const componentName = /(?<=^data\/|\/journal\/)[^/]+(?=\.\w+$)/;
  return (path) => path.replace(componentName, (former) => names.get(former) ?? former);
}

const Changes = z.object({
  changes: z.array(
    z.object({ id: z.string(), component: z.string(), at: z.string(), text: z.string() }),
  ),
});

/** Of a site without `data/`: the newest event of each component. */
async function listNewestEvents(
  site: SiteReader,
  digests: Digests,
  findOwnPath: FindOwnPath,
): Promise<Published[]> {
  const newest = new Map<string, Published>();
  const years = [...digests.keys()].filter((path) => /^changes\/\d{4}\.json$/.test(path));
  for (const year of years.sort().reverse()) {
    const { changes } = await readDocument(site, year, Changes);
    for (const { id, component, at, text } of changes) {
      const path = findOwnPath(`data/journal/${component}.ndjson`);
      const former = newest.get(path)?.event;
      if (former === undefined || former.at < at) {
        const beginning = `{"id":${id.split('/').at(-1)},"at":"${at}"`;
        newest.set(path, { path, event: { at, words: text, beginning } });
      }
    }
  }
  return [...newest.values()];
}

/** What these files do not have. */
function listLacking(told: readonly Published[], read: ReadFile): Published[] {
  return told.filter(({ path, file, event }) => {
    const bytes = read(path);
    const hasFile = file === undefined || beginsWith(bytes, file.digest);
    const hasEvent = event === undefined || bytes.includes(event.beginning);
    return !hasFile || !hasEvent;
  });
}

/** Whether a text, or its beginning up to the end of a line, has the digest. */
function beginsWith(text: Buffer, digest: string): boolean {
  const hash = createHash('sha256');
  let start = 0;
  while (start < text.length) {
    if (hash.copy().digest('hex') === digest) {
      return true;
    }
    const end = text.indexOf('\n', start) + 1 || text.length;
    hash.update(text.subarray(start, end));
    start = end;
  }
  return hash.digest('hex') === digest;
}

function readLines(text: Buffer): string[] {
  return text.toString().split('\n').filter(Boolean);
}

interface Place {
  /** The index. */
  root: string;
  /** The folder whose `data/` is published: the index, or its built site. */
  folder: string;
  site: SiteReader;
  /** An address or a folder. */
  to: string;
  /** ` --from …` where it is not that of the settings. */
  from: string;
  signal: AbortSignal;
  /** What was not done. */
  outcome: string;
}

/** Throws an `InputError` that names the newest published event which is not there, and the command that helps. */
export async function requireTold(told: readonly Published[], place: Place): Promise<void> {
  const read: ReadFile = (path) => readWhole(place.folder, path);
  const lacking = listLacking(told, read);
  const [first] = lacking;
  if (!first) {
    return;
  }

  // A file that cannot be read has a remedy of its own.
  const data = openData(place.root);
  data.readRuns();
  lacking.forEach(({ path }) => data.readJournal(basename(path, '.ndjson')));

  const published = await readPublished(told, place.site);
  const [newest] = lacking
    .flatMap((each) => findNews(each, read(each.path), published.get(each.path)) ?? [])
    .sort((a, b) => b.at.localeCompare(a.at));
  const words = newest ? `${newest.words} (${newest.at})` : first.path;
  throw inputError(
    'live site',
    `${place.to} has published what this checkout lacks: ${words}. ${await advise(told, place, published)}. ${place.outcome}`,
  );
}

/** The published files, by their path here. What cannot be read now has still other bytes than ours. */
async function readPublished(
  told: readonly Published[],
  site: SiteReader,
): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const { path, file } of told) {
    const bytes = file && (await site.read(file.path).catch(() => undefined));
    if (bytes && sha256(bytes) === file.digest) {
      files.set(path, bytes);
    }
  }
  return files;
}

/** The newest line that is not ours, in words; none where the published file cannot be read. */
function findNews(
  { path, event }: Published,
  recorded: Buffer,
  published?: Buffer,
): News | undefined {
  const recordedLines = new Set(readLines(recorded));
  const text = published && readLines(published).findLast((each) => !recordedLines.has(each));
  if (text === undefined) {
    return event;
  }

  const line = parseForeign(Line, parseJson(text, path), path);
  return { at: line.at, words: describeLine(path, line) };
}

const Line = z.object({
  id: z.union([z.int(), z.string()]),
  at: z.string(),
  type: z.string().optional(),
  version: z.string().optional(),
  line: z.string().optional(),
  advisory: z.string().optional(),
});

/** `svc 3.5.2: released, event 83`. */
function describeLine(path: string, { id, type, version, line, advisory }: z.infer<typeof Line>) {
  if (type === undefined) {
    return 'the last run';
  }
  const component = basename(path, '.ndjson');
  const subject = `${component} ${version ?? line ?? advisory ?? ''}`.trimEnd();
  return `${subject}: ${type}, event ${id}`;
}

/** The command that helps. */
async function advise(
  told: readonly Published[],
  { root, folder, from, signal }: Place,
  published: ReadonlyMap<string, Buffer>,
): Promise<string> {
  const isThere = (read: ReadFile) => listLacking(told, read).length === 0;
  if (folder !== root && isThere((path) => readWhole(root, path))) {
    return 'Build again: npx release-index build';
  }
  // Where nothing was pushed since, it has what this checkout has.
  if (isThere(await openUpstream(root, signal))) {
    return 'Others have pushed it: git pull';
  }

  if (!told[0]?.file) {
    return 'Bring data/ back as it was then, from an earlier commit or a backup';
  }
  const restore = `npx release-index restore${from}`;
  const isRead = told.every(({ path }) => published.has(path));
  return isRead && findParting(root, published) !== undefined
    ? `Bring it back, without what this checkout told otherwise: git rm -r --quiet --force data && ${restore}`
    : `Bring it back: ${restore}`;
}

/** The first journal, or file of runs, of a checkout that does not go on in the published one. */
export function findParting(
  root: string,
  published: ReadonlyMap<string, Buffer>,
): string | undefined {
  for (const [name, recorded] of readDataFiles(root)) {
    const whole = published.get(name) ?? Buffer.alloc(0);
    if (growing.test(name) && !whole.subarray(0, recorded.length).equals(recorded)) {
      return name;
    }
  }
  return undefined;
}

/** The files of what others have pushed, if that goes on from here. */
async function openUpstream(root: string, signal: AbortSignal): Promise<ReadFile> {
  const git = openGit(root, signal);
  try {
    await git('fetch', '--quiet');
    await git('merge-base', '--is-ancestor', 'HEAD', '@{upstream}');
  } catch {
    return () => Buffer.alloc(0);
  }
  const history = openHistory(root);
  return (path) => {
    try {
      return Buffer.from(showFile(history, '@{upstream}', path));
    } catch {
      // It has no such file.
      return Buffer.alloc(0);
    }
  };
}
