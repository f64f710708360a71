import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Finding } from '../../core/schemas/finding.ts';
import { Run } from '../../core/schemas/run.ts';
import type { ReadResult } from './documents.ts';
import { isAbsent } from './file-system.ts';
import { readLines, type Lines } from './journal.ts';
import { runsFolder, type Root } from './root.ts';

export function runsPath(root: Root, year: string): string {
  return join(runsFolder(root), `${year}.ndjson`);
}

/** The runs of a year, oldest first. */
export function readRuns(root: Root, year: string): ReadResult<Lines<Run>> {
  return readLines(runsPath(root, year), `data/runs/${year}.ndjson`, Run);
}

/** All runs, oldest first. */
export function listRuns(root: Root): { runs: Run[]; findings: Finding[] } {
  const folder = runsFolder(root);
  const names = isAbsent(folder) ? [] : readdirSync(folder).filter((name) => /^\d{4}\.ndjson$/.test(name));
  const read = names.sort().map((name) => readRuns(root, basename(name, '.ndjson')));
  return {
    runs: read.flatMap(({ value }) => value?.values ?? []),
    findings: read.flatMap(({ findings }) => findings),
  };
}
