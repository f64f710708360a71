import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { endSentence } from '../../core/text/wording.ts';
import { writeFile } from '../../io/files/file-system.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { readWranglerVersion } from '../../io/program.ts';
import { createWranglerConfig, type ConfigInput } from './hosting.ts';

/** A folder for one run of wrangler: its configuration and its output files. */
export interface Workspace {
  dir: string;
  configPath: string;
  /** The file of the host's secrets. */
  secretsPath?: string;
  remove(): void;
}

/** `secrets`: by name; if absent, the host keeps its own. */
export function openWorkspace(
  root: Root,
  input: ConfigInput,
  secrets?: Readonly<Record<string, string>>,
): Workspace {
  const parent = join(cacheFolder(root), 'wrangler');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  const configPath = join(dir, 'wrangler.json');
  writeFile(configPath, JSON.stringify(createWranglerConfig(input), undefined, 2));
  const workspace = {
    dir,
    configPath,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
  if (!secrets) {
    return workspace;
  }

  const secretsPath = join(dir, 'secrets.json');
  writeFile(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
  return { ...workspace, secretsPath };
}

// Wrangler gets only the variables it needs to run and to reach the network.
const variables =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY)$/i;

/** Starts wrangler without metrics, banner, prompts and background requests; its logs go to the workspace. */
export function startWrangler(
  args: readonly string[],
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  extraEnv: NodeJS.ProcessEnv = {},
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(
    process.execPath,
    ['--no-warnings', findWrangler(workspace.dir), ...args, '--config', workspace.configPath],
    {
      cwd: workspace.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => variables.test(name))),
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
        ...extraEnv,
      },
    },
  );
}

/**
 * Looks next to this program and in the folder of the index, which contains the workspace. Installations without development
 * dependencies have no wrangler. Returns the program, not its launcher: signals must reach the process that cleans up.
 */
function findWrangler(workspace: string): string {
  try {
    return createRequire(import.meta.url).resolve('wrangler', {
      paths: [import.meta.dirname, workspace],
    });
  } catch {
    const command = `npm install --save-dev wrangler@${readWranglerVersion()}`;
    throw new InputError([problem('wrangler', `is not installed. Install it: ${command}`)]);
  }
}

export interface Credentials {
  apiToken: string;
  accountId: string;
  apiBaseUrl?: string | undefined;
}

export function readCredentials(env: NodeJS.ProcessEnv): {
  credentials: Credentials;
  findings: Finding[];
} {
  const findings: Finding[] = [];

  const read = (name: string, remedy: string) => {
    const value = env[name]?.trim() ?? '';
    if (value === '') {
      findings.push(problem(name, `is missing. ${remedy}`));
    }

    return value;
  };

  const credentials = {
    apiToken: read(
      'CLOUDFLARE_API_TOKEN',
      'Make a token from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
    ),
    accountId: read(
      'CLOUDFLARE_ACCOUNT_ID',
      'It is shown on the right of the overview page of Workers: dash.cloudflare.com',
    ),
    apiBaseUrl: env['CLOUDFLARE_API_BASE_URL'],
  };

  return { credentials, findings };
}

interface WranglerContext extends Pick<SiteToDeploy, 'env' | 'credentials' | 'signal'> {
  workspace: Workspace;
}

interface WranglerRun {
  /** The token is removed. */
  output: string;
  /** The failure as sentences on one line, with the token removed; absent on success. */
  failure?: string;
  /** The machine-readable output, by type of event. */
  events: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

async function runWrangler(
  args: readonly string[],
  context: WranglerContext,
): Promise<WranglerRun> {
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

  if (signal.aborted) {
    stop();
  }

  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);

  signal.removeEventListener('abort', stop);

  const hide = (output: string) => output.replaceAll(credentials.apiToken, '(token)');
  const output = hide(`${stdout}\n${stderr}`);
  const events = readEvents(eventsPath);
  if (status === 0) {
    return { output, events };
  }

  const failure = signal.aborted ? 'the run was stopped.' : hide(describeFailure(output, events));
  return { output, events, failure };
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
  '10000':
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit" on this account.',
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
};

