import { basename, join } from 'node:path';
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { HeldFile, Run, type Wait } from '../../core/schemas/recorded/journal.ts';
import { listNames, readRegularFile } from './file-system.ts';
import { readDocument, type ReadResult } from './read-documents.ts';
import { parseLine, readLines, type Lines } from './read-lines.ts';
import { recordedFolder, type Root } from './root.ts';

export function runsPath(root: Root, year: string): string {
  return join(recordedFolder(root, 'runs'), `${year}.ndjson`);
}

/** The runs of a year, oldest first. */
export function readRuns(root: Root, year: string): ReadResult<Lines<Run>> {
  return readLines(runsPath(root, year), `data/runs/${year}.ndjson`, Run);
}

/** All runs, oldest first. */
export function listRuns(root: Root): { runs: Run[]; findings: Finding[] } {
  const results = listRunYears(root).map((year) => readRuns(root, year));
  return {
    runs: results.flatMap(({ value }) => value?.values ?? []),
    findings: results.flatMap(({ findings }) => findings),
  };
}

/** A run that asked sources, perhaps except those of some components. */
const AskingRun = z.object({
  asOf: Run.shape.asOf,
  asked: z.number().positive(),
  unasked: z.array(z.string()).default([]),
});

/** The last day on which a run asked the sources of a component. */
export function findLastAskedDay(root: Root, component: string): Day | undefined {
  for (const line of readLatestRuns(root)) {
    const { data: run } = AskingRun.safeParse(line);
    if (run && !run.unasked.includes(component)) {
      return run.asOf;
    }
  }

  return undefined;
}

const WaitingRun = z.object({ waits: Run.shape.waits });

/** The waits after the last run. */
export function readLastWaits(root: Root): Wait[] {
  for (const line of readLatestRuns(root)) {
    const { data: run } = WaitingRun.safeParse(line);
    if (run) {
      return run.waits ?? [];
    }
  }

  return [];
}

/** The lines of all runs, latest first. Parses a line only when it is requested; undefined for a line that is cut off. */
function* readLatestRuns(root: Root): Generator<unknown> {
  for (const year of listRunYears(root).reverse()) {
    const text = readRegularFile(runsPath(root, year)).toString();
    for (const line of text.trimEnd().split('\n').reverse()) {
      yield parseLine(line);
    }
  }
}

function listRunYears(root: Root): string[] {
  const files = listNames(recordedFolder(root, 'runs'), /^\d{4}\.ndjson$/);
  return files.map((file) => basename(file, '.ndjson')).sort();
}

/** The held changes that the last run listed for people. */
export function readHeld(root: Root): ReadResult<HeldFile> {
  return readDocument(heldPath(root), 'data/held.json', HeldFile, {
    value: { held: [] },
    findings: [],
  });
}

export function heldPath(root: Root): string {
  return join(recordedFolder(root), 'held.json');
}

/** The versions of a component that wait, with the day since which each waits. */
export function listWaitingVersions(waits: readonly Wait[], component: string): Map<string, Day> {
  const days = new Map<string, Day>();
  for (const { versions = [], since } of waits.filter((wait) => wait.component === component)) {
    for (const version of versions) {
      days.set(version, since);
    }
  }
  return days;
}
