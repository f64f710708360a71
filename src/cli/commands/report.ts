import type { Finding } from '../../core/schemas/finding.ts';

/**
 * Writes results to standard output, findings and progress to standard error. With `--json`, standard output is one
 * document and nothing else.
 */
export interface Reporter {
  finding(finding: Finding): void;
  /** A line of the result that a person reads. */
  line(text: string): void;
  table(table: Table): void;
  /** What is being done; on a terminal, it replaces the progress before it. */
  progress(text: string): void;
  /** The machine-readable result; the elements of a list can be asked for a line each. */
  result(document: object): void;
  close(): void;
}

/** Rows under headings. Numbers are aligned to the right. */
export interface Table {
  headings: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}
