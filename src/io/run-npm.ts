import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Runs npm in a folder. Returns why that failed. */
export function runNpm(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  // npm names itself to its scripts. On Windows, a process cannot start "npm" without a shell.
  const npm = env['npm_execpath'];
  const isScript = npm?.endsWith('.js') === true && existsSync(npm);
  const [file, script] = isScript ? [process.execPath, [npm]] : ['npm', []];
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const run = spawnSync(file, [...script, ...args, '--loglevel=error'], options);
  if (run.status === 0) {
    return undefined;
  }

  const [line] = (run.stderr ?? run.error?.message ?? '').split('\n').filter(Boolean);
  return line ?? `it ended with ${run.status}`;
}
