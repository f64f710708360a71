import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { toLogLine } from '../core/text.ts';
import type { Context } from './context.ts';

const variable = 'RELEASE_INDEX_NOTIFY';
const maxMs = 30_000;

/**
 * Runs the command line in `RELEASE_INDEX_NOTIFY`, and gives it on standard input, as JSON, how a verb ended. That it fails is a warning,
 * and changes no exit status.
 */
export async function notify(context: Context, exit: number): Promise<void> {
  const { env, day, report, news } = context;
  const command = env[variable]?.trim();
  if (!command) {
    return;
  }

  const problems = report.listProblems().map(({ level = 'error', subject, message }) => {
    return { level, subject, message: toLogLine(message) };
  });
  const told = { verb: report.verb, asOf: day, exit, problems, ...news };
  const ended = await run(command, `${JSON.stringify(told)}\n`, env);
  if (ended !== undefined) {
    report.problem({ level: 'warning', subject: variable, message: `its command ${ended}` });
  }
}

/** How a command failed. It prints where problems are printed. */
async function run(
  command: string,
  input: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  // In a group of its own, so that what it started ends with it.
  const child = spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 2, 2] });
  const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), maxMs);
  // A command need not read.
  child.stdin!.on('error', () => undefined).end(input);
  try {
    const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (status === 0) {
      return undefined;
    }
    return signal ? `was ended by ${signal}; it has ${maxMs / 1000} s` : `ended with ${status}`;
  } catch (error) {
    return `could not be started: ${(error as Error).message}`;
  } finally {
    clearTimeout(timer);
  }
}
