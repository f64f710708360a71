import type { Day } from '../core/model/dates.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { Root } from '../io/files/root.ts';

/** Rows under headings. Numbers are aligned to the right. */
export interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** Receives the progress and the result of a step. */
export interface RunReport {
  finding(...findings: readonly Finding[]): void;
  /** Prints lines and tables of the result for people. */
  print(...parts: readonly (string | Table)[]): void;
  /** Prints the step in progress; on a terminal, in place of the previous one. */
  progress(text: string): void;
}

/** The index, day and environment of a run. Each step names the parts that it needs. */
export interface RunContext {
  root: Root;
  /** The folder of this program. */
  checkout: string;
  /** The folder of the built site. Absolute. */
  out: string;
  day: Day;
  /** The address of the site to build; that of `site/site.json` if absent. */
  baseUrl?: string | undefined;
  env: NodeJS.ProcessEnv;
  report: RunReport;
  /** Aborted by SIGINT and SIGTERM. */
  signal: AbortSignal;
}
