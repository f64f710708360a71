import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InputError, notice, problem } from '../core/schemas/finding.ts';
import { readEntries } from '../ask/scan/bill-of-materials.ts';
import { inFile, readItem, type Entry, type ReadEntries } from '../ask/scan/items.ts';
import { decode } from '../io/files/documents.ts';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { quote } from '../core/text.ts';
import { inputError, UsageError, type Invocation } from './command.ts';

const maxBytes = 128 * 2 ** 20;
/** As many as a person reads before correcting what wrote the document. */
const shownProblems = 20;

/** The form alone makes an argument a file: adding a file to a folder must not change the meaning of an argument. */
const fileForm = /^(?:-$|\/|\.\.?\/)|\.(?:json|xml|spdx|txt|csv|ndjson)$/i;

/** The entries of the command line and of the files that it names, in their order, and the bills of materials among these. */
export async function readArguments({ arguments: args, options, report }: Invocation) {
  const all: Entry[] = [];
  const documents: object[] = [];
  for (const arg of args) {
    if (!fileForm.test(arg)) {
      all.push(readArgument(arg));
      continue;
    }
    const bytes = await readInput(arg);
    const { entries, problems, note, document } = parseEntries(arg, bytes);
    throwProblems(arg, problems);
    if (entries.length === 0 && options['allow-unknown'] !== true)
      throw inputError(arg, 'has nothing to judge; correct what writes it, or pass --allow-unknown');
    if (note !== undefined) report.finding(notice(arg, note));
    if (document) documents.push(document);
    for (const entry of entries)
      all.push(arg === '-' ? entry : inFile(entry, relative(process.cwd(), resolve(arg))));
  }
  return { entries: all, documents };
}

function readArgument(arg: string): Entry {
  const item = readItem(arg);
  if (item) return [item];
  const got = `got ${quote(arg)}`;
  if (/^pkg:/i.test(arg)) throw new UsageError(`expected a package URL such as pkg:npm/name@1.0.0; ${got}`);
  const forms = 'component@version, a package URL or a file';
  throw new UsageError(`expected ${forms}; ${got}. A file is written as ./name`);
}

export function throwProblems(path: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, shownProblems).map((message) => problem(path, message));
  const more = problems.length - shown.length;
  throw new InputError([...shown, ...(more > 0 ? [problem(path, `and ${more} more of the kind`)] : [])]);
}

/** `acceptsNames`: a list may have names without versions. */
export function parseEntries(path: string, bytes: Uint8Array, acceptsNames = false): ReadEntries {
  try {
    return readEntries(decode(bytes), acceptsNames);
  } catch (error) {
    throw inputError(path, (error as Error).message);
  }
}

/** A file of limited size; standard input for `-`. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === '-') return buffer(process.stdin);
  try {
    if (statSync(path).size > maxBytes) throw inputError(path, 'expected a file of at most 128 MiB');
    return readRegularFile(path);
  } catch (error) {
    const reason = fileErrorReason(error);
    throw reason === undefined ? error : inputError(path, `cannot be read: ${reason}`);
  }
}
