import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { fileProblem, inputError, InputError, type Finding } from '../../core/schemas/finding.ts';
import { findProblems, type Problem } from '../../core/schemas/problems.ts';
import { showValue } from '../../core/text/show.ts';
import { createLineCounter, findRepeatedKeys } from '../../core/text/document-text.ts';
import { explainFileError, isAbsent, readRegularFile } from './file-system.ts';

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

/** Reads a JSON document by its schema. `fallback`: the result for a missing file, which is otherwise a problem. */
export function readDocument<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
  fallback?: ReadResult<T>,
  redact?: (problem: Problem) => Problem,
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
    const reason = explainFileError(error);
    if (reason === undefined) {
      throw error;
    }

    return { findings: [fileProblem(name, `cannot be read: ${reason}`)] };
  }
}

/** Reads the bytes of a JSON document by its schema. `redact`: removes secrets from a problem. */
export function parseDocument<T>(
  bytes: Uint8Array,
  name: string,
  schema: z.ZodType<T>,
  redact = (problem: Problem) => problem,
): ReadResult<T> {
  const { input, problems } = parseJson(bytes, name);
  if (problems.length === 0) {
    return checkDocument(input, name, schema, redact);
  }

  const findings = problems.map((problem) =>
    fileProblem(name, typeof problem === 'string' ? problem : redact(problem)),
  );
  return { findings };
}

/** Checks a parsed document by its schema. */
export function checkDocument<T>(
  input: unknown,
  name: string,
  schema: z.ZodType<T>,
  redact = (problem: Problem) => problem,
): ReadResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return { value: parsed.data, findings: [] };
  }

  const problems = findProblems(input, schema);
  return { findings: problems.map((problem) => fileProblem(name, redact(problem))) };
}

/** The value of a JSON text, or the problems because of which no schema can be applied. */
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
    const got = showValue(key);
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

/** The text of a file that a person names. Throws an `InputError` if it is not UTF-8. */
export function decodeInput(path: string, bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw inputError(path, 'cannot be read: the file is not UTF-8');
  }

  return decode(bytes);
}

/** Drops the byte order mark that some editors write. Throws an `Error` for other bytes than UTF-8. */
export function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    throw new Error('the file is not UTF-8');
  }

  return new TextDecoder().decode(bytes);
}
