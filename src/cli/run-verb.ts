import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandLine } from './command-line.ts';
import { UsageError } from '../commands/command.ts';
import { isDay, toDay } from '../dates.ts';
import { EnvironmentError } from '../http/error.ts';
import type { Process } from './process.ts';
import type { Finding } from '../model/finding.ts';
import { createReporter } from './reporter.ts';
import { describeFileRefusal } from '../store/file-refusal.ts';
import { openRoot } from '../store/root.ts';
import { InputError, type Command, type Invocation } from '../commands/command.ts';

const checkout = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

// A verb is loaded when it is called: none pays for what another needs.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  gather: async () => (await import('../commands/gather.ts')).gather,
  build: async () => (await import('../commands/build.ts')).build,
  check: async () => (await import('../commands/check.ts')).check,
  search: async () => (await import('../commands/search.ts')).search,
  explain: async () => (await import('../commands/explain.ts')).explain,
  preview: async () => (await import('../commands/preview.ts')).preview,
  publish: async () => (await import('../commands/publish.ts')).publish,
  daily: async () => (await import('../commands/daily.ts')).daily,
  attention: async () => (await import('../commands/attention.ts')).attention,
  compare: async () => (await import('../commands/compare.ts')).compare,
  sign: async () => (await import('../commands/sign.ts')).sign,
  start: async () => (await import('../commands/start.ts')).start,
  schemas: async () => (await import('../commands/schemas.ts')).schemas,
};

export async function runVerb(line: CommandLine, process: Process): Promise<number> {
  const invocation = await resolveInvocation(line, process);
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
    await invocation.report.close();
  }
}

/** What a person can mend; undefined for a bug. */
function whyRefused(error: unknown): readonly Finding[] | undefined {
  if (error instanceof InputError) return error.findings;
  if (error instanceof EnvironmentError)
    return [{ level: 'error', subject: error.variable, message: error.expected }];
  const refusal = describeFileRefusal(error);
  if (refusal === undefined) return undefined;
  const message = `${refusal}. What was there before is unchanged.`;
  return [{ level: 'error', subject: 'release-index', message }];
}

async function resolveInvocation(line: CommandLine, process: Process): Promise<Invocation> {
  const { options } = line;
  const dir = resolve(text(options['root']) ?? checkout);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--root: there is no folder ${dir}`);
  const day = text(options['as-of']) ?? toDay(new Date());
  if (!isDay(day)) throw new UsageError(`--as-of: expected a day that exists, YYYY-MM-DD; got "${day}"`);
  const baseUrl = text(options['base-url'])?.replace(/\/+$/, '');
  if (baseUrl !== undefined) await checkBaseUrl(baseUrl);
  return {
    arguments: line.arguments,
    options,
    root: openRoot(dir, checkout),
    checkout,
    out: resolve(text(options['out']) ?? join(dir, 'dist')),
    day,
    ...(baseUrl !== undefined && { baseUrl }),
    env: process.env,
    report: createReporter({ process, isJson: options['json'] === true }),
    signal: abortSignal(process),
  };
}

async function checkBaseUrl(baseUrl: string): Promise<void> {
  const { SiteUrl } = await import('../model/links.ts');
  const { error } = SiteUrl.safeParse(baseUrl);
  if (error) throw new UsageError(`--base-url: ${error.issues[0]!.message}; got "${baseUrl}"`);
}

/** The first signal asks the run to end cleanly; the second ends it as the system would. */
function abortSignal(process: Process): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals, status: number) => () => {
    if (controller.signal.aborted) process.exit(status);
    controller.abort(new Error(`stopped by ${signal}`));
  };
  process.on('SIGINT', stop('SIGINT', 130));
  process.on('SIGTERM', stop('SIGTERM', 143));
  return controller.signal;
}

function text(value: string | boolean | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
