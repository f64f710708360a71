import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { InputError, inputError, parseDocument, type Problem } from '../core/errors.ts';
import { formatJson, parseJson, readIfThere, saveFile } from '../core/files.ts';
import { Event, Run } from '../core/schema/events.ts';
import { Decision, Freshness, Held, Recorded, type Hold } from '../core/schema/recorded.ts';
import { openGit } from './git.ts';

/** The files of `data/`. Each is at every instant the old one or the new one. */
export interface DataFiles {
  /** A file that lacks releases which this journal tells cannot be read. */
  readRecorded(component: string, journal?: readonly Event[]): Recorded;
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
  /** Removes what a killed run has left half written. */
  removeParts(): void;
}

/** `root`: the folder of the index. Reading throws an `InputError` with all problems of a file, their lines and a remedy. */
export function openData(root: string): DataFiles {
  const at = (name: string): File => {
    return { root, path: join(root, 'data', name), name: `data/${name}` };
  };
  const recorded = (component: string) => at(`${component}.json`);
  const journal = (component: string) => at(`journal/${component}.ndjson`);
  const freshness = at('freshness.json');
  const held = at('held.json');
  const decisions = at('decisions.ndjson');
  const list = (pattern: string) => globSync(pattern, { cwd: join(root, 'data') }).sort();

  return {
    readRecorded: (component, told) => readRecorded(recorded(component), told),
    writeRecorded: (component, document) => writeJson(recorded(component), Recorded, document),
    readJournal: (component) => readLines(journal(component), Event),
    appendToJournal: (component, events) => appendLines(journal(component), events),
    readRuns: () => list('runs/*.ndjson').flatMap((name) => readLines(at(name), Run)),
    appendRun: (run) => appendLines(at(`runs/${run.asOf.slice(0, 4)}.ndjson`), [run]),
    readFreshness: () => readDocument(freshness, Freshness) ?? {},
    writeFreshness: (document) => writeJson(freshness, Freshness, document),
    readHeld: () => readDocument(held, Held)?.held ?? [],
    writeHeld(holds) {
      if (holds.length > 0) {
        writeJson(held, Held, { held: [...holds] });
      } else {
        rmSync(held.path, { force: true });
      }
    },
    readDecisions: () => readLines(decisions, Decision),
    appendDecision: (decision) => appendLines(decisions, [decision]),
    removeParts: () => list('**/*.part').forEach((name) => rmSync(at(name).path)),
  };
}

interface File {
  root: string;
  path: string;
  /** Below the root. */
  name: string;
}

function readRecorded(file: File, journal: readonly Event[] = []): Recorded {
  const released = journal.filter(({ type }) => type === 'released');
  const told = new Set(released.map(({ version }) => version));
  return withRemedy(file, (text) => {
    const recorded = text === undefined ? { releases: [] } : parseText(text, file.name, Recorded);
    const versions = new Set(recorded.releases.map(({ version }) => version));
    const lacking = told.difference(versions).size;
    if (lacking > 0) {
      throw inputError(
        file.name,
        `lacks ${lacking} of ${told.size} releases that its journal tells`,
      );
    }
    return recorded;
  });
}

/** Undefined if there is no file. */
function readDocument<T>(file: File, schema: z.ZodType<T>): T | undefined {
  return withRemedy(file, (text) =>
    text === undefined ? undefined : parseText(text, file.name, schema),
  );
}

function parseText<T>(text: string, name: string, schema: z.ZodType<T>): T {
  let document: unknown;
  try {
    document = JSON.parse(text);
    return parseDocument(schema, document, name);
  } catch (error) {
    const { problems = [error as Problem] } = error as Partial<InputError>;
    throw new InputError(
      problems.map(({ message }) => {
        const line =
          document === undefined ? findFault(text, message) : findLine(document, message);
        return { subject: `${name}, line ${line}`, message: message.replaceAll(/\s+/g, ' ') };
      }),
    );
  }
}

/** A line of a document in the form in which we write it. */
const lineForm = /^ *(?:"(?:[^"\\]|\\.)*": )?(?:"(?:[^"\\]|\\.)*"|\d+|true|false|[[{]?[\]}]?),?$/;

/** Not every message of JSON names a line. */
function findFault(text: string, message: string): number {
  const stated = /line (\d+)/.exec(message)?.[1];
  return Number(stated) || 1 + text.split('\n').findIndex((line) => !lineForm.test(line));
}

/** The line of the value that a message is about. */
function findLine(document: unknown, message: string): number {
  const keys = message.split(': ')[0]!.match(/[^.[\]"]+/g) ?? [];
  const copy = structuredClone(document);
  const last = keys.pop();
  const holder = keys.reduce<any>((value, key) => value?.[key], copy);
  if (last !== undefined && typeof holder === 'object') {
    holder[last] = message;
  }
  const lines = formatJson(copy).split('\n');
  return (
    1 +
    Math.max(
      0,
      lines.findIndex((line) => line.includes(JSON.stringify(message))),
    )
  );
}

/** A last line that a crash cut off is left out: the next run writes it again. */
function readLines<T>(file: File, schema: z.ZodType<T>): T[] {
  return withRemedy(file, (text = '') =>
    takeWhole(text)
      .split('\n')
      .slice(0, -1)
      .map((line, index) => {
        const subject = `${file.name}, line ${index + 1}`;
        return parseDocument(schema, parseJson(line, subject), subject);
      }),
  );
}

/** Reads the text of a file, if there is one. */
function withRemedy<T>(file: File, read: (text: string | undefined) => T): T {
  const { path, name } = file;
  try {
    return read(readIfThere(path, name)?.toString());
  } catch (error) {
    const remedy = `Mend it, or restore it: git restore --source=${findCommit(file, read)} -- ${name}`;
    throw new InputError(
      (error as InputError).problems.map(({ subject, message }) => ({
        subject,
        message: `${message}. ${remedy}`,
        file: name,
      })),
    );
  }
}

const searchedCommits = 20;

/** The newest commit in which a file can be read; this word where none is known, as in a shallow clone. */
function findCommit({ root, name }: File, read: (text: string) => unknown): string {
  const git = openGit(root);
  for (let back = 0; back < searchedCommits; back += 1) {
    try {
      const commit = git('rev-parse', '--short', `HEAD~${back}`);
      read(`${git('show', `${commit}:./${name}`)}\n`);
      return commit;
    } catch {
      // Not this one.
    }
  }
  return '<commit>';
}

function takeWhole(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Keys in the order of the schema, so that a diff shows only changes. */
function writeJson<T>({ path }: File, schema: z.ZodType<T>, document: T): void {
  saveFile(path, formatJson(schema.parse(document)));
}

function appendLines({ path }: File, values: readonly unknown[]): void {
  const added = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  saveFile(path, takeWhole(readIfThere(path)?.toString() ?? '') + added);
}
