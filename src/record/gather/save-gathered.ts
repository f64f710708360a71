import { accessSync, constants } from 'node:fs';
import pLimit from 'p-limit';
import { recordedFreshness } from '../../core/schemas/recorded/freshness.ts';
import { RecordedData, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { InputError, problem } from '../../core/schemas/finding.ts';
import { pick } from '../../core/text/text.ts';
import { unwrapResult } from '../../io/files/read-documents.ts';
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
import { recordedFolder, freshnessPath, recordedPath, type Root } from '../../io/files/root.ts';
import type { GatherInput, GatherResult } from './gather-component.ts';

export interface Target {
  root: Root;
  /** Why these releases must not be saved, for instance because a file made from them is too large for the host. */
  rejectionOf?(component: string, releases: readonly RecordedRelease[]): string | undefined;
}

/** The components of a run wait here instead of polling the lock. */
const oneAtATime = pLimit(1);

/**
 * Merges gathered data with the recorded data of a component, saves and returns the result. Reads the files under a lock, so
 * concurrent runs lose nothing. A run that was suspended for longer than its lock lasts replaces no file and tries again. Throws
 * an InputError rather than overwrite an unreadable file.
 */
export function saveGathered(
  target: Target,
  component: string,
  unite: Unite,
): Promise<GatherResult> {
  return oneAtATime(async () => {
    const release = await lock(target.root, 'data');
    try {
      for (;;) {
        const saved = trySave(target, component, unite);
        if (saved) {
          return saved;
        }
      }
    } finally {
      release();
    }
  });
}

type Unite = (recorded: Omit<GatherInput, 'component' | 'definition'>) => GatherResult;

/** Undefined if another run has written meanwhile. */
function trySave(
  { root, rejectionOf }: Target,
  component: string,
  unite: Unite,
): GatherResult | undefined {
  const dataPath = recordedPath(root, component);
  const statePath = freshnessPath(root, component);
  const [data, state] = [readIfThere(dataPath), readIfThere(statePath)];
  const recorded = unwrapResult(readRecordedData(root, component));
  const result = unite({ ...recorded, freshness: unwrapResult(readFreshness(root, component)) });

  // No later run could start with a file that the schema rejects.
  const gathered = RecordedData.parse(pick(result, ['releases', 'advisories', 'lines']));

  // A hand-written file keeps its form until its data changes.
  const isNews = !data || JSON.stringify(recorded) !== JSON.stringify(gathered);
  const rejection = isNews ? rejectionOf?.(component, gathered.releases) : undefined;
  if (rejection !== undefined) {
    const message = `${rejection}. Not saved; what was recorded before is unchanged.`;
    throw new InputError([problem(component, message)]);
  }

  const content = isNews ? formatDocument(gathered) : data.toString();
  const files = [{ path: dataPath, before: data, content }];

  // Only publishing runs record it, and gathering before the first one: branches with gathered data merge without conflicts.
  if (isAbsent(recordedFolder(root, 'runs')) && result.sources.length > 0) {
    const content = formatDocument(recordedFreshness(result.freshness));
    files.push({ path: statePath, before: state, content });
  }

  return saveUnlessMoved(files) ? result : undefined;
}

/** Removes temporary files of killed runs in `data/`. Throws an InputError if the folder is not writable. */
export async function cleanUp(root: Root): Promise<void> {
  const data = recordedFolder(root);
  try {
    accessSync(isAbsent(data) ? root.dir : data, constants.W_OK);
  } catch (error) {
    const reason = `cannot be written: ${fileErrorReason(error) ?? String(error)}. No source was asked`;
    throw new InputError([problem(data, reason)]);
  }

  const folders = [recordedFolder(root), recordedFolder(root, 'freshness')];
  if (folders.every((folder) => leftovers(folder).length === 0)) {
    return;
  }

  const release = await lock(root, 'data');
  try {
    for (const folder of folders) {
      removeLeftovers(folder);
    }
  } finally {
    release();
  }
}
