/** Compares the events and runs in a checkout with the live site, and finds the command that restores missing data. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, inputError, type Problem } from '../core/errors.ts';
import type { Status } from '../core/schema/documents.ts';
import { DaySchema } from '../core/schema/scalars.ts';
import type { Definition } from '../core/schema/written.ts';
import { digestsFile, parseDigests, type Digests } from '../core/sha256sums.ts';
import { readDocument, type SiteReader } from '../core/site-reader.ts';
import { formatList, formatShare } from '../core/text.ts';
import { createRenaming, openData, type DataFiles } from '../record/data-files.ts';
import { findDataCommit, isAncestor, isShallow, openGit, readCommitted } from '../record/git.ts';
import { askForRenaming } from './renames.ts';

/** The parts of live documents that are compared. Another version of the program may have written them. */
export const LiveStatus = z.object({
  asOf: DaySchema,
  events: z.int().default(0),
  // Absent if an older version of this program built the site.
  journals: z.record(z.string(), z.int()).optional(),
  runs: z.int().default(0),
  lastRun: z.object({ at: z.string(), commit: z.string().optional() }).optional(),
});

export interface LiveHistory extends z.infer<typeof LiveStatus> {
  reader: SiteReader;
  digests: Digests;
}

export interface Checkout {
  root: string;
  data: DataFiles;
  definitions: ReadonlyMap<string, Definition>;
  signal: AbortSignal;
  /** Whether this run has just pulled the newest commits. */
  isPulled?: boolean | undefined;
}

/** Reads how many events and runs the live site has. Undefined if there is no live site yet. */
export async function readHistory(site: SiteReader): Promise<LiveHistory | undefined> {
  const list = await readLiveList(site);
  if (list === undefined) {
    return undefined;
  }

  // The digest of `status.json` is not checked, because a killed publication leaves newer files beside the old `SHA256SUMS`.
  const status = await readDocument(site, 'status.json', LiveStatus);
  return { reader: site, digests: parseDigests(list), ...status };
}

/** Reads `SHA256SUMS` of the live site. Undefined if there is no live site yet. */
export async function readLiveList(site: SiteReader): Promise<string | undefined> {
  try {
    // If the first publication into a folder was killed, its `SHA256SUMS` is empty.
    return (await site.read(digestsFile))?.toString() || undefined;
  } catch (error) {
    // If the host name does not exist, the site is new.
    const { cause } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ENOTFOUND') {
      return undefined;
    }
    throw error;
  }
}

/** Throws an `InputError` if the live site has data that the checkout lacks. If the host is down, returns a warning. */
export async function requirePublished(site: SiteReader, checkout: Checkout): Promise<Problem[]> {
  let live;
  try {
    live = await readHistory(site);
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    const message = `${error.message}. The live site was not compared with data/`;
    return [{ subject: 'live site', message, level: 'warning' }];
  }

  if (live) {
    await rejectLack(live, checkout);
  }
  return [];
}

/** Throws an `InputError` if `data/` or the built site lacks data of the live site. The message says how to restore the data. */
export async function rejectLack(
  live: LiveHistory,
  checkout: Checkout,
  built?: Status,
): Promise<void> {
  const { data, definitions } = checkout;
  const own = readOwn(data);
  const rename = createRenaming(definitions);
  rejectSecondJournal(live, own, rename);
  const lacking = listLacking(live, own, rename);
  const build = 'npx release-index build';
  if (lacking.length > 0) {
    const [command, words] = await findRemedy(live, own, checkout);
    const outcome = built ? 'Nothing was sent' : 'Nothing was changed';
    const next = built ? `${command} && ${build}` : command;
    throw inputError(
      'live site',
      `has data that this checkout lacks: ${formatList(lacking, 5)}. ${outcome}. ${words.replace('{}', next)}`,
    );
  }

  const unbuilt = built ? listLacking(live, { ...own, ...built }, rename) : [];
  if (unbuilt.length > 0) {
    throw inputError(
      'live site',
      `has data that the built site lacks, though data/ has it: ${formatList(unbuilt, 5)}. Nothing was sent. Build again: ${build}`,
    );
  }
}

interface History extends Pick<Status, 'journals' | 'runs'> {
  /** The instants at which the runs ended. */
  ends: ReadonlySet<string>;
}

function readOwn(data: DataFiles): History {
  const journals = data.countEvents();
  const runs = data.readRuns();
  return { journals, runs: runs.length, ends: new Set(runs.map(({ at }) => at)) };
}

/** Lists the data of the live site that a history lacks. Counts are enough, because a history only grows. */
function listLacking(live: LiveHistory, own: History, rename: (name: string) => string): string[] {
  const compare = (noun: string, published: number, here: number) =>
    here < published ? [`${formatShare(published - here, published)} ${noun}`] : [];
  const journals = Object.entries(live.journals ?? {}).flatMap(([former, published]) => {
    const name = rename(former);
    const here = isUnmoved(live, own, former, name) ? 0 : (own.journals[name] ?? 0);
    return compare(`events of ${name}`, published, here);
  });
  const events = Object.values(own.journals).reduce((sum, count) => sum + count, 0);
  const { at } = live.lastRun ?? {};
  return [
    ...(live.journals ? journals : compare('events', live.events, events)),
    ...compare('runs', live.runs, own.runs),
    ...(at === undefined || own.ends.has(at) ? [] : [`the last run (${at})`]),
  ];
}

