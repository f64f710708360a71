import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { fileProblem } from '../../core/schemas/finding.ts';
import { isAbsent } from './file-system.ts';
import {
  describeFirstProblem,
  findUnfinishedMerge,
  notUtf8,
  parseIfJson,
  readBytes,
  reject,
  type ReadResult,
} from './read-documents.ts';

/** An append-only file with one JSON document per line. */
export interface Lines<T> {
  readonly values: T[];
  /** The complete lines, each ending with a line feed. */
  readonly text: string;
  /** The stored file; absent if there is no file. */
  readonly bytes?: Buffer;
}

/** Reads a file with one JSON document per line by the schema of a line. An absent file has no lines. */
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
      const problem = describeFirstProblem(document, schema);
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
