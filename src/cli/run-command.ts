import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { AskProblem } from '../ask/answers/explain-error.ts';
import { isDay, toDay } from '../core/model/dates.ts';
import { InputError, problem, notice, type Finding } from '../core/schemas/finding.ts';
import { describeFileError } from '../io/files/file-system.ts';
import { rejectLinks } from '../io/files/hidden-files.ts';
import { readLastWaits } from '../io/files/journal-files.ts';
import { openRoot } from '../io/files/root.ts';
import { isCheckout, programFolder } from '../io/program.ts';
import { openAccepted } from '../record/gate/last-good-files.ts';
import { loadCommand, type CommandLine } from './command-line.ts';
import {
  readSiteUrl,
  StoppedError,
  UsageError,
  type GivenOptions,
  type Invocation,
  type OptionTable,
} from './command.ts';
import { createReporter, type Process } from './reporter.ts';

export async function runCommand(line: CommandLine, process: Process): Promise<number> {
  enterStartFolder(process);

  const invocation = resolveInvocation(line, process);
  const { report, day } = invocation;
  const command = await loadCommand(line.verb);

  try {
    if (command.needsNoIndex !== true && line.options['index'] === undefined) {
      rejectLinks(invocation.root);
    }

    const root = openAccepted(invocation.root, readLastWaits(invocation.root));
    return await command.run({ ...invocation, root });
  } catch (error) {
    if (error instanceof StoppedError) {
      report.finding(notice(line.verb, `${error.message}. Earlier content is unchanged.`));
      return error.status;
    }

    const askProblem = await findUnknownName(error);
    const findings = askProblem
      ? [problem(line.verb, askProblem.message)]
      : findCorrectableProblems(error);
    if (!findings) {
      throw error;
    }

    report.finding(...findings);
    report.document({ verb: line.verb, asOf: day, findings, didYouMean: askProblem?.didYouMean });
    return askProblem ? 1 : (command.statusOfInputErrors ?? 1);
  } finally {
    await report.close();
  }
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

/**
 * A name that the index does not have is no wrong command line: the index may have had it, or may have it soon. Throws a
 * `UsageError` for any other question that cannot be answered.
 */
async function findUnknownName(error: unknown): Promise<AskProblem | undefined> {
  const { explainError, describeAskProblem } = await import('../ask/answers/explain-error.ts');
  const askProblem = error instanceof InputError ? undefined : explainError(error);
  if (askProblem === undefined || askProblem.reason === 'unknown') {
    return askProblem;
  }

  const pointer = askProblem.pointer?.split('\n') ?? [];
  throw new UsageError(describeAskProblem(askProblem), ...pointer.map((line) => `  ${line}`));
}

/** The problems that a person can correct; undefined for a bug. */
function findCorrectableProblems(error: unknown): readonly Finding[] | undefined {
  if (error instanceof InputError) {
    return error.findings;
  }

  const reason = describeFileError(error);
  if (reason === undefined) {
    return undefined;
  }

  return [problem('release-index', `${reason}. Earlier content is unchanged.`)];
}

function resolveInvocation(line: CommandLine, process: Process): Invocation<OptionTable> {
  const { options } = line;
  const dir = resolve(readText(options['root']) ?? (isCheckout ? programFolder : process.cwd()));
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--root: there is no folder ${dir}`);
  }

  const day = readText(options['as-of']) ?? toDay(new Date());
  if (!isDay(day)) {
    throw new UsageError(`--as-of: expected a day that exists, YYYY-MM-DD; got "${day}"`);
  }

  const baseUrl = readSiteUrl('--base-url', readText(options['base-url']));
  const isDocument = options['json'] === true || options['sarif'] === true;

  return {
    arguments: line.arguments,
    options,
    root: openRoot(dir, programFolder),
    checkout: programFolder,
    out: resolve(readText(options['out']) ?? join(dir, 'dist')),
    day,
    baseUrl,
    env: process.env,
    report: createReporter({ process, isDocument }),
    isForPerson: process.stdout.isTTY && !isDocument,
    signal: createAbortSignal(process),
  };
}

/** The first signal ends the run cleanly, the second at once. */
function createAbortSignal(process: Process): AbortSignal {
  const controller = new AbortController();

  const stop = (signal: NodeJS.Signals, status: number) => () => {
    if (controller.signal.aborted) {
      process.exit(status);
    }

    controller.abort(new StoppedError(signal, status));
  };

  process.on('SIGINT', stop('SIGINT', 130));
  process.on('SIGTERM', stop('SIGTERM', 143));
  return controller.signal;
}

function readText(value: GivenOptions[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