function describeFailure(output: string, events: WranglerRun['events']): string {
  const lastLine = output.split('\n').findLast((line) => line.trim() !== '');
  const message = events.get('command-failed')?.['message'];
  const headline = toLine(String(message ?? lastLine ?? 'wrangler ended without a message'));
  const notes = [...output.matchAll(/^(.+?) \[code: (\d+)\]/gm)];
  const details = notes.map(([, note = '', code]) => `${note.trim()} (code ${code})`);
  const hints = notes
    .map(([, , code = '']) => remedies[code])
    .filter((value) => value !== undefined);
  const cause = headline === 'fetch failed' ? "the host's API cannot be reached" : headline;
  return endSentence([...new Set([cause, ...details, ...hints])].join(' '));
}

export type Deployment =
  | { kind: 'live'; versionId: string; sentFiles: number }
  /** The old site is still live. */
  | { kind: 'failed'; reason: string }
  /** The last call broke off: only the address shows whether the new site is live. */
  | { kind: 'uncertain'; versionId: string; sentFiles: number; reason: string };

/** A site to send, with everything that its version at the host consists of. */
export interface SiteToDeploy extends ConfigInput {
  root: Root;
  env: NodeJS.ProcessEnv;
  credentials: Credentials;
  signal: AbortSignal;
  /** The secrets of the Worker by name; if absent, the host keeps its own. */
  secrets?: Readonly<Record<string, string>> | undefined;
  message: string;
  /** Whether no site is live, so an existing Worker of this name serves something else. */
  isFirst: boolean;
  /** Called right before the switch; returns a reason not to switch, if any. */
  objection(): Promise<string | undefined>;
}

/** A host of published sites. */
export interface SiteHost {
  deploy(site: SiteToDeploy): Promise<Deployment>;
  /** Milliseconds to wait between attempts to read a new version back. */
  waitsMs: readonly number[];
}

export const cloudflare: SiteHost = {
  deploy: deploySite,
  // A new version reaches all data centres of the host within seconds; a minute is generous.
  waitsMs: [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000],
};

async function deploySite(site: SiteToDeploy): Promise<Deployment> {
  const workspace = openWorkspace(site.root, site, site.secrets);

  try {
    return await switchVersions(site, workspace);
  } finally {
    workspace.remove();
  }
}

/**
 * Uploads the site as a new version, then switches to it. The switch is the last call: any earlier failure leaves the old
 * version live. Without an existing Worker, upload and switch are one call.
 */
async function switchVersions(site: SiteToDeploy, workspace: Workspace): Promise<Deployment> {
  const annotate = ['--message', site.message];
  const { secretsPath } = workspace;
  const secrets = secretsPath === undefined ? [] : ['--secrets-file', secretsPath];
  const wrangler = (...args: readonly string[]) => runWrangler(args, { ...site, workspace });
  const upload = await wrangler('versions', 'upload', ...secrets, ...annotate);

  if (upload.failure !== undefined) {
    if (!upload.failure.includes('does not yet exist')) {
      return { kind: 'failed', reason: upload.failure };
    }

    const deploy = await wrangler('deploy', ...secrets, ...annotate);
    return deploy.failure === undefined
      ? createLive(deploy, 'deploy')
      : { kind: 'failed', reason: deploy.failure };
  }

  if (site.isFirst) {
    return {
      kind: 'failed',
      reason: `a Worker of this name is there already and serves something else. If it may go: npx wrangler delete --name ${site.hosting.worker}.`,
    };
  }

  const version = createLive(upload, 'version-upload');
  const triggers = await wrangler('triggers', 'deploy');
  const reason = triggers.failure ?? (await site.objection());
  if (reason !== undefined) {
    return { kind: 'failed', reason };
  }

  const deploy = await wrangler(
    'versions',
    'deploy',
    `${version.versionId}@100%`,
    '--yes',
    ...annotate,
  );
  return deploy.failure === undefined
    ? version
    : { ...version, kind: 'uncertain', reason: deploy.failure };
}

function createLive(
  { events, output }: WranglerRun,
  event: string,
): Extract<Deployment, { kind: 'live' }> {
  const versionId = String(events.get(event)?.['version_id']);
  const [, sentFiles = '0'] = /Found (\d+) new or modified static assets/.exec(output) ?? [];
  return { kind: 'live', versionId, sentFiles: Number(sentFiles) };
}
