import { runProgram } from '../core/run-program.ts';
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
  const input = `${JSON.stringify(told)}\n`;
  const start = { subject: 'its command', signal: AbortSignal.timeout(maxMs), env, shell: true };
  try {
    await runProgram(command, [], { ...start, input });
  } catch (error) {
    const { message } = error as Error;
    report.problem({ level: 'warning', subject: variable, message });
  }
}
