import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { sentence, toLine } from '../../core/text.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { wantedWrangler } from '../../io/program.ts';
import { wranglerConfig, type ConfigInput } from './hosting.ts';
import { writeFile } from '../../io/files/file-system.ts';

/** A folder for one run of wrangler: its configuration, and the files that it writes. */
export interface Workspace {
  dir: string;
  configPath: string;
  /** The file of the host's secrets. */
  secretsPath?: string;
  remove(): void;
}

/** `secrets`: by name; the host keeps its own where absent. */
export function openWorkspace(
  root: Root,
  input: ConfigInput,
  secrets?: Readonly<Record<string, string>>,
): Workspace {
  const parent = join(cacheFolder(root), 'wrangler');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  const configPath = join(dir, 'wrangler.json');
  writeFile(configPath, JSON.stringify(wranglerConfig(input), undefined, 2));
  const workspace = { dir, configPath, remove: () => rmSync(dir, { recursive: true, force: true }) };
  if (!secrets) return workspace;
  const secretsPath = join(dir, 'secrets.json');
  writeFile(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
  return { ...workspace, secretsPath };
}

// The environment that wrangler needs to run and to reach the network. It gets nothing else of ours.
const inherited =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY)$/i;

/** Starts wrangler without metrics, banner, prompts and requests of its own; its logs go to the workspace. */
export function startWrangler(
  args: readonly string[],
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  own: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(
    process.execPath,
    ['--no-warnings', wranglerPath(workspace.dir), ...args, '--config', workspace.configPath],
    {
      cwd: workspace.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name))),
        CI: '1',
        NO_COLOR: '1',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_SEND_ERROR_REPORTS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_LOG_PATH: join(workspace.dir, 'logs'),
        WRANGLER_REGISTRY_PATH: join(workspace.dir, 'registry'),
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
        X_LOCAL_EXPLORER: 'false',
        X_LOCAL_OBSERVABILITY: 'false',
        ...own,
      },
    },
  );
}

/**
 * Beside this program, or in the folder of the index, which contains the workspace; an installation without development
 * dependencies has none. The program itself instead of its
 * launcher, so that signals reach the process that has to clean up.
 */
function wranglerPath(workspace: string): string {
  try {
    return createRequire(import.meta.url).resolve('wrangler', { paths: [import.meta.dirname, workspace] });
  } catch {
    const command = `npm install --save-dev wrangler@${wantedWrangler()}`;
    throw new InputError([problem('wrangler', `is not installed. Install it: ${command}`)]);
  }
}

export interface Credentials {
  apiToken: string;
  accountId: string;
  apiBaseUrl?: string | undefined;
}

const credentialVariables = {
  CLOUDFLARE_API_TOKEN:
    'Make a token from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
  CLOUDFLARE_ACCOUNT_ID: 'It is shown on the right of the overview page of Workers: dash.cloudflare.com',
};

/** The findings name each missing variable. */
export function readCredentials(env: NodeJS.ProcessEnv): { credentials?: Credentials; findings: Finding[] } {
  const findings = Object.entries(credentialVariables)
    .filter(([name]) => !env[name]?.trim())
    .map(([name, remedy]) => problem(name, `is missing. ${remedy}`));
  if (findings.length > 0) return { findings };
  const credentials = {
    apiToken: env['CLOUDFLARE_API_TOKEN']!.trim(),
    accountId: env['CLOUDFLARE_ACCOUNT_ID']!.trim(),
    apiBaseUrl: env['CLOUDFLARE_API_BASE_URL'],
  };
  return { credentials, findings };
}

export interface WranglerContext {
  workspace: Workspace;
  env: NodeJS.ProcessEnv;
  credentials: Credentials;
  signal: AbortSignal;
}

export interface WranglerRun {
  isDone: boolean;
  /** Without the token. */
  output: string;
  /** The failure in sentences on one line, without the token; empty where there is none. */
  reason: string;
  /** The machine-readable output, by type of event. */
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
    ...(credentials.apiBaseUrl && { CLOUDFLARE_API_BASE_URL: credentials.apiBaseUrl }),
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

