import { Command, CommanderError } from 'commander';
import { getSystemErrorMessage } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { InputError, inputError, UnavailableError, UsageError } from '../core/errors.ts';
import { toLogLine } from '../core/text.ts';
import { AskError } from '../serve/errors.ts';
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
  summary: string;
  /** What follows the verb in its help. */
  example?: string;
  help?: string;
  /** It asks a published index. Its file is in `ask/`, those of all others are in `run/`. */
  asks?: true;
  /** It writes files of `data/` that have been there before: one run at a time in a checkout. */
  writesData?: true;
}

const verbs: Readonly<Record<string, Verb>> = {
  start: { summary: 'gather, then build', writesData: true },
  gather: { summary: 'ask the sources', example: 'svc', writesData: true },
  build: {
    summary: 'build the site of definitions and data, without a network',
    example: '--as-of 2026-01-31',
  },
  accept: { summary: 'approve a held change', example: 'svc-1b4e28ba7c', writesData: true },
  check: { summary: 'validate definitions, data and the built site' },
  preview: { summary: 'serve the built site on 127.0.0.1 until Ctrl-C', example: '--port 8080' },
  plan: { summary: 'show what the next day would tell readers and hold', example: '--base main' },
  daily: {
    summary: 'gather, record, commit data/, build, publish',
    example: '--push --to /srv/releases',
    help: 'A component whose sources fail or whose change waits stays as it was.\nExit status 1: a person has to act; data/held.json has what waits.',
    writesData: true,
  },
  key: { summary: 'create API keys', example: 'new --user ci --expires 2027-01-31' },
  publish: { summary: 'check and publish the built site', example: '--dry-run' },
  sign: {
    summary: 'sign the built site',
    help: 'RELEASE_INDEX_SIGNING_KEY has the content of a file made by "minisign -G -W".',
  },
  init: {
    summary: 'start an index of your own in a folder',
    example: 'my-index --host cloudflare',
  },
  add: {
    summary: 'define a component by what its registry states',
    example: 'npm semver --support term:18',
  },
  verify: {
    summary: 'check origin and integrity of a site',
    example: 'https://releases.example.com',
  },
  explain: {
    summary: 'explain the status of a component or a version',
    example: 'svc 2025.1',
    help: 'Exit status 3: the index cannot be read.',
    asks: true,
  },
  search: {
    summary: 'releases that a query selects',
    example: '"component:svc isSupported"',
    asks: true,
  },
  scan: {
    summary: 'judge a list or a bill of materials',
    example: 'versions.txt --policy supported',
    help: 'Exit status 1: an entry does not satisfy a policy. 3: a list was not judged as a whole, or the index is too old.',
    asks: true,
  },
  mcp: { summary: 'serve agents over standard input and output', asks: true },
};

/** Returns the exit status: 0 done; 1 wrong input or a broken rule; 2 a wrong command line; 3 an index cannot be reached; 70 a bug that cost some components their news; 130 stopped by a signal. */
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
  // `| head` closes the pipe early, and the work goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      throw error;
    }
  });

  try {
    await program.parseAsync(process.argv);
    return context.status;
  } catch (error) {
    return reportError(error, context, process);
  } finally {
    lock?.close();
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
    .option(
      '--root <folder>',
      'folder with components/, data/ and site/ (default: the current folder)',
    )
    .option('--out <folder>', 'folder of the built site (default: dist below the root)')
    .option('--as-of <day>', 'the day to decide for (default: today, UTC)', parseDay)
    .option('--json', 'a machine-readable report on standard output')
    .addHelpText(
      'after',
      '\nA first look: npx release-index start, then npx release-index preview',
    );
  for (const [name, { summary }] of Object.entries(verbs)) {
    program.command(name).description(summary);
  }
  program.hook('preSubcommand', (_, command) => loadVerb(command, context));
}

/** Only the file of the called verb is loaded. */
async function loadVerb(command: Command, context: Context): Promise<void> {
  const name = command.name();
  context.report.verb = name;
  // A command that is not in the table never gets here.
  const { asks, example = '', help } = verbs[name]!;
  if (asks) {
    command.option('--index <url>', 'read the index published at this address', parseUrl);
  }

  const verb: { define: Define } = await import(`./${asks ? 'ask' : 'run'}/${name}.ts`);
  verb.define(command, context);
  if (help !== undefined) {
    command.addHelpText('after', `\n${help}`);
  }
  command.addHelpText('after', `\nExample: npx release-index ${name} ${example}`.trimEnd());
}

/** A bug is thrown again after its document, so that Node prints its stack. */
function reportError(error: unknown, { report, signal }: Context, { stderr }: Process): number {
  if (signal.aborted) {
    const message = 'Earlier content is unchanged.';
    report.problem({ subject: 'stopped', message, level: 'notice' });
    return 130;
  }

  if (error instanceof CommanderError && error.exitCode === 0) {
    return 0;
  }

  const wrongInput = error instanceof InputError ? error : readSystemError(error);
  if (wrongInput) {
    const { problems } = wrongInput;
    report.problem(...problems);
    report.document({ problems });
    return wrongInput instanceof UnavailableError ? 3 : 1;
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

/**
 * The disk is full, a port is taken, or a file or folder is not there, or may not be read or written. Of a file that is open,
 * Node does not say the path.
 */
function readSystemError(error: unknown): InputError | undefined {
  const { errno, path, port, syscall } = error as NodeJS.ErrnoException & { port?: number };
  if (errno === undefined) {
    return undefined;
  }

  const place = port === undefined ? path : `port ${port}`;
  return inputError(place ?? syscall!, getSystemErrorMessage(errno));
}

/** The first signal ends the run cleanly, the second at once. */
function createSignal(process: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const controller = new AbortController();
  const stop = () => (controller.signal.aborted ? process.exit(130) : controller.abort());
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
