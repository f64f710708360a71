import { getSystemErrorMessage } from 'node:util';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { InputError, inputError, UnavailableError, UsageError } from '../core/errors.ts';
import { toLogLine } from '../core/text.ts';
import { AskError } from '../serve/errors.ts';
import { createContext, parseDay, parseUrl, readPlace, type Context } from './context.ts';
import { notify } from './notify.ts';
import { useProxies } from './proxies.ts';
import type { Process } from './report.ts';

interface Verb {
  summary: string;
  /** What follows the verb in its help. */
  example?: string;
  help?: string;
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
  preview: { summary: 'serve the built site on 127.0.0.1 until Ctrl-C', example: '--port 8080' },
  plan: { summary: 'show what the next day would tell readers and hold', example: '--base main' },
  daily: {
    summary: 'gather, record, commit data/, build, publish',
    example: '--push --to /srv/releases',
    help: 'A component whose sources fail or whose change waits stays as it was.\nExit status 1: a person has to act; data/held.json has what waits.',
  },
  key: { summary: 'create API keys', example: 'new --user ci --expires 2027-01-31' },
  publish: { summary: 'upload the built site', example: '--dry-run' },
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
  restore: {
    summary: 'bring back data/ from the published site',
    example: '--from https://releases.example.com',
  },
  verify: {
    summary: 'check origin and integrity of a site',
    example: 'https://releases.example.com',
  },
};

/** Verbs that ask a published index, each a file in `ask/`. */
const readers: Readonly<Record<string, Verb>> = {
  explain: {
    summary: 'explain the status of a component or a version',
    example: 'svc 2025.1',
    help: 'Exit status 3: the index cannot be read.',
  },
  search: { summary: 'releases that a query selects', example: '"component:svc isSupported"' },
  scan: {
    summary: 'judge a list or a bill of materials',
    example: 'versions.txt --policy supported',
    help: 'Exit status 1: an entry does not satisfy a policy. 3: none could be judged, or the index is too old.',
  },
  mcp: { summary: 'serve agents over standard input and output' },
};
const verbs = { ...makers, ...readers };
/** They write files of `data/` that have been there before, one at a time in a checkout. */
const recorders = ['start', 'gather', 'daily', 'restore', 'accept'];

/** After these, a command of the operator is told how they ended. */
const tellers = ['daily', 'publish'];

/** Returns the exit status: 0 done; 1 wrong input or a broken rule; 2 a wrong command line; 3 an index cannot be reached. */
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
    if (recorders.includes(command.name())) {
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

  let exit = 1;
  try {
    await program.parseAsync(process.argv);
    exit = context.status;
  } catch (error) {
    exit = reportError(error, context, process);
  } finally {
    lock?.close();
    if (tellers.includes(context.report.verb)) {
      await notify(context, exit);
    }
    await context.report.close(context.root);
  }
  return exit;
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
  for (const [verb, { summary }] of Object.entries(verbs)) {
    program.command(verb).description(summary);
  }

  program.hook('preSubcommand', async (_, command) => {
    const verb = command.name();
    context.report.verb = verb;
    const { example = '', help } = verbs[verb]!;
    const isReader = Object.hasOwn(readers, verb);
    if (isReader) {
      command.option('--index <url>', 'read the index published at this address', parseUrl);
    }

    // Only the file of the called verb is loaded.
    const folder = isReader ? 'ask' : 'run';
    const { define } = (await import(`./${folder}/${verb}.ts`)) as VerbModule;
    define(command, context);
    if (help !== undefined) {
      command.addHelpText('after', `\n${help}`);
    }
    command.addHelpText('after', `\nExample: npx release-index ${verb} ${example}`.trimEnd());
  });
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
