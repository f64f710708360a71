import type { Day } from '../../core/dates.ts';
import type { Env } from '../../core/env.ts';
import { formatFinding, problem, type Finding } from '../../core/schemas/finding.ts';
import type { Reporter } from './report.ts';
import type { Root } from '../../io/files/root.ts';

/** By name; a list where an option may be given several times. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** What every verb gets: the command line, resolved and checked. */
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
  readonly env: Env;
  readonly report: Reporter;
  /** Aborted when a person or the system asks the run to end. */
  readonly signal: AbortSignal;
}

export type Command = (invocation: Invocation) => Promise<number>;

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

/** Wrong input or a broken rule: exit 1, one line for each problem, no stack. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(formatFinding).join('\n'));
    this.findings = findings;
  }
}

/** For one problem. */
export function refusal(subject: string, message: string): InputError {
  return new InputError([problem(subject, message)]);
}

/** Throws where one of the findings is an error. */
export function refuseErrors(findings: readonly Finding[]): void {
  if (findings.some((finding) => finding.level === 'error')) throw new InputError(findings);
}
