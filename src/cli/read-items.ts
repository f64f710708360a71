import { statSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { InputError, notice, problem, inputError } from '../core/schemas/finding.ts';
import { inFile, type Entry, type Item } from '../ask/texts/items.ts';
import { readLine } from '../ask/texts/read-line.ts';
import type { ReadText } from '../ask/texts/items.ts';
import { longestTexts, readText } from '../ask/texts/read-text.ts';
import { decode } from '../io/files/read-documents.ts';
import { fileErrorReason, readRegularFile } from '../io/files/file-system.ts';
import { quote } from '../core/text/text.ts';
import { UsageError, type Invocation } from './command.ts';

const maxBytes = longestTexts.file;
const shownProblems = 20;

/**
 * Arguments with the name or the ending of a form that is read are files, existing or not: a new file must not change the meaning
 * of an argument.
 */
const fileForm =
  /^(?:-$|\/|\.\.?\/)|\.(?:json|xml|spdx|txt|csv|md|ya?ml|toml|gradle|kts|lock|lockfile)$|(?:^|\/)Dockerfile[^/]*$/i;

/** The entries of an argument: the items that it names, or those of a file. */
export interface ReadArgument {
  readonly argument: string;
  readonly entries: readonly Entry[];
  readonly isDocument: boolean;
}

/** The entries of each argument of the command line, in order. */
export async function readArguments({
  arguments: args,
  report,
}: Invocation): Promise<ReadArgument[]> {
  const all: ReadArgument[] = [];

  for (const argument of args) {
    if (!fileForm.test(argument)) {
      all.push({ argument, entries: readArgument(argument), isDocument: false });
      continue;
    }

    const { entries, problems, notes = [], isDocument = false } = await readFileText(argument);

    throwProblems(argument, problems);

    if (entries.length === 0) {
      throw inputError(argument, 'has no items; correct the program that writes it');
    }

    report.finding(...notes.map((note) => notice(argument, note)));

    const file = relative(process.cwd(), resolve(argument));
    const placed = argument === '-' ? entries : entries.map((entry) => inFile(entry, file));

    all.push({ argument, entries: placed, isDocument });
  }

  return all;
}

function readArgument(arg: string): readonly Entry[] {
  const entries = readLine(arg);
  const isVersioned = ({ version, range, digests, name, purl }: Item) =>
    purl !== undefined || (name !== undefined && (version ?? range ?? digests) !== undefined);
  if (entries.some((entry) => entry.some(isVersioned))) {
    return entries;
  }

  const got = `got ${quote(arg)}`;

  if (/^pkg:/i.test(arg)) {
    throw new UsageError(`expected a package URL such as pkg:npm/name@1.0.0; ${got}`);
  }

  const forms = 'component@version, a package URL or a file';

  throw new UsageError(`expected ${forms}; ${got}. A file is written as ./name`);
}

/** The statements of a file, or of standard input for `-`. */
async function readFileText(path: string): Promise<ReadText> {
  return readText(decode(await readInput(path)), longestTexts.file, basename(path));
}

export function throwProblems(path: string, problems: readonly string[]): void {
  if (problems.length === 0) {
    return;
  }

  const shown = problems.slice(0, shownProblems).map((message) => problem(path, message));
  const more = problems.length - shown.length;
  if (more > 0) {
    shown.push(problem(path, `and ${more} more such problems`));
  }

  throw new InputError(shown);
}

/** A file of limited size; standard input for `-`. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === '-') {
    return buffer(process.stdin);
  }

  try {
    if (statSync(path).size > maxBytes) {
      throw inputError(path, `expected a file of at most ${maxBytes / 2 ** 20} MiB`);
    }

    return readRegularFile(path);
  } catch (error) {
    const reason = fileErrorReason(error);
    throw reason === undefined ? error : inputError(path, `cannot be read: ${reason}`);
  }
}
