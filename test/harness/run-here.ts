import { main } from '../../src/main.ts';
import type { Process } from '../../src/cli/reporter.ts';

/** Verbs that serve until they are stopped. */
export const servingVerbs: ReadonlySet<string> = new Set(['mcp', 'preview']);

/** Runs a verb in this process, which saves a start of the program. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = { NO_COLOR: '1', CI: '1' },
) {
  const run = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    on: () => undefined,
    write: (text: string) => (run[name] += text),
  });
  const status = await main({
    argv: ['node', 'release-index', ...args],
    // No test asks the real endoflife.date.
    env: { ENDOFLIFE_DATE_URL: '', ...env },
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
