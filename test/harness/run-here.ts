import { main } from '../../src/main.ts';
import type { Process } from '../../src/cli/process.ts';
import type { Run } from './run.ts';

/** Runs a verb in this process, for a test that asks many times. */
export async function runHere(args: readonly string[]): Promise<Run> {
  const run = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    on: () => undefined,
    write: (text: string) => (run[name] += text),
  });
  const status = await main({
    argv: ['node', 'release-index', ...args],
    env: { NO_COLOR: '1', CI: '1' },
    stdout: stream('stdout') as never,
    stderr: stream('stderr') as never,
    cwd: () => process.cwd(),
    chdir: () => undefined,
    on: () => undefined,
    exit: () => {
      throw new Error('a verb ended the process');
    },
  } satisfies Process);
  return { ...run, status };
}
