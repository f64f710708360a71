import { describeProblem, type Problem } from './problems.ts';

/** Something a person should know, in the one form that every stage reports in; with its parts where a value is wrong. */
export interface Finding extends Partial<Omit<Problem, 'kind'>> {
  /** `error`: a rule is broken or data could not be used; `warning`: something was left out or kept back; `notice`: worth knowing. */
  level: 'error' | 'warning' | 'notice';
  /** Component, file or address it is about; printed first. */
  subject: string;
  /** What happened, with values in quotes, and what was done about it; one line, made of the parts where it has any. */
  message: string;
  /** The same for findings that differ in their values alone; absent where there is only one. */
  kind?: string;
  /** File the finding points at, relative to the root. */
  file?: string;
  /** Where in the program it happened; only of a bug. */
  stack?: string;
}

/** Something that is wrong. */
export function problem(subject: string, message: string): Finding {
  return { level: 'error', subject, message };
}

/** Something was left out or kept back. */
export function warning(subject: string, message: string): Finding {
  return { level: 'warning', subject, message };
}

/** Worth knowing. */
export function notice(subject: string, message: string): Finding {
  return { level: 'notice', subject, message };
}

export function isError({ level }: Finding): boolean {
  return level === 'error';
}

/** The same at a file, whose name relative to the root is the subject. */
export function fileProblem(
  file: string,
  what: string | Problem,
  level: Finding['level'] = 'error',
): Finding {
  const parts = typeof what === 'string' ? { message: what } : { ...what, message: describeProblem(what) };
  return { level, subject: file, ...parts, file };
}

/** Reports what was left out of an answer. `kind`: that of the finding. */
export type Report = (message: string, kind?: string) => void;

export function formatFinding(finding: Finding): string {
  return `${finding.subject}: ${finding.message}`;
}

/** Wrong input or a broken rule: each problem is a line for a person, without a stack. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(formatFinding).join('\n'));
    this.findings = findings;
  }
}
