import { describeProblem, type Problem } from './problems.ts';

/** A message of any stage for a person; with its parts where a value is wrong. */
export interface Finding extends Partial<Omit<Problem, 'kind'>> {
  /** `error`: a broken rule or unusable data; `warning`: something was left out or held; `notice`: worth knowing. */
  level: 'error' | 'warning' | 'notice';
  /** The component, file or address; printed first. */
  subject: string;
  /** One line: the event, with values in quotes, and the reaction. */
  message: string;
  /** The kind of its `Problem`, for a wrong value in a document; else the name of a finding that some caller looks for. */
  kind?: string;
  /** The failure of a host, equal for all sources that it affects. */
  cause?: string | undefined;
  /** Absolute, or relative to the root; or the variable of the environment that stands for the file. */
  file?: string;
  /** In the file, from 1. */
  line?: number;
  /** Only for a bug. */
  stack?: string | undefined;
}

export function problem(subject: string, message: string): Finding {
  return { level: 'error', subject, message };
}

export function warning(subject: string, message: string): Finding {
  return { level: 'warning', subject, message };
}

export function notice(subject: string, message: string): Finding {
  return { level: 'notice', subject, message };
}

export function isError({ level }: Finding): boolean {
  return level === 'error';
}

/** A finding whose subject is a file. */
export function fileProblem(
  file: string,
  content: string | Problem,
  level: Finding['level'] = 'error',
): Finding {
  const parts =
    typeof content === 'string'
      ? { message: content }
      : { ...content, message: describeProblem(content) };
  return { level, subject: file, ...parts, file };
}

export function formatFinding(finding: Finding): string {
  return `${finding.subject}: ${finding.message}`;
}

/** Wrong input or a broken rule: each problem is a line for a person, without a stack. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[], options?: ErrorOptions) {
    super(findings.map(formatFinding).join('\n'), options);
    this.findings = findings;
  }
}

export function inputError(subject: string, message: string): InputError {
  return new InputError([problem(subject, message)]);
}

/** Throws all findings, also warnings, if any is an error. */
export function throwErrors(findings: readonly Finding[]): void {
  if (findings.some(isError)) {
    throw new InputError(findings);
  }
}
