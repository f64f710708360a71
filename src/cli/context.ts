import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { isDay, today, type Day } from '../core/day.ts';
import { createReport, type Process } from './report.ts';

/** The folder of the program, with its templates and policies. */
export const program = resolve(import.meta.dirname, '../..');

/** Everything that a verb gets from outside. */
export type Context = ReturnType<typeof createContext>;

/** What the file of a verb has: its arguments and options, and what it does. */
export type Define = (command: Command, context: Context) => void;

/** Options of every verb, and of those that ask a published index. */
interface SharedOptions {
  root?: string;
  out?: string;
  asOf?: Day;
  index?: string;
}

export function createContext(process: Process, signal: AbortSignal) {
  return {
    env: process.env,
    /** Aborted by SIGINT and SIGTERM. */
    signal,
    report: createReport(process),
    /** The exit status of a verb that ends without an error. */
    status: 0,
    ...readPlace({}),
  };
}

/** Where a verb works, and as of which day. */
export function readPlace({ root = '.', out = `${root}/dist`, asOf, index }: SharedOptions) {
  return {
    /** The folder with components/, data/ and site/. */
    root: resolve(root),
    /** The folder of the built site. */
    out: resolve(out),
    day: asOf ?? today(),
    /** The day that somebody asked for. */
    asOf,
    /** Of a published index that a verb asks, in place of `out`. */
    indexUrl: index,
  };
}

/** Refuses the text of an option, with what it may be, unless it is that. */
export function expectArgument(isExpected: unknown, expected: string): asserts isExpected {
  if (!isExpected) {
    throw new InvalidArgumentError(`Expected ${expected}.`);
  }
}

export function parseDay(text: string): Day {
  expectArgument(isDay(text), 'a day that exists, YYYY-MM-DD');
  return text;
}

/** Without a slash at its end. */
export function parseUrl(text: string): string {
  const isAddress = /^https?:\/\/[^\s<>"'\\]+$/.test(text) && URL.canParse(text);
  expectArgument(isAddress, 'an http or https address');
  return text.replace(/(?<!\/)\/+$/, '');
}
