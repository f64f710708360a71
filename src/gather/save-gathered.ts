import { join } from 'node:path';
import pLimit from 'p-limit';
import lockfile from 'proper-lockfile';
import { Freshness } from '../model/freshness.ts';
import { RecordedData } from '../model/recorded.ts';
import { cacheFolder } from '../store/cache.ts';
import { valueOf } from '../store/documents.ts';
import { readFreshness, readRecorded } from '../store/read.ts';
import { formatDocument, leftovers, removeLeftovers, saveIfChanged } from '../store/save.ts';
import { freshnessFolder, freshnessPath, recordedFolder, recordedPath, type Root } from '../store/root.ts';
import type { GatherInput, GatherResult } from './gather-component.ts';

/**
 * Saves what was gathered for one component, and returns the result that was saved. Two runs at once must not lose what
 * the other has just recorded: the files are read again under a lock, and if they have changed meanwhile, `again` unites the
 * same answers with what they hold now. Throws a BrokenFileError rather than overwrite a file that cannot be read.
 */
export function saveGathered(
  root: Root,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  return oneAtATime(() => saveLocked(root, input, result, again));
}

/** The components of a run queue here rather than at the lock, where each would try again and again. */
const oneAtATime = pLimit(1);

async function saveLocked(
  root: Root,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  const release = await lock(root);
  try {
    const recorded = valueOf(readRecorded(root, input.component));
    const freshness = valueOf(readFreshness(root, input.component));
    const isAsRead = isSame(recorded, input.recorded) && isSame(freshness, input.freshness);
    const saved = isAsRead ? result : again({ ...input, recorded, freshness });
    // A file that cannot be read again would keep every later run from starting.
    const data = formatDocument(RecordedData.parse({ releases: saved.releases }));
    const state = formatDocument(Freshness.parse(saved.freshness));
    saveIfChanged(recordedPath(root, input.component), data);
    if (input.definition.sources.length > 0) saveIfChanged(freshnessPath(root, input.component), state);
    return saved;
  } finally {
    await release();
  }
}

/** Removes the temporary files that a killed run has left in `data/`. */
export async function cleanUp(root: Root): Promise<void> {
  const folders = [recordedFolder(root), freshnessFolder(root)];
  if (folders.every((folder) => leftovers(folder).length === 0)) return;
  const release = await lock(root);
  try {
    for (const folder of folders) removeLeftovers(folder);
  } finally {
    await release();
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Held for the milliseconds of a save. The lock of a killed run expires, so that the next one need not wait long. */
function lock(root: Root): Promise<() => Promise<void>> {
  const folder = cacheFolder(root);
  return lockfile.lock(root.dir, {
    lockfilePath: join(folder, 'data.lock'),
    stale: 2000,
    retries: { retries: 400, minTimeout: 5, maxTimeout: 50 },
  });
}
