import type { Process } from './cli/process.ts';
import { parseCommandLine } from './cli/command-line.ts';
import { UsageError } from './commands/command.ts';
import { runVerb } from './cli/run-verb.ts';
import { helpFor, overview } from './cli/usage.ts';

/** Returns the exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 a wrong command line. Only a bug prints a stack. */
export async function main(process: Process): Promise<number> {
  // `| head` closes the pipe once it has seen enough. The work goes on and ends with the status it would have had.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const line = parseCommandLine(process.argv.slice(2));
    if (!line || line.options['help'] === true) {
      process.stdout.write(line ? helpFor(line.verb) : overview());
      return process.argv.length === 2 ? 2 : 0;
    }
    return await runVerb(line, process);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nHelp: npm run -s release-index -- --help\n`);
    return 2;
  }
}
