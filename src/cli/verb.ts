import { isCheckout } from '../io/program.ts';

/** The command line as data: what is parsed, and what `--help` prints. */
export interface Verb {
  summary: string;
  /** How its arguments are written, after the verb; absent where it takes none. */
  synopsis?: string;
  /** Least and greatest number of arguments. */
  arity?: readonly [number, number];
  /** Which of the shared options mean something to it; the others are refused. */
  shared: readonly SharedOption[];
  options?: Readonly<Record<string, Option>>;
  /** What it does, what it reads and writes, and how it ends. */
  details: readonly string[];
  examples: readonly (readonly [command: string, meaning: string])[];
}

export interface Option {
  type: 'string' | 'boolean';
  value?: string;
  short?: string;
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

export const sharedOptions = {
  root: text(
    'DIR',
    `folder with components/ and data/ (default: the ${isCheckout ? 'checkout' : 'current folder'})`,
  ),
  out: text('DIR', 'folder of the built site (default: dist under the root)'),
  'as-of': text('YYYY-MM-DD', 'the day to decide for (default: today, UTC)'),
  'base-url': text('URL', 'where the site is published (default: releasesUrl of site/site.json)'),
} as const satisfies Readonly<Record<string, Option>>;
export type SharedOption = keyof typeof sharedOptions;

export const commonOptions: Readonly<Record<string, Option>> = {
  json: flag('a machine-readable report on standard output'),
  help: { ...flag('this text'), short: 'h' },
};
