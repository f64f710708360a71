import { join } from 'node:path';
import { Run } from '../../core/schemas/run.ts';
import type { ReadResult } from './documents.ts';
import { readLines, type Lines } from './journal.ts';
import { runsFolder, type Root } from './root.ts';

export function runsPath(root: Root, year: string): string {
  return join(runsFolder(root), `${year}.ndjson`);
}

/** The runs of a year, oldest first. */
export function readRuns(root: Root, year: string): ReadResult<Lines<Run>> {
  return readLines(runsPath(root, year), `data/runs/${year}.ndjson`, Run);
}
