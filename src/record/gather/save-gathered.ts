import { rmSync } from 'node:fs';
import pLimit from 'p-limit';
import { Freshness } from '../../core/schemas/freshness.ts';
import { RecordedData } from '../../core/schemas/recorded.ts';
import { valueOf } from '../../io/files/documents.ts';
import { lock } from '../../io/files/lock.ts';
import { readFreshness, readRecorded } from '../../io/files/read.ts';
import {
  formatDocument,
  leftovers,
  readIfThere,
  removeLeftovers,
  saveUnlessMoved,
} from '../../io/files/save.ts';
import {
  freshnessFolder,
  freshnessPath,
  ownFreshnessFolder,
  ownFreshnessPath,
  recordedFolder,
  recordedPath,
  type Root,
} from '../../io/files/root.ts';
import type { GatherInput, GatherResult } from './gather-component.ts';

/**
 * Saves what was gathered for one component, and returns the result that was saved. Two runs at once must not lose what
 * the other has just recorded: the files are read again under a lock, and if they have changed meanwhile, `again` unites the
 * same answers with what they hold now. Throws a BrokenFileError rather than overwrite a file that cannot be read.
 */
export function saveGathered(
  { root, recordsFreshness }: Target,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  return oneAtATime(() => saveLocked({ root, recordsFreshness }, input, result, again));
}

export interface Target {
  root: Root;
  /** Whether `data/` takes what was found beside releases, too; else the cache of this checkout does. */
  recordsFreshness: boolean;
}

/** The components of a run queue here rather than at the lock, where each would try again and again. */
const oneAtATime = pLimit(1);

async function saveLocked(
  { root, recordsFreshness }: Target,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  const release = await lock(root, 'data');
  try {
    let saved = attempt({ root, recordsFreshness }, input, result, again);
    while (saved === undefined) saved = attempt({ root, recordsFreshness }, input, result, again);
    return saved;
  } finally {
    release();
  }
}

/** Undefined where another run has written meanwhile, because this one was suspended for longer than its lock lasts. */
function attempt(
  { root, recordsFreshness }: Target,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): GatherResult | undefined {
  const own = ownFreshnessPath(root, input.component);
  const paths = {
    recorded: recordedPath(root, input.component),
    freshness: recordsFreshness ? freshnessPath(root, input.component) : own,
  };
  const before = { recorded: readIfThere(paths.recorded), freshness: readIfThere(paths.freshness) };
  const recorded = valueOf(readRecorded(root, input.component));
  const freshness = valueOf(readFreshness(root, input.component));
  const isAsRead = isSame(recorded, input.recorded) && isSame(freshness, input.freshness);
  const saved = isAsRead ? result : again({ ...input, recorded, freshness });
  // A file that cannot be read again would keep every later run from starting.
  const data = RecordedData.parse({ releases: saved.releases });
  // What a person has written keeps its form until there is news.
  const content =
    before.recorded && isSame(recorded, data.releases) ? before.recorded.toString() : formatDocument(data);
  const state = formatDocument(Freshness.parse(saved.freshness));
  const isSaved = saveUnlessMoved([
    { path: paths.recorded, before: before.recorded, content },
    ...(input.definition.sources.length > 0
      ? [{ path: paths.freshness, before: before.freshness, content: state }]
      : []),
  ]);
  if (isSaved && recordsFreshness) rmSync(own, { force: true });
  return isSaved ? saved : undefined;
}

/** Removes the temporary files that a killed run has left in `data/`. */
export async function cleanUp(root: Root): Promise<void> {
  const folders = [recordedFolder(root), freshnessFolder(root), ownFreshnessFolder(root)];
  if (folders.every((folder) => leftovers(folder).length === 0)) return;
  const release = await lock(root, 'data');
  try {
    for (const folder of folders) removeLeftovers(folder);
  } finally {
    release();
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
