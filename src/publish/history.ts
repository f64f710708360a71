/** The history that a site has published: no run may publish another one that does not contain it. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import * as z from 'zod';
import type { Definition } from '../core/schema/definition.ts';
import { inputError } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import { parseForeign, parseJson } from '../core/parse-document.ts';
import { readDocument, type SiteReader } from '../core/index/site-reader.ts';
import type { Digests } from '../core/sha256sums.ts';
import { readWhole } from '../record/data-files.ts';
import { openData } from '../record/files.ts';

/** Journals and runs only grow, so a published file is the beginning of each later one. */
export const growing = /^data\/(?:journal|runs)\/[^/]+\.ndjson$/;

/** What a site has told. `path`: at the site; here, the component may have another name by now. */
export type Published = PublishedFile | PublishedEvent;

/** The checkout must have it, at least as the beginning of its file. */
interface PublishedFile {
  path: string;
  digest: string;
}

/** Where an earlier program built the site, without `data/`: the newest event of a journal, and how its line begins. */
interface PublishedEvent {
  path: string;
  beginning: string;
  news: News;
}

/** An event that was told, or a run. */
interface News {
  at: string;
  words: string;
}

/** Everything that a site has told. None where it tells nothing yet. */
export async function listTold(site: SiteReader, digests: Digests): Promise<Published[]> {
  const files = [...digests].filter(([path]) => growing.test(path));
  return files.length > 0
    ? files.map(([path, digest]) => ({ path, digest }))
    : await listNewestEvents(site, digests);
}

const Changes = z.object({
  changes: z.array(
    z.object({ id: z.string(), component: z.string(), at: z.string(), text: z.string() }),
  ),
});

/** Of a site without `data/`: the newest event of each component. */
async function listNewestEvents(site: SiteReader, digests: Digests): Promise<PublishedEvent[]> {
  const newest = new Map<string, PublishedEvent>();
  const years = [...digests.keys()].filter((path) => /^changes\/\d{4}\.json$/.test(path));
  // The newest comes first in a file, too.
  for (const year of years.sort().reverse()) {
    const { changes } = await readDocument(site, year, Changes);
    for (const { id, component, at, text } of changes) {
      if (!newest.has(component)) {
        const path = `data/journal/${component}.ndjson`;
        const beginning = `{"id":${id.split('/').at(-1)},"at":"${at}"`;
        newest.set(component, { path, beginning, news: { at, words: text } });
      }
    }
  }
  return [...newest.values()];
}

/** Finds the path of a file of `data/` here, by its published one and the former names in definitions. */
export function followRenames(definitions: ReadonlyMap<string, Definition>) {
  const names = new Map(
    Array.from(definitions).flatMap(([name, { renamedFrom = [] }]) =>
      renamedFrom.map((former) => [former, name] as const),
    ),
  );
  const componentName = /(?<=^data\/|\/journal\/)[^/]+(?=\.\w+$)/;
  return (publishedPath: string) =>
    publishedPath.replace(componentName, (former) => names.get(former) ?? former);
}

export interface Place {
  /** The index. */
  root: string;
  definitions: ReadonlyMap<string, Definition>;
  /** The folder whose `data/` is published: the index, or its built site. */
  folder: string;
  site: SiteReader;
  /** An address or a folder. */
  to: string;
  /** ` --from …` where it is not that of the settings. */
  from: string;
  /** What was not done. */
  outcome: string;
}

/** Throws an `InputError` that names the newest published event which is not there, and the commands that bring it back. */
export async function requireTold(
  told: readonly Published[],
  { root, definitions, folder, site, to, from, outcome }: Place,
): Promise<void> {
  const findOwnPath = followRenames(definitions);
  const files = told.map((published) => {
    const path = findOwnPath(published.path);
    return { published, path, own: readWhole(folder, path) };
  });
  const lacking = files.filter(({ published, own }) => !contains(own, published));
  const [first] = lacking;
  if (!first) {
    return;
  }

  // Throws for a file that cannot be read, which has a remedy of its own.
  const data = openData(root);
  data.readRuns();
  const journals = lacking.filter(({ path }) => path.startsWith('data/journal/'));
  journals.forEach(({ path }) => data.readJournal(basename(path, '.ndjson')));

  const news = await Array.fromAsync(lacking, ({ published, path, own }) =>
    findNews(published, path, own, site),
  );
  const [newest] = news
    .filter((each) => each !== undefined)
    .sort((a, b) => b.at.localeCompare(a.at));
  const words = newest ? `${newest.words} (${newest.at})` : first.path;
  const advice =
    'digest' in first.published
      ? `Bring it back with git pull or, if nobody has pushed it, npx release-index restore${from}`
      : 'Bring data/ back as it was then, from an earlier commit or a backup';
  throw inputError(
    'live site',
    `${to} has published what this checkout lacks: ${words}. ${advice}. ${outcome}`,
  );
}

function contains(own: Buffer, published: Published): boolean {
  return 'digest' in published
    ? beginsWith(own, published.digest)
    : own.includes(published.beginning);
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

/** The newest line that is not ours, in words; none where the published file cannot be read. */
async function findNews(
  published: Published,
  path: string,
  own: Buffer,
  site: SiteReader,
): Promise<News | undefined> {
  if ('news' in published) {
    return published.news;
  }

  const bytes = await site.read(published.path).catch(() => undefined);
  if (!bytes || sha256(bytes) !== published.digest) {
    return undefined;
  }

  const ownLines = new Set(readLines(own));
  const text = readLines(bytes).findLast((each) => !ownLines.has(each));
  if (text === undefined) {
    return undefined;
  }
  const line = parseForeign(Line, parseJson(text, path), path);
  return { at: line.at, words: describeLine(path, line) };
}

function readLines(text: Buffer): string[] {
  return text.toString().split('\n').filter(Boolean);
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
