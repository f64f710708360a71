import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { fileProblem, InputError, type Finding } from '../../core/schemas/finding.ts';
import { findProblems, describeProblems, type Problem } from '../../core/schemas/problems.ts';
import { show } from '../../core/text/show.ts';
import { createLineCounter, findRepeatedKeys } from '../../core/text/document-text.ts';
import { explainFileError, isAbsent, readRegularFile } from './file-system.ts';

/** A value, or the problems for which there is none. With a value, findings are warnings. */
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

/**
 * Reads a JSON document by its schema. Returns all problems at once, each with the file's name. `fallback`: the result for a
 * missing file, which is otherwise a problem.
 */
export function readDocument<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
  fallback?: ReadResult<T>,
): ReadResult<T> {
  if (fallback && isAbsent(path)) {
    return fallback;
  }

  const { value: bytes, findings } = readBytes(path, name);
  return bytes ? parseDocument(bytes, name, schema) : { findings };
}

/** The bytes of a file, or the reason why it cannot be read. */
export function readBytes(path: string, name: string): ReadResult<Buffer> {
  try {
    return { value: readRegularFile(path), findings: [] };
  } catch (error) {
    const reason = explainFileError(error);
    if (reason === undefined) {
      throw error;
    }

    return { findings: [fileProblem(name, `cannot be read: ${reason}`)] };
  }
}

/** `redact`: removes secrets from a problem. */
export function parseDocument<T>(
  bytes: Uint8Array,
  name: string,
  schema: z.ZodType<T>,
  redact = (problem: Problem) => problem,
): ReadResult<T> {
  const { input, problems } = parseJson(bytes, name);
  const parsed = problems.length === 0 ? schema.safeParse(input) : undefined;
  if (parsed?.success) {
    return { value: parsed.data, findings: [] };
  }

  const allProblems = parsed ? findProblems(input, schema) : problems;
  const findings = allProblems.map((problem) =>
    fileProblem(name, typeof problem === 'string' ? problem : redact(problem)),
  );
  return { findings };
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
    // An error of `decode` or of `JSON.parse`.
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

/** Our own documents are nested far less. */
const maxDepth = 64;

/** Whether a parsed document nests lists and objects deeper than any of ours: what reads it next is recursive. */
function isTooDeep(document: unknown, depth = 0): boolean {
  if (typeof document !== 'object' || document === null) {
    return false;
  }
  if (depth === maxDepth) {
    return true;
  }

  const values: readonly unknown[] = Array.isArray(document) ? document : Object.values(document);
  return values.some((value) => isTooDeep(value, depth + 1));
}

/** The line and the remedy if a text holds git's conflict markers. */
function findUnfinishedMerge(text: string, name: string): string | undefined {
  const { index } = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m.exec(text) ?? {};
  if (index === undefined) {
    return undefined;
  }

  const component = /^data\/(?:freshness\/)?(?!held\.)([^/]+)\.json$/.exec(name)?.[1];
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

/** An append-only file with one JSON document per line. */
export interface Lines<T> {
  readonly values: T[];
  /** The complete lines as stored, each with its line end. */
  readonly text: string;
  /** The stored file; absent if there is no file. */
  readonly bytes?: Buffer;
}

/** An absent file has no lines. */
export function readLines<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
): ReadResult<Lines<T>> {
  if (isAbsent(path)) {
    return { value: { values: [], text: '' }, findings: [] };
  }

  const { value: bytes, findings } = readBytes(path, name);
  return bytes ? parseLines(bytes, name, schema) : { findings };
}

/**
 * Skips a last line that a crash cut off, with a warning: the next run overwrites it. Any other problem makes the file unusable,
 * because published events would be lost.
 */
function parseLines<T>(bytes: Buffer, name: string, schema: z.ZodType<T>): ReadResult<Lines<T>> {
  const reject = (problem: string) => ({ findings: [fileProblem(name, problem)] });

  const text = new TextDecoder().decode(bytes);
  const { lines, isCut } = splitLines(text);
  // A crash may cut off the last line within a character.
  if (!isUtf8(isCut ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes)) {
    return reject('cannot be read: the file is not UTF-8');
  }

  const merge = findUnfinishedMerge(text, name);
  if (merge !== undefined) {
    return reject(merge);
  }

  const values: T[] = [];
  for (const [index, line] of lines.entries()) {
    const document = parseLine(line);
    const parsed = schema.safeParse(document);
    if (!parsed.success) {
      const [problem] = document === undefined ? ['not JSON'] : describeProblems(document, schema);
      const remedy = 'Lines are never changed: restore the file from git';
      return reject(`line ${index + 1}: ${problem}. ${remedy}`);
    }

    values.push(parsed.data);
  }

  const cut = `line ${lines.length + 1} is cut off and was ignored; the next run writes it anew`;
  return {
    value: { values, text: lines.map((line) => `${line}\n`).join(''), bytes },
    findings: isCut ? [fileProblem(name, cut, 'warning')] : [],
  };
}

/** The complete lines, also one that lacks only its line end. `isCut`: a crash cut off the last one. */
function splitLines(text: string): { lines: string[]; isCut: boolean } {
  const lines = text.split('\n');
  const lastLine = lines.pop() ?? '';
  const isCut = lastLine !== '' && parseLine(lastLine) === undefined;
  if (lastLine !== '' && !isCut) {
    lines.push(lastLine);
  }
  return { lines, isCut };
}

/** Undefined for a text that is no JSON, or nested too deeply. */
export function parseLine(line: string): unknown {
  try {
    const document: unknown = JSON.parse(line);
    return isTooDeep(document) ? undefined : document;
  } catch {
    return undefined;
  }
}
