import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { CommandLine } from './command-line.ts';
import { isDay, toDay } from '../core/dates.ts';
import { EnvironmentError } from '../io/http/error.ts';
import type { Process } from './process.ts';
import { isCheckout, programFolder } from '../io/program.ts';
import { problem, type Finding } from '../core/schemas/finding.ts';
import { createReporter, type ReportForm } from './reporter.ts';
import { describeFileRefusal } from '../io/files/file-refusal.ts';
import { openRoot } from '../io/files/root.ts';
import { defined } from '../core/text.ts';
import { siteUrlOf } from './commands/site-url.ts';
import {
  InputError,
  StoppedError,
  UsageError,
  type Command,
  type Invocation,
  type Options,
} from './commands/command.ts';

// Each verb is loaded only when it is called.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  add: async () => (await import('./commands/add.ts')).add,
  gather: async () => (await import('./commands/gather.ts')).gather,
  build: async () => (await import('./commands/build.ts')).build,
  check: async () => (await import('./commands/check.ts')).check,
  search: async () => (await import('./commands/search.ts')).search,
  scan: async () => (await import('./commands/scan.ts')).scan,
  explain: async () => (await import('./commands/explain.ts')).explain,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
  'key new': async () => (await import('./commands/key.ts')).newKey,
  'key list': async () => (await import('./commands/key.ts')).listKeys,
  'key revoke': async () => (await import('./commands/key.ts')).revokeKey,
  preview: async () => (await import('./commands/preview.ts')).preview,
  publish: async () => (await import('./commands/publish.ts')).publish,
  daily: async () => (await import('./commands/daily.ts')).daily,
  attention: async () => (await import('./commands/attention.ts')).attention,
  compare: async () => (await import('./commands/compare.ts')).compare,
  sign: async () => (await import('./commands/sign.ts')).sign,
  verify: async () => (await import('./commands/verify.ts')).verify,
  start: async () => (await import('./commands/start.ts')).start,
  init: async () => (await import('./commands/init.ts')).init,
  schemas: async () => (await import('./commands/schemas.ts')).schemas,
};

export async function runVerb(line: CommandLine, process: Process): Promise<number> {
  goWhereThePersonStands(process);
  const invocation = resolveInvocation(line, process);
  const command = await commands[line.verb]!();
  try {
    return await command(invocation);
  } catch (error) {
    const findings = whyRefused(error);
    if (!findings) throw error;
    for (const finding of findings) invocation.report.finding(finding);
    invocation.report.result({ verb: line.verb, asOf: invocation.day, findings });
    return 1;
  } finally {
    invocation.report.close();
  }
}

/** npm runs its scripts in the folder of the package. Relative paths count from where npm was called. */
function goWhereThePersonStands(process: Process): void {
  const { INIT_CWD: start, npm_package_json: manifest } = process.env;
  if (!start || !manifest || !existsSync(start) || !existsSync(manifest)) return;
  const isOurScript = process.cwd() === programFolder && dirname(realpathSync(manifest)) === programFolder;
  if (isOurScript) process.chdir(start);
}

/** What the user can correct; undefined for a bug. */
function whyRefused(error: unknown): readonly Finding[] | undefined {
  if (error instanceof InputError) return error.findings;
  if (error instanceof EnvironmentError) return [problem(error.variable, error.reason)];
  const refusal = describeFileRefusal(error);
  return refusal === undefined
    ? undefined
    : [problem('release-index', `${refusal}. What was there before is unchanged.`)];
}

function resolveInvocation(line: CommandLine, process: Process): Invocation {
  const { options } = line;
  const dir = resolve(text(options['root']) ?? (isCheckout ? programFolder : process.cwd()));
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--root: there is no folder ${dir}`);
  const day = text(options['as-of']) ?? toDay(new Date());
  if (!isDay(day)) throw new UsageError(`--as-of: expected a day that exists, YYYY-MM-DD; got "${day}"`);
  const baseUrl = siteUrlOf('--base-url', options['base-url']);
  return {
    arguments: line.arguments,
    options,
    root: openRoot(dir, programFolder),
    checkout: programFolder,
    out: resolve(text(options['out']) ?? join(dir, 'dist')),
    day,
    ...defined({ baseUrl }),
    env: process.env,
    report: createReporter({ process, form: formOf(options) }),
    signal: abortSignal(process),
  };
}

/** The first signal asks the run to end cleanly; the second ends it as the system would. */
function abortSignal(process: Process): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals, status: number) => () => {
    if (controller.signal.aborted) process.exit(status);
    controller.abort(new StoppedError(signal, status));
  };
  process.on('SIGINT', stop('SIGINT', 130));
  process.on('SIGTERM', stop('SIGTERM', 143));
  return controller.signal;
}

/** What standard output holds beside nothing else. */
function formOf(options: Options): ReportForm {
  if (options['ndjson'] === true) return 'lines';
  return options['json'] === true || options['sarif'] === true ? 'document' : 'text';
}

function text(value: Options[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
