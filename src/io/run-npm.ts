import { spawnSync } from 'node:child_process';
import { toLine } from '../core/text/foreign-text.ts';

/** Runs npm in a folder. Returns the reason if that fails. */
export function runNpm(
  args: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  // npm, as well as yarn, names itself to its scripts. On Windows, a process cannot start "npm" without a shell.
  const npm = env['npm_execpath'];
  const [file, script] = npm?.endsWith('npm-cli.js') ? [process.execPath, [npm]] : ['npm', []];
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const run = spawnSync(file, [...script, ...args, '--loglevel=error'], options);
  if (run.status === 0) {
    return undefined;
  }

  // The first line of npm is only a code, such as "npm error code ENOENT".
  const output = (run.stderr || run.error?.message || '').replaceAll(/^npm error ?/gm, '');
  return toLine(output, 300) || `it ended with ${run.status ?? run.signal}`;
}
