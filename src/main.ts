import { commands, renderHelpFor, renderOverview, parseCommandLine } from './cli/command-line.ts';
import { UsageError } from './cli/command.ts';
import type { Process } from './cli/reporter.ts';
import { runCommand } from './cli/run-command.ts';
import { problem } from './core/schemas/finding.ts';
import { toLogLine } from './core/text/foreign-text.ts';
import { explainFileError } from './io/files/file-system.ts';
import { formatDocument } from './io/files/save.ts';
import { programVersion } from './io/program.ts';

/** Returns the exit status, which the overview explains; 128 and more after a signal. Only a bug prints a stack. */
export async function main(process: Process): Promise<number> {
  const standardOutput = watchStandardOutput(process);
  const args = process.argv.slice(2);

  try {
    if (args[0] === '--version') {
      process.stdout.write(`${programVersion}\n`);
      return 0;
    }

    const line = await parseCommandLine(args);
    if (!line || line.options['help'] === true) {
      process.stdout.write(line ? await renderHelpFor(line.verb) : renderOverview());
      return args.length === 0 ? 2 : 0;
    }

    const status = await runCommand(line, process);
    return standardOutput.isLost ? 1 : status;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }

    const verb = findVerb(args);
    const help = ['npx release-index', verb, '--help'].filter((part) => part !== undefined);
    process.stderr.write(`${error.lines.map(toLogLine).join('\n')}\nHelp: ${help.join(' ')}\n`);
    if (isForMachines(args)) {
      const document = { verb, findings: [problem('command line', error.message)] };
      process.stdout.write(formatDocument(document));
    }

    return 2;
  }
}

/**
 * `| head` closes a pipe early: the work goes on and ends with its usual status. Any other failure of standard output is an
 * error.
 */
function watchStandardOutput(process: Process): { isLost: boolean } {
  const state = { isLost: false };

  // A failure of standard error cannot be reported anywhere.
  process.stderr.on('error', () => undefined);

  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || state.isLost) {
      return;
    }

    state.isLost = true;
    process.exitCode = 1;

    const reason = explainFileError(error) ?? error.message;
    process.stderr.write(
      `error: standard output: ${toLogLine(reason)}. The report is not complete; the work itself goes on.\n`,
    );
  });

  return state;
}

/** Works on a wrong command line, too. */
function isForMachines(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

/** The verb of a wrong command line, in one word or two. */
function findVerb([first = '', second]: readonly string[]): string | undefined {
  return [`${first} ${second}`, first].find((verb) => Object.hasOwn(commands, verb));
}
