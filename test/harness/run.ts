import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
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

/** Runs any program without input. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Run> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);

  return { stdout, stderr, status };
}
