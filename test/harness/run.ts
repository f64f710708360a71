import { runCli } from './cli.ts';

export interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a verb as a machine would: without a colour or a line that moves. */
export function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return runCli(args, { env: { NO_COLOR: '1', CI: '1', ...env } });
}
