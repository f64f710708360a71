import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { z } from 'zod';
import type { Day } from '../core/dates.ts';
import { InputError, isError, problem, type Finding } from '../core/schemas/finding.ts';
import { SiteUrl } from '../core/schemas/links.ts';
import { show } from '../core/schemas/problems.ts';
import type { ReadResult } from '../io/files/documents.ts';
import { isCheckout } from '../io/program.ts';
import type { Root } from '../io/files/root.ts';
import type { Reporter } from './reporter.ts';

/** A verb: its part of the command line, its help, and its work. */
export interface Command {
  /** Absent where it has none. */
  arguments?: Arguments;
  options: Readonly<Record<string, Option>>;
  /** Its work, what it reads and writes, and how it ends. */
  details: readonly string[];
  examples: readonly (readonly [command: string, meaning: string])[];
  /** The exit status where its input cannot be read; 1 where absent. */
  statusOfInputErrors?: number;
  /** Returns the exit status. */
  run(invocation: Invocation): number | Promise<number>;
}

/** The names of the arguments of a verb, in their order. */
export interface Arguments {
  required?: readonly string[];
  optional?: readonly string[];
  /** The last may be given any number of times. */
  isOpen?: true;
}

/** `<component> [version...]` */
export function usageOf({ required = [], optional = [], isOpen }: Arguments): string {
  const last = [...required, ...optional].at(-1);
  const name = (text: string) => (isOpen && text === last ? `${text}...` : text);
  return [...required.map((text) => `<${name(text)}>`), ...optional.map((text) => `[${name(text)}]`)].join(
    ' ',
  );
}

/** The exit status of a question that could not be answered: an index that cannot be reached or is too old, a missing file. */
export const unableStatus = 3;

export interface Option {
  type: 'string' | 'boolean';
  value?: string;
  /** It may be given several times. */
  multiple?: boolean;
  summary: string;
}

export function flag(summary: string): Option {
  return { type: 'boolean', summary };
}

export function text(value: string, summary: string): Option {
  return { type: 'string', value, summary };
}

/** Options of several commands. A command rejects those that it does not list. */
export const sharedOptions = {
  root: text(
    'DIR',
    `folder with components/ and data/ (default: the ${isCheckout ? 'checkout' : 'current folder'})`,
  ),
  out: text('DIR', 'folder of the built site (default: dist under the root)'),
  'as-of': text('YYYY-MM-DD', 'the day to decide for (default: today, UTC)'),
  'base-url': text('URL', 'where the site is published (default: releasesUrl of site/site.json)'),
} as const satisfies Readonly<Record<string, Option>>;

/** For commands that can answer from a published index. */
export const index = text('URL', 'ask the index that is published there instead of the folder');

export function shared(...names: readonly (keyof typeof sharedOptions)[]): Readonly<Record<string, Option>> {
  return Object.fromEntries(names.map((name) => [name, sharedOptions[name]]));
}

/** The values given, by name; a list where an option may be given several times. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** The command line, resolved and checked, as every command gets it. */
export interface Invocation {
  readonly arguments: readonly string[];
  readonly options: Options;
  readonly root: Root;
  /** The folder of this program. */
  readonly checkout: string;
  /** Absolute. */
  readonly out: string;
  readonly day: Day;
  readonly baseUrl?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly report: Reporter;
  /** Aborted when a person or the system asks the run to end. */
  readonly signal: AbortSignal;
}

/** The command line is wrong: exit 2, with a hint to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** A signal asked the run to end; the reason of the invocation's `signal`. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';
  /** 128 and the number of the signal, as shells have it. */
  readonly status: number;

  constructor(signal: NodeJS.Signals, status: number) {
    super(`stopped by ${signal}`);
    this.status = status;
  }
}

/** The exit status of a run that was asked to end. */
export function stoppedStatus({ reason }: AbortSignal): number {
  return reason instanceof StoppedError ? reason.status : 1;
}

export function inputError(subject: string, message: string): InputError {
  return new InputError([problem(subject, message)]);
}

export function throwErrors(findings: readonly Finding[]): void {
  if (findings.some(isError)) throw new InputError(findings);
}

/** The content of a file that is there and valid. */
export function requireValue<T>({ value, findings }: ReadResult<T>): T {
  throwErrors(findings);
  return value!;
}

/** The value of an option or argument of this name by its schema; undefined where it is not given. */
export function parseOption<T>(name: string, value: Options[string], schema: z.ZodType<T>): T | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${name}: ${parsed.error.issues[0]!.message}; got ${show(value)}`);
}

/** The address of a site, without a slash at its end. */
export function siteUrlOf(name: string, value: Options[string]): string | undefined {
  return parseOption(name, typeof value === 'string' ? value.replace(/\/+$/, '') : value, SiteUrl);
}

/** Whether a person wants it, or said so before with --yes. */
export async function confirm({ options, report }: Invocation, question: string): Promise<boolean> {
  if (options['yes'] === true) return true;
  if (!process.stdin.isTTY) {
    report.finding(problem('--yes', 'is needed where nobody can be asked. Nothing was changed'));
    return false;
  }
  if (/^y(?:es)?$/i.test((await ask(`${question} [y/N] `)) ?? '')) return true;
  report.print('Nothing was changed.');
  return false;
}

/** The line that a person types on the terminal; undefined where they end it with Ctrl-C or Ctrl-D. */
export async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = once(terminal, 'close').then(() => undefined);
  // Ctrl-C rejects, and Ctrl-D leaves the question unanswered.
  const answer = await Promise.race([terminal.question(question).catch(() => undefined), ended]);
  terminal.close();
  return answer?.trim();
}
