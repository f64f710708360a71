import { accessSync, constants, rmSync } from 'node:fs';
import pLimit from 'p-limit';
import { Freshness } from '../../core/schemas/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded.ts';
import { InputError, problem } from '../../core/schemas/finding.ts';
import { defined } from '../../core/text.ts';
import { valueOf } from '../../io/files/documents.ts';
import { fileErrorReason, isAbsent } from '../../io/files/file-system.ts';
import { lock } from '../../io/files/lock.ts';
import { readFreshness, readRecordedData } from '../../io/files/read.ts';
import {
  formatDocument,
  leftovers,
  readIfThere,
  removeLeftovers,
  saveUnlessMoved,
} from '../../io/files/save.ts';
import {
  recordedFolder,
  freshnessPath,
  ownFreshnessFolder,
  ownFreshnessPath,
  recordedPath,
  type Root,
} from '../../io/files/root.ts';
import type { GatherInput, GatherResult } from './gather-component.ts';

export interface Target {
  root: Root;
  /** Whether freshness is saved in `data/`, too; else in the cache of this checkout. */
  recordsFreshness: boolean;
  /** Why these releases of a component must not be saved, such as that a file made from them is too large for the host. */
  rejectionOf?(component: string, releases: readonly RecordedRelease[]): string | undefined;
}

/** The components of a run queue here rather than at the lock, where each would try again and again. */
const oneAtATime = pLimit(1);

/**
 * Saves what was gathered for one component, and returns the result that was saved. Two runs at once must not lose what
 * the other has just recorded: the files are read again under a lock, and if they have changed meanwhile, `again` merges the
 * same answers into their new content. A run that was suspended for longer than its lock lasts replaces nothing and tries
 * again. Throws an InputError rather than overwrite a file that cannot be read.
 */
export function saveGathered(
  target: Target,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): Promise<GatherResult> {
  return oneAtATime(async () => {
    const release = await lock(target.root, 'data');
    try {
      for (;;) {
        const saved = trySave(target, input, result, again);
        if (saved) return saved;
      }
    } finally {
      release();
    }
  });
}

/** Undefined where another run has written meanwhile. */
function trySave(
  { root, recordsFreshness, rejectionOf }: Target,
  input: GatherInput,
  result: GatherResult,
  again: (input: GatherInput) => GatherResult,
): GatherResult | undefined {
  const own = ownFreshnessPath(root, input.component);
  const dataPath = recordedPath(root, input.component);
  const statePath = recordsFreshness ? freshnessPath(root, input.component) : own;
  const [data, state] = [readIfThere(dataPath), readIfThere(statePath)];
  const { releases: recorded, advisories, lines } = valueOf(readRecordedData(root, input.component));
  const freshness = valueOf(readFreshness(root, input.component));
  const isAsRead = isSame(
    [recorded, advisories, lines, freshness],
    [input.recorded, input.advisories, input.lines, input.freshness],
  );
  const saved = isAsRead ? result : again({ ...input, recorded, advisories, lines, freshness });
  // A file that the schema rejects would keep every later run from starting.
  const gathered = RecordedData.parse(
    defined({ releases: saved.releases, advisories: saved.advisories, lines: saved.lines }),
  );
  // A file that a person has written keeps its form until there is news.
  const isNews =
    !data || !isSame([recorded, advisories, lines], [gathered.releases, gathered.advisories, gathered.lines]);
  const rejection = isNews ? rejectionOf?.(input.component, gathered.releases) : undefined;
  if (rejection !== undefined) {
    const message = `${rejection}. Not saved; what was recorded before is unchanged.`;
    throw new InputError([{ level: 'error', subject: input.component, message }]);
  }
  const content = isNews ? formatDocument(gathered) : data.toString();
  const files = [{ path: dataPath, before: data, content }];
  if (saved.sources.length > 0) {
    const content = formatDocument(Freshness.parse(saved.freshness));
    files.push({ path: statePath, before: state, content });
  }
  if (!saveUnlessMoved(files)) return undefined;
  if (recordsFreshness) rmSync(own, { force: true });
  return saved;
}

/** Removes the temporary files that a killed run has left in `data/`. Throws an InputError where nothing can be saved there. */
export async function cleanUp(root: Root): Promise<void> {
  const data = recordedFolder(root);
  try {
    accessSync(isAbsent(data) ? root.dir : data, constants.W_OK);
  } catch (error) {
    const reason = `cannot be written: ${fileErrorReason(error) ?? String(error)}. Nothing was asked`;
    throw new InputError([problem(data, reason)]);
  }
  const folders = [recordedFolder(root), recordedFolder(root, 'freshness'), ownFreshnessFolder(root)];
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
