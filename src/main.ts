import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeAskProblem, explainError, type AskProblem } from './ask/answers/explain-error.ts';
import {
  commands,
  parseCommandLine,
  renderHelp,
  renderOverview,
  type CommandLine,
} from './cli/command-line.ts';
import {
  UsageError,
  type Invocation,
  type OptionTable,
  type OptionValues,
  type publicationOptions,
  type sharedOptions,
} from './cli/command.ts';
import { StoppedError, unableStatus } from './cli/exit-status.ts';
import { readSiteUrl } from './cli/option-values.ts';
import { createReporter, type Process } from './cli/reporter.ts';
import { isDay, toDay } from './core/model/dates.ts';
import { QuestionError } from './core/query/question-error.ts';
import { InputError, notice, problem, type Finding } from './core/schemas/finding.ts';
import { toLogLine } from './core/text/foreign-text.ts';
import { describeFileError, explainFileError, isFolder } from './io/files/file-system.ts';
import { GitError } from './io/files/git.ts';
import { rejectRepositoryProblems, rejectLinks } from './io/files/repository-files.ts';
import { openRoot } from './io/files/root.ts';
import { formatDocument } from './io/files/save.ts';
import { isCheckout, programFolder, programVersion } from './io/program.ts';
import { openAccepted } from './record/gate/last-good-files.ts';

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
      process.stdout.write(line ? renderHelp(line) : renderOverview());
      return args.length === 0 ? 2 : 0;
    }

    const status = await runCommand(line, process);
    return standardOutput.isLost ? 1 : status;
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }

    reportUsageError(error, args, process);
    return 2;
  }
}

function reportUsageError(
  { lines, message }: UsageError,
  args: readonly string[],
  { stdout, stderr }: Process,
): void {
  const verb = findVerb(args);
  const help = ['npx release-index', verb, '--help'].filter((part) => part !== undefined);
  stderr.write(`${lines.map(toLogLine).join('\n')}\nHelp: ${help.join(' ')}\n`);
  if (isForMachines(args)) {
    stdout.write(formatDocument({ verb, findings: [problem('command line', message)] }));
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

async function runCommand(line: CommandLine, process: Process): Promise<number> {
  enterStartFolder(process);

  const { command } = line;
  const invocation = resolveInvocation(line, process);

  try {
    // A command that needs no index reads none of its files.
    const needsIndex = command.needsIndex !== false && line.options['index'] === undefined;
    let { root } = invocation;
    if (needsIndex) {
      rejectLinks(root);
      // With the files that were last accepted, for components that wait for a person.
      root = openAccepted(root);
    }
    if (command.checksRepository) {
      rejectRepositoryProblems(root, invocation.env);
    }

    return await command.run({ ...invocation, root });
  } catch (error) {
    return reportError(invocation, line, error);
  } finally {
    await invocation.report.close();
  }
}

/** Reports an error that a person can correct, and returns the exit status. Throws a UsageError for a wrong question, and bugs again. */
function reportError(
  { report, day }: Invocation<OptionTable>,
  { verb, command: { isQuestion } }: CommandLine,
  error: unknown,
): number {
  if (error instanceof StoppedError) {
    report.finding(notice(verb, `${error.message}. Earlier content is unchanged.`));
    return error.status;
  }

  // An InputError has its own words here: explainError words it for requests and tools.
  const askProblem = error instanceof QuestionError ? explainError(error) : undefined;

  // An unknown name exits with 1, not 2: the command line is right, the index lacks the name.
  if (askProblem && askProblem.reason !== 'unknown') {
    throw createUsageError(askProblem);
  }

  const findings = askProblem
    ? [problem(verb, askProblem.message)]
    : findCorrectableProblems(error);
  if (!findings) {
    throw error;
  }

  report.finding(...findings);
  report.document({ verb, asOf: day, findings, didYouMean: askProblem?.didYouMean });
  return isQuestion && !askProblem ? unableStatus : 1;
}

/** npm runs scripts in the folder of the package. Relative paths start from the folder in which npm was called. */
function enterStartFolder(process: Process): void {
  const { INIT_CWD: folder, npm_package_json: manifest } = process.env;
  if (!folder || !manifest || !existsSync(folder) || !existsSync(manifest)) {
    return;
  }

  const isOurScript =
    process.cwd() === programFolder && dirname(realpathSync(manifest)) === programFolder;
  if (isOurScript) {
    process.chdir(folder);
  }
}

/** The error for a question that has to be changed, such as a query; with a mark below the wrong character. */
function createUsageError(askProblem: AskProblem): UsageError {
  const pointer = askProblem.pointer?.split('\n') ?? [];
  const lines = [describeAskProblem(askProblem), ...pointer.map((line) => `  ${line}`)];
  return new UsageError(...lines);
}

/** The problems that a person can correct; undefined for a bug. */
function findCorrectableProblems(error: unknown): readonly Finding[] | undefined {
  if (error instanceof InputError) {
    return error.findings;
  }

  const reason = error instanceof GitError ? error.message : describeFileError(error);
  return reason === undefined
    ? undefined
    : [problem('release-index', `${reason}. Earlier content is unchanged.`)];
}

function resolveInvocation(line: CommandLine, process: Process): Invocation<OptionTable> {
  const { options } = line;
  // Every command that has them means the same.
  const {
    root,
    out,
    'as-of': asOf,
    'base-url': baseUrl,
    to,
  } = options as OptionValues<typeof sharedOptions & typeof publicationOptions>;
  const dir = resolve(root ?? (isCheckout ? programFolder : process.cwd()));
  if (!isFolder(dir)) {
    throw new UsageError(`--root: there is no folder ${dir}`);
  }

  const day = asOf ?? toDay(new Date());
  if (!isDay(day)) {
    throw new UsageError(`--as-of: expected a day that exists, YYYY-MM-DD; got "${day}"`);
  }

  const isDocument = options['json'] === true || options['sarif'] === true;
  return {
    arguments: line.arguments,
    options,
    root: openRoot(dir, programFolder),
    checkout: programFolder,
    out: resolve(out ?? join(dir, 'dist')),
    day,
    baseUrl: readSiteUrl('--base-url', baseUrl),
    to: to && resolve(to),
    env: process.env,
    report: createReporter(process, isDocument, dir),
    isForPerson: process.stdout.isTTY && !isDocument,
    signal: createAbortSignal(process),
  };
}

/** The first signal ends the run cleanly, the second at once. */
function createAbortSignal(process: Process): AbortSignal {
  const controller = new AbortController();

  function stop(reason: StoppedError): void {
    if (controller.signal.aborted) {
      process.exit(reason.status);
    }

    controller.abort(reason);
  }

  process.on('SIGINT', () => stop(new StoppedError('SIGINT', 130)));
  process.on('SIGTERM', () => stop(new StoppedError('SIGTERM', 143)));
  return controller.signal;
}
