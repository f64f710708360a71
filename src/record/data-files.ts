/** The files of `data/` as bytes: no schema reads them here. */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readIfThere } from '../core/files.ts';

/** What waits, and what persons have decided. */
export const heldPath = 'data/held.json';
export const decisionsPath = 'data/decisions.ndjson';

/** The components that have one, also those that are gone. */
export function listJournalComponents(root: string): string[] {
  return listPaths(root, 'journal/*.ndjson').map((path) => basename(path, '.ndjson'));
}

/** Those of runs, a file for each year. */
export function listRunPaths(root: string): string[] {
  return listPaths(root, 'runs/*.ndjson');
}

/** What a killed run has left half written. */
export function listPartPaths(root: string): string[] {
  return listPaths(root, '**/*.part');
}

/** The bytes of a file; none if there is no file. Of lines, without a last one that a crash cut off: the next run writes it again. */
export function readWhole(root: string, path: string): Buffer {
  const bytes = readIfThere(join(root, path), path) ?? Buffer.alloc(0);
  return path.endsWith('.ndjson') ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes;
}

function listPaths(root: string, pattern: string): string[] {
  return globSync(`data/${pattern}`, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