/**
 * Throws an `InputError` if a component was declared as renamed only after readers had seen events under its new name. Moving the journal of
 * the former name over the new one would give the same ids to other events.
 */
function rejectSecondJournal(
  { journals = {} }: LiveHistory,
  own: History,
  rename: (name: string) => string,
): void {
  for (const former of Object.keys(journals)) {
    const name = rename(former);
    const isKept = [former, name].every((each) => journals[each] && own.journals[each]);
    if (name !== former && isKept) {
      throw inputError(
        `components/${name}.json`,
        `renamedFrom: readers know events of both names, so leave ${former} out of renamedFrom. Nothing was changed`,
      );
    }
  }
}

/**
 * Tells whether a renamed component still has its journal under the former name. It may also have a new journal that was never published.
 */
function isUnmoved({ journals = {} }: LiveHistory, own: History, former: string, name: string) {
  const { [name]: here = 0, [former]: left = 0 } = own.journals;
  const published = journals[former] ?? 0;
  const isNew = here === 0 || !Object.hasOwn(journals, name);
  return name !== former && left >= published && isNew;
}

/** A command that restores data, and the sentences around it. `{}` stands for the command. */
type Remedy = readonly [command: string, words: string];

/** Finds the command that restores the missing data. If a component may have been renamed, the message first asks about this. */
async function findRemedy(live: LiveHistory, own: History, checkout: Checkout): Promise<Remedy> {
  const { root, definitions, signal } = checkout;
  const moves = listMoves(live, own, root, createRenaming(definitions));
  if (moves.length > 0) {
    return [moves.join(' && '), 'Files in data/ still have the former name of a component: {}'];
  }

  // In a commit, components may have their present or their former names.
  const renamings = [createRenaming(definitions), createRenaming()];
  const commit = await findDataCommit(root, signal, (folder) => {
    const former = readOwn(openData(folder));
    return renamings.some((rename) => listLacking(live, former, rename).length === 0);
  });
  const question = await askForLost(live, own, checkout, commit);
  const [command, words] = await findCopy(checkout, commit);
  return [command, question === undefined ? words : `${question}. Otherwise: ${words}`];
}

/** Finds the command that restores the missing data from a commit. */
async function findCopy(
  { root, signal, isPulled }: Checkout,
  commit: string | undefined,
): Promise<Remedy> {
  const toGiveUp = 'To give it up: RUNBOOK, "History is missing"';
  const git = openGit(root, signal);
  if (commit !== undefined) {
    const isBehind =
      !(await isAncestor(git, commit, 'HEAD')) && (await isAncestor(git, commit, '@{upstream}'));
    return isBehind
      ? ['git pull', 'Others have pushed it: {}']
      : [`git restore --source=${commit} -- data`, `Commit ${commit} has it: {}. ${toGiveUp}`];
  }

  if (await isShallow(git)) {
    const words = 'This clone has only the newest commits. Run this again after: {}';
    return ['git fetch --unshallow', words];
  }
  return isPulled
    ? [
        '',
        `No commit of this clone or of its remote has it. Run this in the clone that published last, whose reflog may have it. ${toGiveUp}`,
      ]
    : ['git pull', `No commit of this clone has it. If others have pushed it: {}. ${toGiveUp}`];
}

/** Asks whether a component without definition and data was renamed. `commit`: a commit that contains its journal. */
async function askForLost(
  { reader, journals = {} }: LiveHistory,
  own: History,
  checkout: Checkout,
  commit: string | undefined,
): Promise<string | undefined> {
  const git = openGit(checkout.root, checkout.signal);
  const isLive = (name: string) => Object.hasOwn(journals, name);
  const rename = createRenaming(checkout.definitions);
  for (const lost of Object.keys(journals)) {
    const isLacking = journals[lost]! > (own.journals[lost] ?? 0);
    const isDeclared = rename(lost) !== lost || checkout.definitions.has(lost);
    if (isLacking && !isDeclared) {
      const text = commit && (await readCommitted(git, commit, `data/journal/${lost}.ndjson`));
      const lines = text?.split(/(?<=\n)/).slice(0, journals[lost]);
      const question = await askForRenaming(lost, reader, isLive, checkout, lines?.join(''));
      if (question !== undefined) {
        return question;
      }
    }
  }
  return undefined;
}

/** Lists the commands that move files which still have the former name of a renamed component. */
function listMoves(
  live: LiveHistory,
  own: History,
  root: string,
  rename: (name: string) => string,
): string[] {
  const unmoved = Object.keys(live.journals ?? {}).filter((former) =>
    isUnmoved(live, own, former, rename(former)),
  );
  return unmoved.flatMap((former) =>
    ['data/*.json', 'data/journal/*.ndjson']
      .map((path) => [path.replace('*', former), path.replace('*', rename(former))] as const)
      .filter(([from]) => existsSync(join(root, from)))
      .map(([from, to]) => `mv ${from} ${to}`),
  );
}
