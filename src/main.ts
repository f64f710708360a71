import type { Process } from './cli/process.ts';
import { parseCommandLine } from './cli/command-line.ts';
import { UsageError } from './commands/command.ts';
import { runVerb } from './cli/run-verb.ts';
import { fileRefusal } from './store/file-refusal.ts';
import { toLogLine } from './text.ts';
import { helpFor, overview } from './cli/usage.ts';

/** Returns the exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 a wrong command line. Only a bug prints a stack. */
export async function main(process: Process): Promise<number> {
  const standardOutput = watch(process);
  try {
    const line = parseCommandLine(process.argv.slice(2));
    if (!line || line.options['help'] === true) {
      process.stdout.write(line ? helpFor(line.verb) : overview());
      return process.argv.length === 2 ? 2 : 0;
    }
    const status = await runVerb(line, process);
    return standardOutput.isLost ? 1 : status;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${toLogLine(error.message)}\nHelp: npm run -s release-index -- --help\n`);
    return 2;
  }
}

/**
 * `| head` closes a pipe once it has seen enough: the work goes on and ends with the status it would have had. Where standard
 * output cannot be written for another reason, whoever waits for it must know.
 */
function watch(process: Process): { readonly isLost: boolean } {
  const state = { isLost: false };
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || state.isLost) return;
    state.isLost = true;
    process.exitCode = 1;
    const refusal = fileRefusal(error) ?? error.message;
    process.stderr.write(
      `error: standard output: ${toLogLine(refusal)}. The report is not complete; the work itself was done.\n`,
    );
  });
  return state;
}
