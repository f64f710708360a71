import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { commandLine } from '../../core/command-prefix.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { describeProblems, show } from '../../core/schemas/problems.ts';
import { readRegularFile } from './entry.ts';
import { fileRefusal } from './file-refusal.ts';
import { repeatedKeys } from '../../core/repeated-keys.ts';

export interface ReadResult<T> {
  value?: T;
  findings: Finding[];
}

/** A file that is needed cannot be used. Carries all of its problems. */
export class BrokenFileError extends Error {
  override readonly name = 'BrokenFileError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map((finding) => `${finding.subject}: ${finding.message}`).join('\n'));
    this.findings = findings;
  }
}

/** Throws a BrokenFileError if the file could not be used; it must never be mistaken for an empty one. */
export function valueOf<T>({ value, findings }: ReadResult<T>): T {
  if (value === undefined) throw new BrokenFileError(findings);
  return value;
}

/** Reads a JSON document by its schema. All of its problems come back at once, each with the file's name. */
export function readDocument<T>(path: string, name: string, schema: z.ZodType<T>): ReadResult<T> {
  let bytes: Uint8Array;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    const reason = fileRefusal(error);
    if (reason === undefined) throw error;
    return { findings: [problem(name, `cannot be read: ${reason}`)] };
  }
  return parseDocument(bytes, name, schema);
}

export function parseDocument<T>(bytes: Uint8Array, name: string, schema: z.ZodType<T>): ReadResult<T> {
  let text: string | undefined;
  let input: unknown;
  try {
    text = decode(bytes);
    input = parseText(text);
  } catch (error) {
    const merge = text === undefined ? undefined : unfinishedMerge(text, name);
    return { findings: [problem(name, merge ?? `not JSON: ${(error as Error).message}`)] };
  }
  const repeated = repeatedKeys(text).map(
    ({ key, line }) => `line ${line}: has the key ${show(key)} a second time; remove one`,
  );
  if (repeated.length > 0) return { findings: repeated.map((message) => problem(name, message)) };
  const parsed = schema.safeParse(input);
  if (parsed.success) return { value: parsed.data, findings: [] };
  const messages = describeProblems(parsed.error, input, schema);
  return { findings: messages.map((message) => problem(name, message)) };
}

/** What to do about the marks that git leaves where two sides changed the same lines. */
function unfinishedMerge(text: string, name: string): string | undefined {
  const before = /^[^]*?^(?=<{7} )/m.exec(text)?.[0];
  if (before === undefined) return undefined;
  const component = /^data\/(?:freshness\/)?(.+)\.json$/.exec(name)?.[1];
  const remedy =
    component === undefined
      ? 'Resolve it by hand'
      : `Take the side of the published branch as it is and gather again: ${commandLine('gather', component)}`;
  return `line ${before.split('\n').length}: an unfinished merge of git ("<<<<<<<"). ${remedy}`;
}

/** Strict UTF-8, and a message that names line and column. */
export function parseJson(bytes: Uint8Array): unknown {
  return parseText(decode(bytes));
}

/** Without the byte order mark that some editors write. */
export function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new Error('the file is not UTF-8');
  return new TextDecoder().decode(bytes);
}

export function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(locate(text, error as Error), { cause: error });
  }
}

function locate(text: string, error: Error): string {
  if (text.trim() === '') return 'the file is empty';
  const what = error.message
    .replace(/ in JSON at position.*$/s, '')
    .replace(/, (?:\.\.\.)?".*$/s, '')
    .replace(/^Unexpected end of JSON input$/, 'it ends too early');
  const before = text.slice(0, positionOf(text, error)).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: ${what}`;
}

/** V8 states the position in some messages; in others it only quotes the text around it. */
function positionOf(text: string, { message }: Error): number {
  const stated = /at position (\d+)/.exec(message)?.[1];
  if (stated !== undefined) return Number(stated);
  const unexpected = /^Unexpected token '(.+?)', (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/su.exec(
    message,
  );
  if (!unexpected) return text.length;
  const [, token = '', around = ''] = unexpected;
  const start = text.indexOf(around);
  // V8 shows ten characters before the token if there are more.
  return text.startsWith(token, start + 10) && message.includes('...')
    ? start + 10
    : start + around.indexOf(token);
}

function problem(file: string, message: string): Finding {
  return { level: 'error', subject: file, message, file };
}
