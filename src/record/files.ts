import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { InputError, inputError, readProblems, type Problem } from '../core/errors.ts';
import { parseDocument, parseJson } from '../core/parse-document.ts';
import { formatJson, readIfThere, saveFile } from '../core/files.ts';
import type { Definition } from '../core/schema/definition.ts';
import { endSentence } from '../core/text.ts';
import { Event, Run } from '../core/schema/events.ts';
import {
  Decision,
  Freshness,
  Held,
  Recorded,
  shortenRecorded,
  WrittenRecorded,
  type Hold,
} from '../core/schema/recorded.ts';
import { withhold } from '../judge/withhold.ts';
import { rejectSlowClock } from './clock.ts';
import { listJournals, listParts, listRuns } from './data-files.ts';
import { findCommit } from './git.ts';

export type DataFiles = ReturnType<typeof openData>;
export type RecordedComponent = ReturnType<DataFiles['readComponents']>[number];

/**
 * The files of `data/` of the index in a folder. Each is at every instant the old one or the new one. Reading throws an `InputError` with
 * all problems of a file and a remedy; opening does, if the last run is after the clock.
 */
export function openData(root: string) {
  const at = (name: string): File => ({ root, name, path: join(root, name) });
  const recorded = (component: string) => at(`data/${component}.json`);
  const journal = (component: string) => at(`data/journal/${component}.ndjson`);
  const freshness = at('data/freshness.json');
  const held = at('data/held.json');
  const decisions = at('data/decisions.ndjson');
  const readJournal = (component: string) => readLines(journal(component), Event);
  /** A file that lacks releases which this journal tells cannot be read. */
  const readRecorded = (component: string, told: readonly Event[] = []) => {
    const file = recorded(component);
    return readDocument(file, Recorded, { releases: [] }, (document) =>
      rejectLoss(document, told, file),
    );
  };
  const readHeld = () => readDocument(held, Held, { held: [] }).held;
  rejectSlowClock(root);

  return {
    readRecorded,
    readJournal,
    /** Of all journals, also of components that are gone: the number never falls. */
    countEvents: () =>
      listJournals(root).reduce((sum, component) => sum + countLines(journal(component)), 0),
    readComponents(definitions: ReadonlyMap<string, Definition>) {
      const holds = Map.groupBy(readHeld(), ({ component }) => component);
      return Array.from(definitions, ([component, definition]) => {
        const journal = readJournal(component);
        const held = holds.get(component) ?? [];
        const recorded = addHeld(readRecorded(component, journal), held);
        /** What counts of it. */
        const counted = withhold(recorded, held);
        return { component, definition, journal, held, recorded, counted };
      });
    },
    writeRecorded(component: string, document: Recorded) {
      writeJson(recorded(component), WrittenRecorded, shortenRecorded(document));
    },
    appendToJournal(component: string, events: readonly Event[]) {
      appendLines(journal(component), Event, events);
    },
    readRuns: () => listRuns(root).flatMap((name) => readLines(at(name), Run)),
    appendRun: (run: Run) =>
      appendLines(at(`data/runs/${run.asOf.slice(0, 4)}.ndjson`), Run, [run]),
    readFreshness: () => readDocument(freshness, Freshness, {}),
    writeFreshness: (document: Freshness) => writeJson(freshness, Freshness, document),
    readHeld,
    writeHeld(holds: Hold[]) {
      if (holds.length > 0) {
        writeJson(held, Held, { held: holds });
      } else {
        rmSync(held.path, { force: true });
      }
    },
    readDecisions: () => readLines(decisions, Decision),
    appendDecision: (decision: Decision) => appendLines(decisions, Decision, [decision]),
    removeParts: () => listParts(root).forEach((name) => rmSync(at(name).path)),
  };
}

