import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import type { Day } from '../core/day.ts';
import { parseDocument } from '../core/errors.ts';
import { formatJson, parseJson, readIfThere, readJsonFile, saveFile } from '../core/files.ts';
import { Event, Run } from '../core/schema/events.ts';
import { Decision, Freshness, Held, Recorded, type Hold } from '../core/schema/recorded.ts';

/** The files of `data/`. Each is at every instant the old one or the new one. */
export interface DataFiles {
  readRecorded(component: string): Recorded;
  writeRecorded(component: string, recorded: Recorded): void;
  readJournal(component: string): Event[];
  appendToJournal(component: string, events: readonly Event[]): void;
  readRuns(): Run[];
  appendRun(run: Run): void;
  readFreshness(): Freshness;
  writeFreshness(freshness: Freshness): void;
  readHeld(): Hold[];
  writeHeld(held: readonly Hold[]): void;
  readDecisions(): Decision[];
  appendDecision(decision: Decision): void;
}

/** `root`: the folder of the index. Reading throws an `InputError` with all problems of a file. */
export function openData(root: string): DataFiles {
  const path = (...names: string[]) => join(root, 'data', ...names);
  const recordedPath = (component: string) => path(`${component}.json`);
  const journalPath = (component: string) => path('journal', `${component}.ndjson`);
  const heldPath = path('held.json');
  const runsFolder = path('runs');

  return {
    readRecorded: (component) => readJson(recordedPath(component), Recorded) ?? { releases: [] },
    writeRecorded: (component, recorded) => writeJson(recordedPath(component), Recorded, recorded),
    readJournal: (component) => readLines(journalPath(component), Event),
    appendToJournal: (component, events) => appendLines(journalPath(component), events),
    readRuns: () => listFiles(runsFolder).flatMap((name) => readLines(join(runsFolder, name), Run)),
    appendRun: (run) => appendLines(join(runsFolder, `${run.asOf.slice(0, 4)}.ndjson`), [run]),
    readFreshness: () => readJson(path('freshness.json'), Freshness) ?? {},
    writeFreshness: (freshness) => writeJson(path('freshness.json'), Freshness, freshness),
    readHeld: () => readJson(heldPath, Held)?.held ?? [],
    writeHeld(held) {
      if (held.length > 0) {
        writeJson(heldPath, Held, { held: [...held] });
      } else {
        rmSync(heldPath, { force: true });
      }
    },
    readDecisions: () => readLines(path('decisions.ndjson'), Decision),
    appendDecision: (decision) => appendLines(path('decisions.ndjson'), [decision]),
  };
}

function listFiles(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.ndjson'))
        .sort()
    : [];
}

/** Undefined if there is no file. */
function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  const document = readJsonFile(path);
  return document === undefined ? undefined : parseDocument(schema, document, path);
}

/** A last line that a crash cut off is left out: the next run writes it again. */
function readLines<T>(path: string, schema: z.ZodType<T>): T[] {
  const text = readIfThere(path)?.toString() ?? '';
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1);
  return lines.map((line, index) => {
    const subject = `${path}, line ${index + 1}`;
    return parseDocument(schema, parseJson(line, subject), subject);
  });
}

/** Keys in the order of the schema, so that a diff shows only changes. */
function writeJson<T>(path: string, schema: z.ZodType<T>, document: T): void {
  saveFile(path, formatJson(schema.parse(document)));
}

function appendLines(path: string, values: readonly unknown[]): void {
  const text = readIfThere(path)?.toString() ?? '';
  const kept = text.slice(0, text.lastIndexOf('\n') + 1);
  saveFile(path, kept + values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

/** The last recorded day: nothing may be recorded for an earlier one. */
export function findLastDay(runs: readonly Run[]): Day | undefined {
  return runs.at(-1)?.asOf;
}
