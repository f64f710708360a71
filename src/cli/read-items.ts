import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { PublishedIndex } from '../ask/answers/published-index.ts';
import { placeInFile, type Entry, type ReadText } from '../ask/texts/text-entries.ts';
import { createPurlItems } from '../ask/texts/items.ts';
import { longestTexts, readText } from '../ask/texts/read-text.ts';
import { inputError, InputError, problem } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { explainFileError, readRegularFile } from '../io/files/file-system.ts';
import { decode } from '../io/files/read-documents.ts';
import { UsageError } from './command.ts';

const maxBytes = longestTexts.file;
const maxProblems = 20;

/**
 * Arguments with the name or the ending of a form that is read are files, existing or not: a new file must not change the meaning
 * of an argument.
 */
const fileForm =
  /^(?:-$|\/|\.\.?\/)|\.(?:json|xml|txt|csv|md|ya?ml|toml|tf|gradle|kts|lock(?:file)?)$|(?:^|\/)Dockerfile[^/]*$/i;

/** An argument of the command line: an item, or a file with its content. */
interface Argument {
  argument: string;
  isItem: boolean;
  text: string;
  /** The path from the current folder; absent for an item and for standard input. */
  path?: string;
}

/** The statements of an argument. */
export interface ReadArgument extends ReadText, Pick<Argument, 'argument' | 'isItem'> {}

/** The arguments of the command line, in order, with the content of each file. */
export async function readArguments(args: readonly string[]): Promise<Argument[]> {
  const inputs: Argument[] = [];
  for (const argument of args) {
    if (!fileForm.test(argument)) {
      inputs.push({ argument, isItem: true, text: checkItem(argument) });
      continue;
    }

    const file = { argument, isItem: false, text: decode(await readInput(argument)) };
    const path = relative(process.cwd(), resolve(argument));
    inputs.push(argument === '-' ? file : { ...file, path });
  }
  return inputs;
}

/** The statements of the arguments about an index. Throws an `InputError` for a file without any. */
export async function readStatements(
  index: PublishedIndex,
  args: readonly Argument[],
): Promise<ReadArgument[]> {
  const statements: ReadArgument[] = [];
  for (const { argument, isItem, text, path } of args) {
    const result = await readText(index, text, longestTexts.file);
    throwProblems(argument, result.problems);
    if (isItem) {
      const entries = listEntries(argument, result);
      statements.push({ ...result, argument, isItem, entries, others: 0 });
      continue;
    }

    if (result.entries.length === 0 && (result.others ?? 0) === 0) {
      throw inputError(argument, 'has no items; correct the program that writes it');
    }

    const entries = result.entries.map((entry) => (path ? placeInFile(entry, path) : entry));
    statements.push({ ...result, argument, isItem, entries });
  }
  return statements;
}

/** Each item has a result, also one of something else. */
function listEntries(argument: string, { entries }: ReadText): Entry[] {
  if (/^pkg:/i.test(argument)) {
    return [createPurlItems(argument)];
  }

  return entries.length === 0
    ? [[{ text: argument, name: argument }]]
    : entries.map((entry) => entry.map(({ line: _, ...item }) => item));
}

/** Throws a `UsageError` for a text that is neither a package URL nor a name with a version. */
function checkItem(argument: string): string {
  const isPackage = /^pkg:/i.test(argument);
  const isItem = isPackage
    ? createPurlItems(argument).length > 0
    : /^[^\s@].*(?:[@:=]\S|[\s/<>~^=-]v?\d)|^@.+@/s.test(argument);
  if (isItem) {
    return argument;
  }

  const got = `got ${quote(argument)}`;
  if (isPackage) {
    throw new UsageError(`expected a package URL such as pkg:npm/name@1.0.0; ${got}`);
  }

  throw new UsageError(
    `expected component@version, a package URL or a file; ${got}. A file is written as ./name`,
  );
}

/** Throws an `InputError` with the first problems of a file. */
export function throwProblems(path: string, problems: readonly string[]): void {
  if (problems.length === 0) {
    return;
  }

  const findings = problems.slice(0, maxProblems).map((message) => problem(path, message));
  const more = problems.length - findings.length;
  if (more > 0) {
    findings.push(problem(path, `and ${more} more such problems`));
  }

  throw new InputError(findings);
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
    const reason = explainFileError(error);
    throw reason === undefined ? error : inputError(path, `cannot be read: ${reason}`);
  }
}
