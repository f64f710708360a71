import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { fileProblem, inputError, InputError, type Finding } from '../../core/schemas/finding.ts';
import { describeProblems, findProblems, type Problem } from '../../core/schemas/problems.ts';
import { showValue } from '../../core/text/show.ts';
import { readKeys } from '../../core/text/json-keys.ts';
import { createLineCounter } from '../../core/text/line-counter.ts';
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

/**
 * The same for a file that the command line names: its problems lead to the file from the current folder, not from the root. `-` is
 * standard input.
 */
export function unwrapNamed<T>({ findings, ...result }: ReadResult<T>): T {
  return unwrapResult({
    ...result,
    findings: findings.map((finding) => {
      const { subject } = finding;
      return { ...finding, file: subject === '-' ? subject : resolve(subject) };
    }),
  });
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
export function readBytes(path: string, name: string): ReadResult<Buffer> {
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
  const json = parseJson(bytes, name);
  return 'problems' in json
    ? reject(name, json.problems, redact)
    : checkDocument(json.value, name, schema, redact);
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
): { value: unknown } | { problems: readonly (string | Problem)[] } {
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

  const problems = findUnusableKeys(text);
  return problems.length > 0 ? { problems } : { value };
}

/** A problem for each key with a value that reading would drop: all but the last of a repeated key, and that of `__proto__` in a record. */
function findUnusableKeys(text: string): (string | Problem)[] {
  const problems: (string | Problem)[] = [];
  for (const { key, line, isRepeated } of readKeys(text)) {
    if (key === '__proto__') {
      problems.push(`line ${line}: no document may have the key "__proto__"; remove it`);
    } else if (isRepeated) {
      const got = showValue(key);
      problems.push({ kind: 'repeated key', path: [], line, expected: 'remove one', got });
    }
  }

  return problems;
}

/** A result without a value. */
export function reject(
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
export function findUnfinishedMerge(text: string, name: string): string | undefined {
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

/** The first problem of a parsed text that does not match its schema. `document`: as `parseIfJson` gives it, undefined for a text that is not JSON. */
export function describeFirstProblem(document: unknown, schema: z.ZodType): string {
  return document === undefined
    ? 'not JSON, or nested too deeply'
    : describeProblems(document, schema)[0]!;
}

/** The text of a file that a person names. Throws an `InputError` if it is not UTF-8. */
export function decodeInput(path: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text === undefined) {
    throw inputError(path, notUtf8);
  }

  return text;
}

export const notUtf8 = 'cannot be read: the file is not UTF-8';

/** The text without the byte order mark that some editors write. Undefined for other bytes than UTF-8. */
export function decode(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
}
