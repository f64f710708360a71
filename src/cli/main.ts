import { Command, CommanderError } from 'commander';
import { getSystemErrorMessage } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { InputError, inputError, UnavailableError, UsageError } from '../core/errors.ts';
import { toLogLine } from '../core/text.ts';
import { AskError } from '../ask/ask-error.ts';
import {
  type Context,
  createContext,
  type Define,
  parseDay,
  parseUrl,
  readPlace,
} from './context.ts';
import { useProxies } from './proxies.ts';
import type { Process } from './report.ts';

interface Verb {
  /** The heading below which the help lists the command. */
  group: 'Start' | 'Ask' | 'Every day' | 'Single steps';
  summary: string;
  /** The arguments of the example in the command's help. */
  example?: string;
  help?: string;
  /** Whether the command reads a published index. If so, its source file is in `read/`. Otherwise, its source file is in `run/`. */
  asks?: true;
  /** Whether the command changes files of `data/`. Only one such command at a time can run in a checkout. */
  writesData?: true;
}

const verbs: Readonly<Record<string, Verb>> = {
  init: {
    group: 'Start',
    summary: 'create an index of your own in a folder',
    example: 'my-index --host cloudflare',
  },
  add: {
    group: 'Start',
    summary: 'add a component from what its registry says',
    example: 'npm semver --support term:18',
  },
  start: { group: 'Start', summary: 'gather, then build', writesData: true },
  preview: {
    group: 'Start',
    summary: 'serve the built site on 127.0.0.1 until Ctrl-C',
    example: '--port 8080',
  },
  explain: {
    group: 'Ask',
    summary: 'explain the status of a component or a version',
    example: 'svc 2025.1',
    help: 'Exit status 3: the index cannot be read.',
    asks: true,
  },
  table: {
    group: 'Ask',
    summary: 'print the supported lines as a Markdown table',
    example: 'svc --write SECURITY.md',
    asks: true,
  },
  search: {
    group: 'Ask',
    summary: 'list the releases that a query selects',
    example: '"component:svc isSupported"',
    asks: true,
  },
  scan: {
    group: 'Ask',
    summary: 'judge a list or an SBOM',
    example: 'versions.txt --policy supported',
    asks: true,
  },
  verify: {
    group: 'Ask',
    summary: 'check origin and integrity of a site',
    example: 'https://releases.example.com',
  },
  mcp: { group: 'Ask', summary: 'serve agents over standard input and output', asks: true },
  daily: {
    group: 'Every day',
    summary: 'gather, record, commit data/, build, publish',
    example: '--push --to /srv/releases',
    help: 'If a source fails or a change is held, readers keep the previous data for it.\nExit status 1: someone has to act; data/held.json lists what is held.',
    writesData: true,
  },
  plan: {
    group: 'Every day',
    summary: 'show what the next daily run will report and hold',
    example: '--base main',
  },
  accept: {
    group: 'Every day',
    summary: 'accept a held change or a publication',
    example: 'svc-1b4e28ba7c',
    writesData: true,
  },
  check: { group: 'Every day', summary: 'validate definitions, data and the built site' },
  gather: {
    group: 'Single steps',
    summary: 'ask the sources',
    example: 'svc',
    writesData: true,
    help: 'To see what a run would record, without writing: npx release-index plan',
  },
  build: {
    group: 'Single steps',
    summary: 'build the site from definitions and data, without a network',
    example: '--as-of 2026-01-31',
  },
  sign: {
    group: 'Single steps',
    summary: 'sign the built site',
    help: 'Set RELEASE_INDEX_SIGNING_KEY to the content of a file made by "minisign -G -W".',
  },
  publish: {
    group: 'Single steps',
    summary: 'check and publish the built site',
    example: '--dry-run',
  },
  key: {
    group: 'Single steps',
    summary: 'create access keys',
    example: 'new --user ci --expires 2027-01-31',
  },
};

/**
 * Runs a command and returns its exit status:
 *
 * | status | meaning                                          |
 * | ------ | ------------------------------------------------ |
 * | 0      | done                                             |
 * | 1      | wrong input, a broken rule, or someone has to act |
 * | 2      | a wrong command line                             |
 * | 3      | an index or a list of versions cannot be read    |
 * | 70     | a bug stopped the update of some components      |
 * | 130    | stopped by a signal                              |
 */
