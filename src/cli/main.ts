import { getSystemErrorMessage } from 'node:util';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { InputError, inputError, UnavailableError, UsageError } from '../core/errors.ts';
import { toLogLine } from '../core/text.ts';
import { AskError } from '../serve/errors.ts';
import { createContext, sharedOptions, type Context } from './context.ts';
import type { Process } from './report.ts';

interface Verb {
  summary: string;
  /** What follows the verb in the example of its help. */
  example?: string;
}

interface VerbModule {
  define(command: Command, context: Context): void;
}

/** Verbs that make an index, each a file in `run/`. */
const makers: Readonly<Record<string, Verb>> = {
  start: { summary: 'gather, then build' },
  gather: { summary: 'ask the sources', example: 'svc' },
  build: {
    summary: 'build the site of definitions and data, without a network',
    example: '--as-of 2026-01-31',
  },
  accept: { summary: 'approve a held change', example: 'svc-1b4e28ba7c' },
  check: { summary: 'validate definitions, data and the built site' },
  preview: { summary: 'serve the built site on 127.0.0.1', example: '--port 8080' },
  plan: {
    summary: 'show what the next day would tell readers and hold',
    example: '--base main',
  },
  daily: {
    summary: 'gather, record, commit data/, build, publish',
    example: '--push --to /srv/releases',
  },
  key: {
    summary: 'create API keys',
    example: 'new --user ci --expires 2027-01-31',
  },
  publish: { summary: 'upload the built site', example: '--dry-run' },
  sign: { summary: 'sign the built site' },
  init: {
    summary: 'start an index of your own in a folder',
    example: 'my-index --host cloudflare',
  },
  add: {
    summary: 'define a component by what its registry states',
    example: 'npm semver --support term:18',
  },
};

/** Verbs that ask a published index, each a file in `ask/`. */
const readers: Readonly<Record<string, Verb>> = {
  explain: { summary: 'explain the status of a component or a version', example: 'svc 2025.1' },
  search: {
    summary: 'releases that a query selects',
    example: '"component:svc isSupported"',
  },
  scan: {
    summary: 'judge a list or a bill of materials',
    example: 'versions.txt --policy supported',
  },
  mcp: { summary: 'serve agents over standard input and output' },
  verify: {
    summary: 'check origin and integrity of a site',
    example: 'https://releases.example.com',
  },
};
const verbs = { ...makers, ...readers };

/** Returns the exit status: 0 done; 1 wrong input or a broken rule; 2 a wrong command line; 3 an index cannot be reached. */
export async function main(
  process: Process & Pick<NodeJS.Process, 'on' | 'exit'>,
): Promise<number> {
  const program = new Command('release-index');
  const context = createContext(process, createSignal(process), () => ({
    ...program.opts(),
    verb: program.args[0],
  }));
  program.configureOutput({
    writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stderr.write(text),
  });
  declareVerbs(program, context);
  // `| head` closes the pipe early, and the work goes on.
  process.stdout.on('error', ignoreClosedPipe);

  try {
    await program.parseAsync(process.argv);
    return context.status;
  } catch (error) {
    return reportError(error, context, process);
  } finally {
    await context.report.close(context.root);
  }
}

function declareVerbs(program: Command, context: Context): void {
  program
    .description(manifest.description)
    .version(manifest.version)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('Help: npx release-index <verb> --help')
    .addHelpText(
      'after',
      '\nA first look: npx release-index start, then npx release-index preview',
    );
  for (const option of sharedOptions) {
    program.addOption(option);
  }
  for (const [verb, { summary }] of Object.entries(verbs)) {
    program.command(verb).summary(summary).description(summary);
  }

  program.hook('preSubcommand', async (_, command) => {
    const verb = command.name();
    const { example = '' } = verbs[verb]!;
    // Only the file of the called verb is loaded.
    const folder = verb in readers ? 'ask' : 'run';
    const { define } = (await import(`./${folder}/${verb}.ts`)) as VerbModule;
    define(command, context);
    command.addHelpText('after', `\nExample: npx release-index ${verb} ${example}`.trimEnd());
  });
}

/** Throws a bug again, so that Node prints its stack. */
function reportError(error: unknown, { report, signal }: Context, { stderr }: Process): number {
  if (signal.aborted) {
    const message = 'Earlier content is unchanged.';
    report.problem({ subject: 'stopped', message, level: 'notice' });
    return 130;
  }

  if (error instanceof CommanderError && error.exitCode === 0) {
    return 0;
  }

  const found = readSystemError(error) ?? error;
  if (found instanceof InputError) {
    report.problem(...found.problems);
    report.document({ problems: found.problems });
    return found instanceof UnavailableError ? 3 : 1;
  }

  const sentence = (error as Error).message.replace(/^error: /, '');
  report.document({ problems: [{ subject: 'command', message: sentence }] });
  if (error instanceof UsageError || error instanceof AskError) {
    stderr.write(`error: ${toLogLine(sentence)}\n`);
    return error instanceof AskError && error.status === 503 ? 3 : 2;
  }
  if (error instanceof CommanderError) {
    return 2;
  }

  throw error;
}

/** The disk is full, or a file or folder is not there, or may not be read or written. Of one that is read as a file, Node does not say the path. */
function readSystemError(error: unknown): InputError | undefined {
  const { code, errno, message, path, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return inputError(
      'disk',
      `it is full (${message}). Files are whole: free some space, and run it again.`,
    );
  }

  const isFile = errno !== undefined && (path !== undefined || syscall === 'read');
  return isFile ? inputError(path ?? 'a folder', getSystemErrorMessage(errno)) : undefined;
}

/** The first signal ends the run cleanly, the second at once. */
function createSignal(process: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const controller = new AbortController();
  const stop = () => (controller.signal.aborted ? process.exit(130) : controller.abort());
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
}
