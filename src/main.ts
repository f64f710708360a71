import { readFileSync } from 'node:fs';
import type { Process } from './cli/process.ts';
import { parseCommandLine } from './cli/command-line.ts';
import { UsageError } from './commands/command.ts';
import { runVerb } from './cli/run-verb.ts';
import { helpFor, overview, verbs } from './cli/usage.ts';
import { problem } from './model/finding.ts';

/** Returns the exit status: 0 done, 1 wrong input, a broken rule or nothing could be done, 2 a wrong command line. Only a bug prints a stack. */
export async function main(process: Process): Promise<number> {
  // `| head` closes the pipe once it has seen enough. The work goes on and ends with the status it would have had.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const args = process.argv.slice(2);
  try {
    if (args[0] === '--version') {
      process.stdout.write(`${version()}\n`);
      return 0;
    }
    const line = parseCommandLine(args);
    if (!line || line.options['help'] === true) {
      process.stdout.write(line ? helpFor(line.verb) : overview());
      return args.length === 0 ? 2 : 0;
    }
    return await runVerb(line, process);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nHelp: npm run -s release-index -- --help\n`);
    if (isForMachines(args)) process.stdout.write(`${JSON.stringify(refusal(args, error), undefined, 2)}\n`);
    return 2;
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Also where the rest of the command line cannot be understood. */
function isForMachines(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? args.length : end).includes('--json');
}

function refusal([verb = '']: readonly string[], { message }: UsageError): object {
  return { ...(Object.hasOwn(verbs, verb) && { verb }), findings: [problem('command line', message)] };
}
