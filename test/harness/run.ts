import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { checkout } from './root.ts';

export interface Run {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs a verb as a person would, in a process of its own, with nothing of the tests' environment but the path. */
export async function run(args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  const child = spawn(process.execPath, [join(checkout, 'src/cli.js'), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', CI: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status: status as number, stdout, stderr };
}
