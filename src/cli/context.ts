import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { isDay, today, type Day } from '../core/day.ts';
import { createReport, type Process } from './report.ts';

/** The folder of the program, with its templates and policies. */
export const program = resolve(import.meta.dirname, '../..');

/** Everything that a command needs from outside: process, report, signal, options. */
export type Context = ReturnType<typeof createContext>;

/** Declares the arguments and options of a command, and the function that runs it. */
export type Define = (command: Command, context: Context) => void;

/** Options of every command. Only commands that read a published index have `index`. */
interface SharedOptions {
  root?: string;
  out?: string;
  asOf?: Day;
  index?: string;
}

export function createContext(process: Process, signal: AbortSignal) {
  return {
    env: process.env,
    /** The signal that SIGINT and SIGTERM abort. */
    signal,
    report: createReport(process),
    /** The exit status of a command that ends without throwing an error. */
    status: 0,
    ...readPlace({}),
  };
}

/** Returns the folders and the date that a command works with. */
export function readPlace({ root = '.', out = `${root}/dist`, asOf, index }: SharedOptions) {
  return {
    /** The folder of the index, with components/, data/ and site/. */
    root: resolve(root),
    /** The folder of the built site. */
    out: resolve(out),
    day: asOf ?? today(),
    /** The date given by `--as-of`. */
    asOf,
    /** The URL of a published index, which a command reads instead of the folder `out`. */
    indexUrl: index,
  };
}

/** Throws an `InvalidArgumentError` if the value of an option is wrong. `expected`: describes the expected value. */
export function expectArgument(isExpected: unknown, expected: string): asserts isExpected {
  if (!isExpected) {
    throw new InvalidArgumentError(`Expected ${expected}.`);
  }
}

export function parseDay(text: string): Day {
  expectArgument(isDay(text), 'a day that exists, YYYY-MM-DD');
  return text;
}

/** Parses a URL, and removes slashes at its end. */
export function parseUrl(text: string): string {
  const isAddress = /^https?:\/\/[^\s<>"'\\]+$/.test(text) && URL.canParse(text);
  expectArgument(isAddress, 'an http or https address');
  return text.replace(/(?<!\/)\/+$/, '');
}
