import type { z } from 'zod';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { describeProblems } from '../../core/schemas/problems.ts';
import { isTooDeep } from '../../core/text/document-text.ts';
import { explainFileError, isAbsent, readRegularFile } from './file-system.ts';
import { decode, findUnfinishedMerge, type ReadResult } from './read-documents.ts';

/** An append-only file with one JSON document per line. */
export interface Lines<T> {
  readonly values: T[];
  /** The complete lines as stored, each with its line end. */
  readonly text: string;
  /** The stored file; absent if there is no file. */
  readonly bytes?: Buffer;
}

/**
 * Skips a last line that a crash cut off, with a warning: the next run overwrites it. Any other problem makes the file unusable,
 * because published events would be lost.
 */
export function readLines<T>(
  path: string,
  name: string,
  schema: z.ZodType<T>,
): ReadResult<Lines<T>> {
  if (isAbsent(path)) {
    return { value: { values: [], text: '' }, findings: [] };
  }

  let bytes: Buffer;
  let text: string;
  try {
    bytes = readRegularFile(path);
    text = decodeLines(bytes);
  } catch (error) {
    const reason = explainFileError(error) ?? (error as Error).message;
    return { findings: [fileProblem(name, `cannot be read: ${reason}`)] };
  }

  const merge = findUnfinishedMerge(text, name);
  if (merge !== undefined) {
    return { findings: [fileProblem(name, merge)] };
  }

  const { lines, isCut } = splitLines(text);
  const values: T[] = [];
  for (const [index, line] of lines.entries()) {
    const document = parseLine(line);
    const parsed = schema.safeParse(document);
    if (!parsed.success) {
      const [problem] = document === undefined ? ['not JSON'] : describeProblems(document, schema);
      const remedy = 'Lines are never changed: restore the file from git';
      return { findings: [fileProblem(name, `line ${index + 1}: ${problem}. ${remedy}`)] };
    }

    values.push(parsed.data);
  }

  const findings: Finding[] = [];
  if (isCut) {
    const message = `line ${lines.length + 1} is cut off and was ignored; the next run writes it anew`;
    findings.push(fileProblem(name, message, 'warning'));
  }

  return { value: { values, text: lines.map((line) => `${line}\n`).join(''), bytes }, findings };
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

/** Decodes what is after the last line end leniently: a crash may split a character. */
function decodeLines(bytes: Buffer): string {
  const end = bytes.lastIndexOf('\n') + 1;
  return decode(bytes.subarray(0, end)) + bytes.subarray(end).toString();
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
