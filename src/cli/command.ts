import { pick } from '../core/model/objects.ts';
import { isCheckout } from '../io/program.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Reporter } from './reporter.ts';

/** A verb: its arguments and options, its help, and its implementation. */
export interface Command<Declared extends OptionTable = OptionTable> {
  arguments?: Arguments;
  options: Declared;
  /** The lines of its help about its effect, its input and output, and its exit status. */
  details: readonly string[];
  examples: readonly (readonly [command: string, meaning: string])[];
  /** Whether it answers a question: unreadable input ends it with `unableStatus` instead of 1. */
  isQuestion?: true;
  /** False if it also runs in a folder without an index. */
  needsIndex?: false;
  /** Whether it first checks the files of the index and its repository: see `rejectRepositoryProblems`. */
  checksRepository?: true;
  /** Returns the exit status. */
  run(invocation: Invocation<Declared>): number | Promise<number>;
}

/** The names of the arguments of a verb, in order. */
export interface Arguments {
  required?: readonly string[];
  optional?: readonly string[];
  /** Whether the last argument may be repeated. */
  isOpen?: true;
  /** Whether an argument may be empty. */
  mayBeEmpty?: true;
}

/** The resolved and checked command line. */
export interface Invocation<
  Declared extends OptionTable = typeof commonOptions,
> extends RunContext {
  arguments: readonly string[];
  options: OptionValues<Declared & typeof commonOptions>;
  /** The folder of `--to`. Absolute. */
  to: string | undefined;
  report: Reporter;
  /** Whether the output is a terminal, so a person reads it. */
  isForPerson: boolean;
}

/** The options of a command, by name. */
export type OptionTable = Readonly<Record<string, Option>>;

export type Option = Flag | Text | Texts;

interface Flag {
  type: 'boolean';
  value?: never;
  summary: string;
}

interface Text {
  type: 'string';
  /** The form of the value, for the help. */
  value: string;
  summary: string;
}

/** An option that may be repeated. */
interface Texts extends Text {
  multiple: true;
}

export function flag(summary: string): Flag {
  return { type: 'boolean', summary };
}

export function text(value: string, summary: string): Text {
  return { type: 'string', value, summary };
}

export function texts(value: string, summary: string): Texts {
  return { type: 'string', value, summary, multiple: true };
}

/** Options of every command. */
export const commonOptions = {
  json: flag('a machine-readable report on standard output'),
  help: flag('this text'),
};

/** Options of many commands. A command rejects options that it does not list. */
export const sharedOptions = {
  root: text(
    'DIR',
    `folder with components/ and data/ (default: the ${isCheckout ? 'checkout' : 'current folder'})`,
  ),
  out: text('DIR', 'folder of the built site (default: dist under the root)'),
  'as-of': text('YYYY-MM-DD', 'the day to decide for (default: today, UTC)'),
  'base-url': text('URL', 'where the site is published (default: releasesUrl of site/site.json)'),
};

/** The shared options of these names. */
export function shared<Name extends keyof typeof sharedOptions>(...names: readonly Name[]) {
  return pick(sharedOptions, names);
}

/** The option of commands that publish to a host of files, or read the site there. */
export const publicationOptions = {
  to: text(
    'DIR',
    'folder of the published site, which a server serves (default: the folder in "hosting")',
  ),
};

/** An option of commands that can answer from a published index. */
export const indexAddress = text(
  'URL',
  'read the index published at this address instead of the folder',
);

type ValueOf<Declared extends Option> = Declared extends Texts
  ? readonly string[]
  : Declared extends Flag
    ? boolean
    : string;

/** The values of declared options; a list for an option that may be repeated. */
export type OptionValues<Declared extends OptionTable> = {
  readonly [Name in keyof Declared]?: ValueOf<Declared[Name]> | undefined;
};

/** The values of a command line, by name. */
export type GivenOptions = OptionValues<OptionTable>;

/** The verb and the names of the given options. Without values, which may be paths of this computer. */
export function describeRequest(verb: string, options: GivenOptions): string[] {
  return [verb, ...Object.keys(options).map((name) => `--${name}`)];
}

/** The command line is wrong: exit status 2, with a hint to the help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly lines: readonly string[];

  constructor(...lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Throws a UsageError with all problems, if there are any. */
export function throwUsage(problems: readonly string[]): void {
  if (problems.length > 0) {
    throw new UsageError(...problems);
  }
}
