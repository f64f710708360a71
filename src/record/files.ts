import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { InputError, parseDocument, type Problem } from '../core/errors.ts';
import { formatJson, parseJson, readIfThere, saveFile } from '../core/files.ts';
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
  /** Removes what a killed run has left half written. */
  removeParts(): void;
}

/** `root`: the folder of the index. Reading throws an `InputError` with all problems of a file, their lines and a remedy. */
export function openData(root: string): DataFiles {
  const at = (name: string): File => ({ path: join(root, 'data', name), name: `data/${name}` });
  const recorded = (component: string) => at(`${component}.json`);
  const journal = (component: string) => at(`journal/${component}.ndjson`);
  const freshness = at('freshness.json');
  const held = at('held.json');
  const decisions = at('decisions.ndjson');
  const list = (pattern: string) => globSync(pattern, { cwd: join(root, 'data') }).sort();

  return {
    readRecorded: (component) => readDocument(recorded(component), Recorded) ?? { releases: [] },
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
  path: string;
  /** Below the root. */
  name: string;
}

/** Undefined if there is no file. */
function readDocument<T>(file: File, schema: z.ZodType<T>): T | undefined {
  const text = readIfThere(file.path)?.toString();
  return text === undefined
    ? undefined
    : withRemedy(file, () => parseText(text, file.name, schema));
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
  const lines = readWhole(file.path).split('\n').slice(0, -1);
  return withRemedy(file, () =>
    lines.map((line, index) => {
      const subject = `${file.name}, line ${index + 1}`;
      return parseDocument(schema, parseJson(line, subject), subject);
    }),
  );
}

function withRemedy<T>({ name }: File, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const remedy = `Mend it, or take the committed file: git checkout -- ${name}`;
    throw new InputError(
      (error as InputError).problems.map(({ subject, message }) => ({
        subject,
        message: `${message}. ${remedy}`,
        file: name,
      })),
    );
  }
}

function readWhole(path: string): string {
  const text = readIfThere(path)?.toString() ?? '';
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

/** Keys in the order of the schema, so that a diff shows only changes. */
function writeJson<T>({ path }: File, schema: z.ZodType<T>, document: T): void {
  saveFile(path, formatJson(schema.parse(document)));
}

function appendLines({ path }: File, values: readonly unknown[]): void {
  const added = values.map((value) => `${JSON.stringify(value)}\n`).join('');
  saveFile(path, readWhole(path) + added);
}