  const hide = (output: string) => output.replaceAll(credentials.apiToken, '(token)');
  const output = hide(`${stdout}\n${stderr}`);
  const events = readEvents(eventsPath);
  if (status === 0) return { isDone: true, output, events, reason: '' };
  const reason = signal.aborted ? 'the run was stopped.' : hide(failureOf(output, events));
  return { isDone: false, output, events, reason };
}

function readEvents(path: string): Map<string, Record<string, unknown>> {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  const events = lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return new Map(events.map((event) => [String(event['type']), event]));
}

/** Remedies for error codes of the host. */
const remedies: Readonly<Record<string, string>> = {
  '9109': 'CLOUDFLARE_API_TOKEN is not valid, or not for this account.',
  '10000': 'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit" on this account.',
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
};

function failureOf(output: string, events: WranglerRun['events']): string {
  const lastLine = output.split('\n').findLast((line) => line.trim() !== '');
  const headline = toLine(
    String(events.get('command-failed')?.['message'] ?? lastLine ?? 'wrangler ended without a message'),
  );
  const notes = Array.from(
    output.matchAll(/^\s*(?<note>.+?) \[code: (?<code>\d+)\]/gm),
    ({ groups }) => groups!,
  );
  const details = notes.map(({ note, code }) => `${note} (code ${code})`);
  const hints = notes.flatMap(({ code }) => remedies[code!] ?? []);
  const cause = headline === 'fetch failed' ? "the host's API cannot be reached" : headline;
  return sentence([...new Set([cause, ...details, ...hints])].join(' '));
}

export type Deployment =
  | { kind: 'live'; versionId: string; sentFiles: number }
  /** The old site is still live. */
  | { kind: 'failed'; reason: string }
  /** The last call broke off: only the address shows whether the new site is live. */
  | { kind: 'uncertain'; versionId: string; sentFiles: number; reason: string };

const doesNotExist = /does not yet exist/;

/**
 * Uploads the site as a new version and then switches to it. The switch is the last call, so that a fault at any other
 * leaves the old version live. Where there is no Worker yet, upload and switch are one call, as nothing is live then.
 * `isFirst`: nothing of ours is live, so a Worker of this name would be somebody else's. `objection` is asked right before the
 * switch; what it answers is the reason not to switch.
 */
export async function deploySite(
  context: WranglerContext,
  options: { message: string; isFirst: boolean; objection(): Promise<string | undefined> },
): Promise<Deployment> {
  const { message, isFirst, objection } = options;
  const annotate = ['--message', message];
  const { secretsPath } = context.workspace;
  const secrets = secretsPath === undefined ? [] : ['--secrets-file', secretsPath];
  const upload = await runWrangler(['versions', 'upload', ...secrets, ...annotate], context);
  if (!upload.isDone && doesNotExist.test(upload.reason)) {
    const first = await runWrangler(['deploy', ...secrets, ...annotate], context);
    return first.isDone ? live(first, 'deploy') : { kind: 'failed', reason: first.reason };
  }
  if (!upload.isDone) return { kind: 'failed', reason: upload.reason };
  if (isFirst) {
    const reason = 'a Worker of this name is there already and serves something else.';
    return { kind: 'failed', reason: `${reason} To replace it: publish --accept.` };
  }
  const uploaded = live(upload, 'version-upload');

  const triggers = await runWrangler(['triggers', 'deploy'], context);
  if (!triggers.isDone) return { kind: 'failed', reason: triggers.reason };
  const reason = await objection();
  if (reason !== undefined) return { kind: 'failed', reason };

  const switched = await runWrangler(
    ['versions', 'deploy', `${uploaded.versionId}@100%`, '--yes', ...annotate],
    context,
  );
  return switched.isDone ? uploaded : { ...uploaded, kind: 'uncertain', reason: switched.reason };
}

function live({ events, output }: WranglerRun, event: string): Extract<Deployment, { kind: 'live' }> {
  const versionId = String(events.get(event)?.['version_id']);
  const sent = /Found (\d+) new or modified static assets/.exec(output)?.[1] ?? '0';
  return { kind: 'live', versionId, sentFiles: Number(sent) };
}
