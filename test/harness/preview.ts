import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ownProgram } from './cli.ts';
import type { TestRoot } from './root.ts';

/** The site as `preview` serves it. */
export interface Preview {
  child: ChildProcess;
  url: string;
  lines: string[];
  errors: Promise<string>;
}

/** Starts `preview` on any free port. `through`: a command that starts it; `more`: further options. */
export async function startPreview(
  { dir }: Pick<TestRoot, 'dir'>,
  through: readonly string[] = [],
  env: Record<string, string> = {},
  more: readonly string[] = [],
): Promise<Preview> {
  const command = [
    ...through,
    process.execPath,
    ownProgram,
    'preview',
    '--root',
    dir,
    '--port',
    '0',
    ...more,
  ];
  const child = spawn(command[0]!, command.slice(1), {
    env: { ...env, PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  await once(reader, 'line');
  return { child, lines, errors, url: /http:\S+/.exec(lines[0]!)![0] };
}

/** Returns the exit status. */
export async function stopPreview(
  { child }: Preview,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<unknown> {
  child.kill(signal);
  const [status] = (await once(child, 'exit')) as [number];
  return status;
}
