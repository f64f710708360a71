import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { fileProblem, inputError, InputError, type Finding } from '../../core/schemas/finding.ts';
import { describeProblems, findProblems, type Problem } from '../../core/schemas/problems.ts';
import { showValue } from '../../core/text/show.ts';
import { createLineCounter, findRepeatedKeys } from '../../core/text/document-text.ts';
import { expectFileError, isAbsent, readRegularFile } from './file-system.ts';

/** A value with warnings, or none with problems. Without both, the file is absent, and may be. */
export interface ReadResult<T> {
  value?: T;
  findings: Finding[];
}

/** Throws an `InputError` with all problems: an unusable file must never pass as an empty one. */
export function unwrapResult<T>({ value, findings }: ReadResult<T>): T {
  if (value === undefined) {
    throw new InputError(findings);
  }

  return value;
}

/** Removes secrets from a problem. */
type Redact = (problem: Problem) => Problem;

/** Reads a JSON document by its schema. `fallback`: the result for a missing file, which is otherwise a problem. */
export function readDocument<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
  fallback?: ReadResult<T>,
  redact?: Redact,
): ReadResult<T> {
  if (fallback && isAbsent(path)) {
    return fallback;
  }

  const { value: bytes, findings } = readBytes(path, name);
  return bytes ? parseDocument(bytes, name, schema, redact) : { findings };
}

/** The bytes of a file, or the reason why it cannot be read. */
function readBytes(path: string, name: string): ReadResult<Buffer> {
  try {
    return { value: readRegularFile(path), findings: [] };
  } catch (error) {
    return { findings: [fileProblem(name, `cannot be read: ${expectFileError(error)}`)] };
  }
}

/** Reads the bytes of a JSON document by its schema. */
export function parseDocument<T>(
  bytes: Uint8Array,
  name: string,
  schema: z.ZodType<T>,
  redact?: Redact,
): ReadResult<T> {
  const { value, problems } = parseJson(bytes, name);
  return problems.length > 0
    ? reject(name, problems, redact)
    : checkDocument(value, name, schema, redact);
}

/** Checks a parsed document by its schema. */
export function checkDocument<T>(
  input: unknown,
  name: string,
  schema: z.ZodType<T>,
  redact?: Redact,
): ReadResult<T> {
  const parsed = schema.safeParse(input);
  return parsed.success
    ? { value: parsed.data, findings: [] }
    : reject(name, findProblems(input, schema), redact);
}

/** The value of a JSON text, or the problems because of which no schema can be applied. */
function parseJson(
  bytes: Uint8Array,
  name: string,
): { value?: unknown; problems: readonly (string | Problem)[] } {
  const text = decode(bytes);
  if (text === undefined) {
    return { problems: [notUtf8] };
  }

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const merge = findUnfinishedMerge(text, name);
    const got = (error as SyntaxError).message;
    return { problems: [merge ?? { kind: 'not JSON', path: [], expected: 'JSON', got }] };
  }

  if (isTooDeep(value)) {
    return { problems: ['is nested too deeply for a document'] };
  }

  const problems = findRepeatedKeys(text).map(({ key, line }): Problem => {
    const got = showValue(key);
    return { kind: 'repeated key', path: [], line, expected: 'remove one', got };
  });
  return { value, problems };
}

function reject(
  name: string,
  problems: readonly (string | Problem)[],
  redact: Redact = (problem) => problem,
): { findings: Finding[] } {
  const findings = problems.map((problem) =>
    fileProblem(name, typeof problem === 'string' ? problem : redact(problem)),
  );
  return { findings };
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

/** The value of a JSON text; undefined if it is no JSON, or nested too deeply. */
export function parseIfJson(text: string): unknown {
  try {
    const document: unknown = JSON.parse(text);
    return isTooDeep(document) ? undefined : document;
  } catch {
    return undefined;
  }
}

/** The text of a file that a person names. Throws an `InputError` if it is not UTF-8. */
export function decodeInput(path: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text === undefined) {
    throw inputError(path, notUtf8);
  }

  return text;
}

const notUtf8 = 'cannot be read: the file is not UTF-8';

/** The text without the byte order mark that some editors write. Undefined for other bytes than UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
}

/** An append-only file with one JSON document per line. */
export interface Lines<T> {
  readonly values: T[];
  /** The complete lines, each ending with a line feed. */
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
 * because what was published would be lost.
 */
function parseLines<T>(bytes: Buffer, name: string, schema: z.ZodType<T>): ReadResult<Lines<T>> {
  const text = new TextDecoder().decode(bytes);
  const { lines, isCut } = splitLines(text);
  // A crash may cut off the last line within a character.
  if (!isUtf8(isCut ? bytes.subarray(0, bytes.lastIndexOf('\n') + 1) : bytes)) {
    return reject(name, [notUtf8]);
  }

  const merge = findUnfinishedMerge(text, name);
  if (merge !== undefined) {
    return reject(name, [merge]);
  }

  const values: T[] = [];
  for (const [index, line] of lines.entries()) {
    const document = parseIfJson(line);
    const parsed = schema.safeParse(document);
    if (!parsed.success) {
      const [problem] =
        document === undefined
          ? ['not JSON, or nested too deeply']
          : describeProblems(document, schema);
      const remedy = 'Lines are never changed: restore the file from git';
      return reject(name, [`line ${index + 1}: ${problem}. ${remedy}`]);
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
  const isCut = lastLine !== '' && parseIfJson(lastLine) === undefined;
  if (lastLine !== '' && !isCut) {
    lines.push(lastLine);
  }
  return { lines, isCut };
}
