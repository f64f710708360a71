// Reads what the arguments of a command name: versions, files and standard input.

import { createReadStream } from 'node:fs';
import { relative } from 'node:path';
import type { PublishedIndex } from '../ask/answers/published-index.ts';
import { createPurlEntry } from '../ask/texts/purl-entries.ts';
import { mapEntry, type Entry, type ReadText } from '../ask/texts/text-entries.ts';
import { longestTexts, readText } from '../ask/texts/read-text.ts';
import { isPurl } from '../core/model/purl.ts';
import { inputError, InputError, problem } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { formatCount } from '../core/text/wording.ts';
import { expectFileError } from '../io/files/file-system.ts';
import { decodeInput } from '../io/files/read-documents.ts';
import { throwUsage, UsageError } from './command.ts';

/**
 * An argument that looks like a file is one, whether it exists or not: a new file must not change the meaning of an argument.
 * `-`, `./list`, `bom.json`, `images/Dockerfile.prod`, but not `svc@1.0`, `team/agent:1.0` and `pkg:npm/package.json`.
 */
const fileForm =
  /^(?:-$|\/|\.\.?\/)|^(?!pkg:).*\.(?:json|xml|txt|csv|md|ya?ml|toml|tf|gradle|kts|lock(?:file)?)$|(?:^|\/)Dockerfile[^/]*$/i;

/** An argument of the command line: a text, or a file with its content. */
interface LoadedArgument {
  argument: string;
  isFile: boolean;
  text: string;
  /** The path from the current folder; absent for a text and for standard input. */
  path?: string | undefined;
}

/** What an argument states about versions. */
export interface ReadArgument extends ReadText, Pick<LoadedArgument, 'argument' | 'isFile'> {}

/** The arguments of the command line, in order, with the content of each file. */
export async function loadArguments(args: readonly string[]): Promise<LoadedArgument[]> {
  if (args.indexOf('-') !== args.lastIndexOf('-')) {
    throw new UsageError('expected - once: standard input can be read only once');
  }

  throwUsage(args.map(findProblem).filter((message) => message !== undefined));

  const inputs: LoadedArgument[] = [];
  for (const argument of args) {
    if (!fileForm.test(argument)) {
      inputs.push({ argument, isFile: false, text: argument });
      continue;
    }

    const path = argument === '-' ? undefined : relative('', argument);
    inputs.push({ argument, isFile: true, text: await readInput(argument), path });
  }
  return inputs;
}

/** Reads what the arguments state. Throws an `InputError` for a file without any item, and for an argument that is rejected. */
export async function readArguments(
  index: PublishedIndex,
  args: readonly LoadedArgument[],
): Promise<ReadArgument[]> {
  const inputs: ReadArgument[] = [];
  for (const { argument, isFile, text, path } of args) {
    const result = await readText(index, text, longestTexts.file);
    throwProblems(argument, result.problems);
    if (!isFile) {
      // The argument itself is reported, so nothing in it is also counted.
      const entries = listEntries(argument, result);
      inputs.push({ ...result, argument, isFile, entries, otherCount: 0 });
      continue;
    }
    if (result.entries.length === 0 && !result.otherCount) {
      throw inputError(argument, 'has no items; correct the program that writes it');
    }

    const entries = result.entries.map((entry) =>
      mapEntry(entry, (item) => ({ ...item, file: path })),
    );
    inputs.push({ ...result, argument, isFile, entries });
  }
  return inputs;
}

/** The entries of an argument that is no file: at least one, so each such argument has a result. */
function listEntries(argument: string, { entries }: ReadText): Entry[] {
  // In a text, a bracket or a comma would end the package URL.
  const purlEntry = createPurlEntry(argument);
  if (purlEntry) {
    return [purlEntry];
  }
  if (entries.length === 0) {
    return [[{ text: argument, name: argument }]];
  }

  // The line in the argument means nothing to a person.
  return entries.map((entry) => mapEntry(entry, ({ line: _, ...item }) => item));
}

/** A name with a version: `svc@2025.1`, `svc 2025.1`, `team/agent:1.0`, `agent>=1.2`, `@scope/name@1.0`, but not `svc` and `@scope/name`. */
const namedVersion = /^[^\s@].*(?:[@:=]\S|[\s/<>~^=-]v?\d)|^@.+@/s;

/** The problem of an argument that is neither a file nor a package URL nor a name with a version. */
function findProblem(argument: string): string | undefined {
  if (fileForm.test(argument) || createPurlEntry(argument)) {
    return undefined;
  }

  const got = `got ${quote(argument)}`;
  if (isPurl(argument)) {
    return `expected a package URL such as pkg:npm/name@1.0.0; ${got}`;
  }

  return namedVersion.test(argument)
    ? undefined
    : `expected component@version, a package URL or a file; ${got}. A file is written as ./name`;
}

const maxProblems = 20;

/** Throws an `InputError` with the first problems of an argument, if there are any. */
export function throwProblems(argument: string, problems: readonly string[]): void {
  if (problems.length === 0) {
    return;
  }

  const findings = problems.slice(0, maxProblems).map((message) => problem(argument, message));
  const more = problems.length - findings.length;
  if (more > 0) {
    findings.push(problem(argument, `and ${formatCount(more, 'more such problem')}`));
  }

  throw new InputError(findings);
}

/** The text of a file, or of standard input for `-`. Throws an `InputError` if it cannot be read or has more bytes than `longestTexts` allows. */
export async function readInput(path: string): Promise<string> {
  const input: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  const chunks: Buffer[] = [];
  let size = 0;

  try {
    for await (const chunk of input) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > longestTexts.file) {
        throw inputError(path, `expected at most ${longestTexts.file / 2 ** 20} MiB`);
      }
    }
  } catch (error) {
    throw inputError(path, `cannot be read: ${expectFileError(error)}`);
  }

  return decodeInput(path, Buffer.concat(chunks));
}
