import type { Finding } from '../model/finding.ts';

/**
 * The one voice of a run: results on standard output, findings and progress on standard error. With `--json`, standard
 * output holds one document and nothing else.
 */
export interface Reporter {
  finding(finding: Finding): void;
  /** A line of the result that a person reads. */
  line(text: string): void;
  table(table: Table): void;
  /** What is being done; on a terminal it replaces the last progress. */
  progress(text: string): void;
  /** The machine-readable result. */
  result(document: object): void;
  close(): void;
}

/** Rows of text under headings. Numbers stand right. */
export interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}
