import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { fileProblem, InputError, throwErrors, type Finding } from '../../core/schemas/finding.ts';
import { findProblems, type Problem } from '../../core/schemas/problems.ts';
import { show } from '../../core/text/show.ts';
import { isTooDeep, createLineCounter, findRepeatedKeys } from '../../core/text/document-text.ts';
import { explainFileError, isAbsent, readRegularFile } from './file-system.ts';

export interface ReadResult<T> {
  value?: T;
  findings: Finding[];
}

/** Throws an InputError with all problems: an unusable file must never pass as an empty one. */
export function unwrapResult<T>({ value, findings }: ReadResult<T>): T {
  if (value === undefined) {
    throw new InputError(findings);
  }

  return value;
}

/** The content of a file. Throws an `InputError` where it is missing or invalid. */
export function requireValue<T>({ value, findings }: ReadResult<T>): T {
  throwErrors(findings);
  // Only an optional file, for which its reader names a fallback, has neither a value nor a finding.
  return value as T;
}

/**
 * Reads a JSON document by its schema. Returns all problems at once, each with the file's name. `fallback`: the result for a
 * missing file, which is otherwise a problem. `redact`: removes secrets from a problem.
 */
export function readDocument<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
  fallback?: ReadResult<T>,
  redact = (problem: Problem) => problem,
): ReadResult<T> {
  if (fallback && isAbsent(path)) {
    return fallback;
  }

  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    const reason = explainFileError(error);
    if (reason === undefined) {
      throw error;
    }

    return { findings: [fileProblem(name, `cannot be read: ${reason}`)] };
  }

  return parseDocument(bytes, name, schema, redact);
}

export function parseDocument<T>(
  bytes: Uint8Array,
  name: string,
  schema: z.ZodType<T>,
  redact = (problem: Problem) => problem,
): ReadResult<T> {
  const reject = (problems: readonly (string | Problem)[]) => ({
    findings: problems.map((problem) =>
      fileProblem(name, typeof problem === 'string' ? problem : redact(problem)),
    ),
  });

  const { input, problems } = parseJson(bytes, name);
  if (problems.length > 0) {
    return reject(problems);
  }

  const parsed = schema.safeParse(input);
  return parsed.success
    ? { value: parsed.data, findings: [] }
    : reject(findProblems(input, schema));
}

/** The value of a JSON text, with the problems for which no schema sees it. */
function parseJson(
  bytes: Uint8Array,
  name: string,
): { input?: unknown; problems: (string | Problem)[] } {
  let text = '';
  let input: unknown;
  try {
    text = decode(bytes);
    input = JSON.parse(text);
  } catch (error) {
    const got = (error as Error).message;
    const merge = findUnfinishedMerge(text, name);
    return { problems: [merge ?? { kind: 'not JSON', path: [], expected: 'JSON', got }] };
  }

  if (isTooDeep(input)) {
    return { problems: ['is nested too deeply for a document'] };
  }

  const problems = findRepeatedKeys(text).map(({ key, line }): Problem => {
    const got = show(key);
    return { kind: 'repeated key', path: [], line, expected: 'remove one', got };
  });
  return { input, problems };
}

/** The line and the remedy if a text holds git's conflict markers. */
export function findUnfinishedMerge(text: string, name: string): string | undefined {
  const { index } = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.exec(text) ?? {};
  if (index === undefined) {
    return undefined;
  }

  const component = /^data\/(?:freshness\/)?([^/]+)\.json$/.exec(name)?.[1];
  const command = component === undefined ? 'record' : `gather ${component}`;
  const remedy = name.startsWith('data/')
    ? `Keep the published branch's version of the file, then run: npx release-index ${command}`
    : 'Resolve it by hand';
  return `line ${createLineCounter(text)(index)}: an unfinished merge of git. ${remedy}`;
}

/** Drops the byte order mark that some editors write. */
export function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new Error('the file is not UTF-8');
  }

  return new TextDecoder().decode(bytes);
}