export async function main(
  process: Process & Pick<NodeJS.Process, 'on' | 'exit'>,
): Promise<number> {
  const program = new Command('release-index');
  const context = createContext(process, createSignal(process));
  program.configureOutput({
    writeOut: (text) => process.stdout.write(text),
    writeErr: (text) => process.stderr.write(text),
  });
  declareVerbs(program, context);
  let lock: { close(): void } | undefined;
  program.hook('preAction', async (_, command) => {
    await useProxies(context.env);
    Object.assign(context, readPlace(command.optsWithGlobals()));
    if (verbs[command.name()]?.writesData) {
      const { lockCheckout } = await import('./lock.ts');
      lock = lockCheckout(context.root);
    }
  });
  // In `release-index … | head`, `head` closes the pipe early, but the run goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      // This event comes after `write` has returned, so no caller could catch an error that is thrown here.
      process.stderr.write(`error: standard output: ${getSystemErrorMessage(error.errno!)}\n`);
      // For `scan`, the exit status 1 would mean that an entry failed a policy.
      process.exit(context.report.verb === 'scan' ? 3 : 1);
    }
  });

  try {
    await program.parseAsync(spellOutHelp(process.argv));
    return context.status;
  } catch (error) {
    return reportError(error, context, process);
  } finally {
    lock?.close();
    await context.report.close(context.root);
  }
}

/** Turns `help build` into `build --help`, because Commander's own `help` does not load the file of the command. */
function spellOutHelp(argv: readonly string[]): readonly string[] {
  const [node = '', cli = '', first, ...words] = argv;
  return first === 'help' ? [node, cli, ...words, '--help'] : argv;
}

function declareVerbs(program: Command, context: Context): void {
  program
    .description(manifest.description)
    .version(manifest.version, '-v, --version')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError('Help: npx release-index <verb> --help')
    .option(
      '--root <folder>',
      'folder with components/, data/ and site/ (default: the current folder)',
    )
    .option('--out <folder>', 'folder of the built site (default: dist below the root)')
    .option('--as-of <day>', 'the date for which to judge releases (default: today, UTC)', parseDay)
    .option('--json', 'print a report for programs on standard output')
    .addHelpText(
      'after',
      '\nA first look: npx release-index start, then npx release-index preview',
    );
  for (const [name, { group, summary }] of Object.entries(verbs)) {
    program.command(name).description(summary).helpGroup(`${group}:`);
  }
  program.hook('preSubcommand', (_, command) => loadVerb(command, context));
}

/** Loads only the file of the command that was called. */
async function loadVerb(command: Command, context: Context): Promise<void> {
  const name = command.name();
  context.report.verb = name;
  // Commander has already rejected unknown names of commands.
  const { asks, example = '', help } = verbs[name]!;
  if (asks) {
    command.option('--index <url>', 'read the index published at this address', parseUrl);
  }

  const verb: { define: Define } = await import(`./${asks ? 'read' : 'run'}/${name}.ts`);
  verb.define(command, context);
  if (help !== undefined) {
    command.addHelpText('after', `\n${help}`);
  }
  command.addHelpText('after', `\nExample: npx release-index ${name} ${example}`.trimEnd());
}

/** Reports an error and returns its exit status. If the error is a bug, throws it again, so that Node prints the stack. */
function reportError(error: unknown, { report, signal }: Context, { stderr }: Process): number {
  if (signal.aborted) {
    const message = 'earlier content is unchanged';
    report.problem({ subject: 'stopped', message, level: 'notice' });
    return 130;
  }

  if (error instanceof CommanderError && error.exitCode === 0) {
    return 0;
  }

  const wrongInput = error instanceof InputError ? error : readSystemError(error);
  if (wrongInput) {
    const { problems } = wrongInput;
    report.problem(problems);
    report.document({ problems });
    return wrongInput instanceof UnavailableError ? 3 : 1;
  }

  const sentence = (error as Error).message.replace(/^error: /, '');
  // The JSON document of `--json` also contains the messages of all other errors, including bugs.
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

/**
 * Turns a system error, such as a full disk or a port in use, into an `InputError`. Its subject is the path or the port. Undefined for
 * other errors.
 */
function readSystemError(error: unknown): InputError | undefined {
  const { errno, path, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (errno === undefined) {
    return undefined;
  }

  const place = port === undefined ? path : `port ${port}`;
  // Node's error about a file that is already open has no path. Then the subject is the system call, such as `write`.
  return inputError(place ?? syscall!, getSystemErrorMessage(errno));
}

/** Creates an abort signal for SIGINT and SIGTERM. The first signal ends the run cleanly, and a second signal ends it at once. */
function createSignal(process: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const controller = new AbortController();
  const stop = () => (controller.signal.aborted ? process.exit(130) : controller.abort());
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
