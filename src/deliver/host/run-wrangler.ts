import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Env } from '../../core/env.ts';
import { sentence, toLine } from '../../core/text.ts';
import { startWrangler, type Workspace } from './wrangler.ts';

export interface WranglerContext {
  workspace: Workspace;
  env: Env;
  credentials: Credentials;
  signal: AbortSignal;
}

export interface Credentials {
  apiToken: string;
  accountId: string;
  apiBaseUrl?: string | undefined;
}

export interface WranglerRun {
  isDone: boolean;
  /** What it said, without the token. */
  output: string;
  /** Why it failed, in sentences on one line without the token; empty where it did not. */
  reason: string;
  /** What it wrote for machines, by type of event. */
  events: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/** Runs one command of wrangler to its end. */
export async function runWrangler(args: readonly string[], context: WranglerContext): Promise<WranglerRun> {
  const { workspace, env, credentials, signal } = context;
  const eventsPath = join(workspace.dir, 'events.ndjson');
  rmSync(eventsPath, { force: true });
  const child = startWrangler(args, workspace, env, {
    CLOUDFLARE_API_TOKEN: credentials.apiToken,
    CLOUDFLARE_ACCOUNT_ID: credentials.accountId,
    WRANGLER_OUTPUT_FILE_PATH: eventsPath,
    ...(credentials.apiBaseUrl !== undefined && { CLOUDFLARE_API_BASE_URL: credentials.apiBaseUrl }),
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ]);
  signal.removeEventListener('abort', stop);

  const output = scrub(`${stdout}\n${stderr}`, credentials.apiToken);
  const events = readEvents(eventsPath);
  if (status === 0) return { isDone: true, output, events, reason: '' };
  const reason = signal.aborted ? 'the run was stopped.' : reasonOf(output, events, credentials.apiToken);
  return { isDone: false, output, events, reason };
}

function scrub(said: string, token: string): string {
  return token === '' ? said : said.replaceAll(token, '(token)');
}

function readEvents(path: string): Map<string, Record<string, unknown>> {
  const events = new Map<string, Record<string, unknown>>();
  if (!existsSync(path)) return events;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line.trim() === '') continue;
    const event = JSON.parse(line) as Record<string, unknown>;
    events.set(String(event['type']), event);
  }
  return events;
}

/** What to do about the host's codes. */
const advice: Readonly<Record<string, string>> = {
  '9109': 'CLOUDFLARE_API_TOKEN is not valid, or not for this account.',
  '10000': 'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit" on this account.',
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
};

function reasonOf(output: string, events: WranglerRun['events'], token: string): string {
  const failure = events.get('command-failed');
  const headline = toLine(scrub(String(failure?.['message'] ?? lastLine(output)), token));
  const notes = [...output.matchAll(/^\s*(?<note>.+?) \[code: (?<code>\d+)\]/gm)].map(
    ({ groups }) => groups!,
  );
  const details = notes.map(({ note, code }) => `${note} (code ${code})`);
  const hints = notes.flatMap(({ code }) => advice[code!] ?? []);
  const said = headline === 'fetch failed' ? "the host's API cannot be reached" : headline;
  return sentence([...new Set([said, ...details, ...hints])].join(' '));
}

function lastLine(output: string): string {
  return output.split('\n').findLast((line) => line.trim() !== '') ?? 'wrangler ended without saying why';
}
