import type { z } from 'zod';
import { describeProblems } from '../model/problems.ts';
import type { Finding } from '../model/finding.ts';

export interface ReadResult<T> {
  value?: T;
  findings: Finding[];
}

/** Says quickly what the schema would make of a document; undefined where the schema has to be asked. */
export type Shortcut<T> = (input: unknown) => T | undefined;

/** Reads a JSON document by its schema. All of its problems come back at once, each with the file's name. */
export function parseDocument<T>(
  bytes: Uint8Array,
  name: string,
  schema: z.ZodType<T>,
  shortcut?: Shortcut<T>,
): ReadResult<T> {
  let input: unknown;
  try {
    input = parseJson(bytes);
  } catch (error) {
    return { findings: [problem(name, `not JSON: ${(error as Error).message}`)] };
  }
  const value = shortcut?.(input);
  if (value !== undefined) return { value, findings: [] };
  const parsed = schema.safeParse(input);
  if (parsed.success) return { value: parsed.data, findings: [] };
  return { findings: describeProblems(parsed.error, input, schema).map((message) => problem(name, message)) };
}

/** Strict UTF-8, and a message that names line and column. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(locate(text, error as Error), { cause: error });
  }
}

function locate(text: string, error: Error): string {
  const at = /at position (\d+)/.exec(error.message)?.[1];
  const what = error.message.replace(/ in JSON at position.*$/s, '').replace(/^"|, "(?:.|\n)*$/g, '');
  if (at === undefined) return text.trim() === '' ? 'the file is empty' : what;
  const before = text.slice(0, Number(at)).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${what}`;
}

function problem(file: string, message: string): Finding {
  return { level: 'error', subject: file, message, file };
}
