import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
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
 * Saves what was gathered for one component. Two runs at once must not lose what the other has just recorded: under a
 * lock, the files are read again, and where they have changed meanwhile, `again` unites the same answers with what they
 * hold now. Returns the result that was saved. Throws a BrokenFileError where a file cannot be used any more: whatever it
 * holds is not lost by writing over it.
 */
export async function saveGathered(
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
    // What could not be read again would keep every later run from starting.
    const data = formatDocument(RecordedData.parse({ releases: saved.releases }));
    const state = formatDocument(Freshness.parse(saved.freshness));
    saveIfChanged(recordedPath(root, input.component), data);
    if (input.definition.sources.length > 0) saveIfChanged(freshnessPath(root, input.component), state);
    return saved;
  } finally {
    await release();
  }
}

/** Removes what a run that was killed while it saved has left in `data/`. */
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

/** Held for the milliseconds of a save only. One that a killed run left expires, and keeps the next waiting no longer than needed. */
function lock(root: Root): Promise<() => Promise<void>> {
  const folder = cacheFolder(root);
  mkdirSync(folder, { recursive: true });
  return lockfile.lock(root.dir, {
    lockfilePath: join(folder, 'data.lock'),
    stale: 2000,
    retries: { retries: 400, minTimeout: 5, maxTimeout: 50 },
  });
}
