import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Day } from '../../src/core/day.ts';
import { program } from './example.ts';
import { createFolder } from './index-folder.ts';

/**
 * Runs a command line in a separate process, and kills the process before step number `step`. A step writes, renames or removes a file, or
 * starts a program. Without `step`, the command runs to its end, and `steps` in the result is the number of its steps.
 */
export async function runKilled({ root }: { root: string }, line: string, day: Day, step = 0) {
  const counter = join(createFolder(), 'steps');
  const preload = join(import.meta.dirname, 'kill-at-step.mjs');
  const { PATH, HOME } = process.env;
  // The child runs asynchronously, because this process must answer the requests that the child sends to the sources.
  const child = spawn(
    process.execPath,
    ['--import', preload, 'src/cli.js', ...line.split(' '), '--root', root, '--as-of', day],
    {
      cwd: program,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH, HOME, CI: 'true', KILL_AT_STEP: String(step), STEP_COUNTER: counter },
    },
  );
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const isKilled = signal === 'SIGKILL';
  return { isKilled, stderr, steps: isKilled ? step : Number(readFileSync(counter, 'utf8')) };
}
