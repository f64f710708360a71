/** Has a checkout the whole history that the live site has told? If not, which command brings it back? */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, inputError, type Problem } from '../core/errors.ts';
import { readDocument, type SiteReader } from '../core/index/site-reader.ts';
import type { Status } from '../core/schema/documents.ts';
import { DaySchema } from '../core/schema/scalars.ts';
import type { Definition } from '../core/schema/written.ts';
import { digestsFile, parseDigests, type Digests } from '../core/sha256sums.ts';
import { formatList } from '../core/text.ts';
import { createRenaming, openData, type DataFiles } from '../record/files.ts';
import { findDataCommit, isAncestor, isShallow, openGit } from '../record/git.ts';

/** As much of the live documents as is compared: another version of the program may have written them. */
export const LiveStatus = z.object({
  asOf: DaySchema,
  events: z.int().default(0),
  // Absent where a former program built the site.
  journals: z.record(z.string(), z.int()).optional(),
  runs: z.int().default(0),
  lastRun: z.object({ at: z.string() }).optional(),
});

export interface LiveHistory extends z.infer<typeof LiveStatus> {
  digests: Digests;
}

export interface Checkout {
  root: string;
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
  signal: AbortSignal;
}

/** What the live site has told. Undefined if there is none yet. */
export async function readHistory(site: SiteReader): Promise<LiveHistory | undefined> {
  const list = await readLiveList(site);
  if (list === undefined) {
    return undefined;
  }

  // Without its digest: beside the old list of a folder, a copy that broke off leaves newer files.
  const status = await readDocument(site, 'status.json', LiveStatus);
  return { digests: parseDigests(list), ...status };
}

/** The list of the live site. Undefined if there is no site yet. */
export async function readLiveList(site: SiteReader): Promise<string | undefined> {
  try {
    // A folder whose first copy broke off has an empty list.
    return (await site.read(digestsFile))?.toString() || undefined;
  } catch (error) {
    // The name of a new site is not known yet.
    const { cause } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ENOTFOUND') {
      return undefined;
    }
    throw error;
  }
}

/** Throws an `InputError` if the live site has told what a checkout lacks. A host that is down is a warning. */
export async function requirePublished(site: SiteReader, checkout: Checkout): Promise<Problem[]> {
  let live;
  try {
    live = await readHistory(site);
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    const message = `${error.message}. It was not compared with data/`;
    return [{ subject: 'live site', message, level: 'warning' }];
  }

  if (live) {
    await rejectLack(live, checkout);
  }
  return [];
}

/** Throws an `InputError` with the command that brings back what the live site has told and `data/`, or a built site of it, lacks. */
export async function rejectLack(
  live: LiveHistory,
  checkout: Checkout,
  built?: Status,
): Promise<void> {
  const { data, definitions } = checkout;
  const own = readOwn(data);
  const rename = createRenaming(definitions);
  const lacking = listLacking(live, own, rename);
  const build = 'npx release-index build';
  if (lacking.length > 0) {
    const [command, words] = await findRemedy(live, own, checkout);
    const outcome = built ? 'Nothing was sent' : 'Nothing was changed';
    const next = built ? `${command} && ${build}` : command;
    throw inputError(
      'live site',
      `has published what is not here: ${formatList(lacking, 5)}. ${outcome}. ${words.replace('{}', next)}`,
    );
  }

  const unbuilt = built ? listLacking(live, { ...own, ...built }, rename) : [];
  if (unbuilt.length > 0) {
    throw inputError(
      'live site',
      `has published what this site lacks, and data/ has it: ${formatList(unbuilt, 5)}. Nothing was sent. Build again: ${build}`,
    );
  }
}

interface History extends Pick<Status, 'journals' | 'runs'> {
  /** The ends of its runs. */
  ends: ReadonlySet<string>;
}

function readOwn(data: DataFiles): History {
  const journals = data.countEvents();
  const runs = data.readRuns();
  return { journals, runs: runs.length, ends: new Set(runs.map(({ at }) => at)) };
}

/** What the live site has told, and a history lacks, which only grows. */
function listLacking(live: LiveHistory, own: History, rename: (name: string) => string): string[] {
  const compare = (what: string, published: number, here: number) =>
    here < published ? [`${published - here} of ${published} ${what}`] : [];
  const journals = Object.entries(live.journals ?? {}).flatMap(([former, published]) => {
    const name = rename(former);
    return compare(`events of ${name}`, published, own.journals[name] ?? 0);
  });
  const events = Object.values(own.journals).reduce((sum, count) => sum + count, 0);
  const { at } = live.lastRun ?? {};
  return [
    ...(live.journals ? journals : compare('events', live.events, events)),
    ...compare('runs', live.runs, own.runs),
    ...(at === undefined || own.ends.has(at) ? [] : [`the last run (${at})`]),
  ];
}

/** The command that brings back what is lacking, and the sentences around it. */
async function findRemedy(
  live: LiveHistory,
  own: History,
  { root, definitions, signal }: Checkout,
): Promise<[command: string, words: string]> {
  const moves = listMoves(live, own, root, createRenaming(definitions));
  if (moves.length > 0) {
    return [moves.join(' && '), 'Files in data/ still have the former name of a component: {}'];
  }

  const toGiveUp = 'To give it up: RUNBOOK, "History is missing"';
  const git = openGit(root, signal);
  // Under present names, or under those of its day.
  const renamings = [createRenaming(definitions), createRenaming()];
  const commit = await findDataCommit(root, signal, (folder) => {
    const former = readOwn(openData(folder));
    return renamings.some((rename) => listLacking(live, former, rename).length === 0);
  });
  if (commit === undefined) {
    return (await isShallow(git))
      ? [
          'git fetch --unshallow',
          'This clone has only the newest commits. Run this again after: {}',
        ]
      : ['git pull', `No commit of this clone has it. If others have pushed it: {}. ${toGiveUp}`];
  }

  const isBehind =
    !(await isAncestor(git, commit, 'HEAD')) && (await isAncestor(git, commit, '@{upstream}'));
  return isBehind
    ? ['git pull', 'Others have pushed it: {}']
    : [`git restore --source=${commit} -- data`, `Commit ${commit} has it: {}. ${toGiveUp}`];
}

/** The commands that move the files of renamed components which a person did not move. */
function listMoves(
  live: LiveHistory,
  own: History,
  root: string,
  rename: (name: string) => string,
): string[] {
  const unmoved = Object.entries(live.journals ?? {}).filter(([former, published]) => {
    const name = rename(former);
    const { [name]: here = 0, [former]: left = 0 } = own.journals;
    return name !== former && here < published && left >= published;
  });
  return unmoved.flatMap(([former]) =>
    ['data/*.json', 'data/journal/*.ndjson']
      .map((path) => [path.replace('*', former), path.replace('*', rename(former))] as const)
      .filter(([from]) => existsSync(join(root, from)))
      .map(([from, to]) => `mv ${from} ${to}`),
  );
}