const formats: readonly [form: RegExp, schema: z.ZodType][] = [
  [/^data\/journal\//, Event],
  [/^data\/runs\//, Run],
  [/^data\/decisions\.ndjson$/, Decision],
  [/^data\/freshness\.json$/, Freshness],
  [/^data\/held\.json$/, Held],
  [/./, Recorded],
];

/** Throws an `InputError` for the text of a file of `data/` that a run could not read. */
export function checkText(name: string, text: string): void {
  const [, schema] = formats.find(([form]) => form.test(name))!;
  if (name.endsWith('.ndjson')) {
    parseLines(name, schema, text);
  } else {
    parseText(name, schema, text);
  }
}

interface File {
  root: string;
  path: string;
  /** Below the root. */
  name: string;
}

function rejectLoss({ releases }: Recorded, journal: readonly Event[], { name }: File): void {
  const released = journal.filter(({ type }) => type === 'released');
  const told = new Set(released.map(({ version }) => version));
  const lacking = told.difference(new Set(releases.map(({ version }) => version))).size;
  if (lacking > 0) {
    throw inputError(name, `lacks ${lacking} of ${told.size} releases that its journal tells`);
  }
}

/** Former programs recorded what waits beside the other data. */
function addHeld(recorded: Recorded, held: readonly Hold[]): Recorded {
  const versions = new Set(recorded.releases.map(({ version }) => version));
  const waiting = held.flatMap(({ releases = [] }) => releases);
  const added = waiting.filter(({ version }) => !versions.has(version));
  return { ...recorded, releases: [...recorded.releases, ...added] };
}

/** `absent`: what it is if there is no file. `check`: only of recorded data, throws for one that lacks releases. */
function readDocument<T>(
  file: File,
  schema: z.ZodType<T>,
  absent: T,
  check?: (document: T) => void,
): T {
  return withRemedy(file, (text) => {
    const document = text === undefined ? absent : parseText(file.name, schema, text);
    check?.(document);
    return document;
  });
}

function parseText<T>(name: string, schema: z.ZodType<T>, text: string): T {
  return parseDocument(schema, parseJson(text, name), name);
}

function readLines<T>(file: File, schema: z.ZodType<T>): T[] {
  return withRemedy(file, (text) => parseLines(file.name, schema, text));
}

/** A last line that a crash cut off is left out: the next run writes it again. */
function parseLines<T>(name: string, schema: z.ZodType<T>, text = ''): T[] {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line, index) => parseText(`${name}, line ${index + 1}`, schema, line));
}

/** Of each journal, the first event whose id is not the number of its line; or why it cannot be read. */
export function findWrongIds(root: string): Problem[] {
  return listJournals(root).flatMap((component) => {
    try {
      return findWrongId(root, component);
    } catch (error) {
      return readProblems(error);
    }
  });
}

/** An error while a commit near by has right ones; of older lines, which readers have, a warning. */
function findWrongId(root: string, component: string): Problem[] {
  const name = `data/journal/${component}.ndjson`;
  const file: File = { root, path: join(root, name), name };
  const find = (events: readonly Event[]) => events.findIndex(({ id }, index) => id !== index + 1);
  const wrong = find(readLines(file, Event));
  if (wrong === -1) {
    return [];
  }

  const commit = findCommit(root, [name], (text) => find(parseLines(name, Event, text)) === -1);
  const subject = `${name}, line ${wrong + 1}`;
  const message = `expected the id ${wrong + 1}`;
  return commit === undefined
    ? [{ subject, message: `${message}. Leave it: readers may have it`, level: 'warning' }]
    : [{ subject, message: `${message}. ${nameRemedy(file, commit)}`, file: name }];
}

function countLines(file: File): number {
  return withRemedy(file, (text = '') => text.split('\n').length - 1);
}

/** Reads a file. An error of the reader names the newest commit in which the same reader has none. */
function withRemedy<T>(file: File, read: (text: string | undefined) => T): T {
  const { path, name } = file;
  try {
    return read(readIfThere(path, name)?.toString());
  } catch (error) {
    // One of a line.
    const bySubject = Map.groupBy(readProblems(error), ({ subject }) => subject);
    const commit = findCommit(file.root, [name], (earlier) => {
      read(earlier);
      return true;
    });
    const remedy = nameRemedy(file, commit);
    throw new InputError(
      Array.from(bySubject, ([subject, problems]) => {
        const messages = problems.map(({ message }) => message).join('; ');
        return { subject, message: `${endSentence(messages)} ${remedy}`, file: name };
      }),
    );
  }
}

function nameRemedy({ name }: File, commit: string | undefined): string {
  return commit === undefined
    ? 'No commit near by has a whole one. Mend it, or bring back what is published: npx release-index restore'
    : `Mend it, or restore it: git restore --source=${commit} -- ${name}`;
}

/** Keys in the order of the schema, so that a diff shows only changes. */
function writeJson<T>({ path }: File, schema: z.ZodType<T>, document: T): void {
  saveFile(path, formatJson(schema.parse(document)));
}

function appendLines<T>({ path, name }: File, schema: z.ZodType<T>, values: readonly T[]): void {
  const added = values.map((value) => {
    // A line that cannot be read again would stop every run.
    parseDocument(schema, value, name);
    return `${JSON.stringify(value)}\n`;
  });
  // As in reading, a line that a crash cut off is left out.
  const before = readIfThere(path)?.toString() ?? '';
  saveFile(path, before.slice(0, before.lastIndexOf('\n') + 1) + added.join(''));
}
