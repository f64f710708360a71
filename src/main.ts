import type { Process } from './cli/process.ts';
import { parseCommandLine } from './cli/command-line.ts';
import { UsageError } from './commands/command.ts';
import { helpFor, overview } from './cli/usage.ts';

/**
 * From the command line to the exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 the command
 * line is wrong. Only a bug prints a stack.
 */
export async function main(process: Process): Promise<number> {
  // A reader that has seen enough (`| head`) closes the pipe; the work goes on, and its status is what it would have been.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    const line = await parseCommandLine(process.argv.slice(2));
    if (!line || line.options['help'] === true) {
      process.stdout.write(line ? helpFor(line.verb) : overview());
      return process.argv.length === 2 ? 2 : 0;
    }
    // Loaded only now: a text of help needs none of it.
    const { runVerb } = await import('./cli/run-verb.ts');
    return await runVerb(line, process);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nHelp: npm run -s release-index -- --help\n`);
    return 2;
  }
}
