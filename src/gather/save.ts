import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { cacheFolder } from '../store/cache.ts';
import { formatDocument, saveIfChanged } from '../store/save.ts';
import { readFreshness, readRecorded } from '../store/read.ts';
import { freshnessPath, recordedPath, type Root } from '../store/root.ts';
import type { GatherInput, GatherResult } from './component.ts';

/**
 * Saves what was gathered for one component. Two runs at once must not lose what the other has just recorded: under a
 * lock, the files are read again, and where they have changed meanwhile, `again` unites the same answers with what they
 * hold now. Returns the result that was saved.
 */
export async function saveGathered(
  root: Root,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  const release = await lock(root);
  try {
    const recorded = readRecorded(root, input.component).value ?? [];
    const freshness = readFreshness(root, input.component).value ?? { sources: {} };
    const isAsRead = isSame(recorded, input.recorded) && isSame(freshness, input.freshness);
    const saved = isAsRead ? result : again({ ...input, recorded, freshness });
    saveIfChanged(recordedPath(root, input.component), formatDocument({ releases: saved.releases }));
    if (input.definition.sources.length > 0) {
      saveIfChanged(freshnessPath(root, input.component), formatDocument(saved.freshness));
    }
    return saved;
  } finally {
    await release();
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Held for the moment of a write only. One that a killed run left expires. */
function lock(root: Root): Promise<() => Promise<void>> {
  const folder = cacheFolder(root);
  mkdirSync(folder, { recursive: true });
  return lockfile.lock(root.dir, {
    lockfilePath: join(folder, 'data.lock'),
    stale: 5000,
    retries: { retries: 400, minTimeout: 5, maxTimeout: 50 },
  });
}
