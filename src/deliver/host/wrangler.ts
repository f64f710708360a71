import { spawn } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inputError } from '../../core/schemas/finding.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { endSentence } from '../../core/text/wording.ts';
import {
  makeFolder,
  makeTemporaryFolder,
  readIfThere,
  writeFile,
} from '../../io/files/file-system.ts';
import { openCacheFolder, type Root } from '../../io/files/root.ts';
import { formatDocument } from '../../io/files/save.ts';
import { wranglerVersion } from '../../io/program.ts';
import { createWorkerConfig, type WorkerInput } from './worker-config.ts';

export type Workspace = ReturnType<typeof openWorkspace>;

/**
 * A folder for one run of wrangler: its configuration, the file of the host's secrets, and its output files. `secrets`: by name;
 * if absent, the host keeps its own. Disposing removes the folder.
 */
export function openWorkspace(
  root: Root,
  input: WorkerInput,
  secrets?: Readonly<Record<string, string>>,
) {
  const parent = join(openCacheFolder(root), 'wrangler');
  makeFolder(parent);
  // A failure below removes the folder.
  using stack = new DisposableStack();
  const { path: dir } = stack.use(makeTemporaryFolder(parent));

  const configPath = join(dir, 'wrangler.json');
  writeFile(configPath, formatDocument(createWorkerConfig(input)));
  const secretsPath = secrets && join(dir, 'secrets.json');
  if (secretsPath !== undefined) {
    writeFile(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
  }

  const folder = stack.move();
  return { dir, configPath, secretsPath, [Symbol.dispose]: () => folder.dispose() };
}

/** The variables that wrangler needs to run and to reach the network. It gets no others. */
const inheritedVariables =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY)$/i;

/** Starts wrangler without metrics, banner, prompts and background requests; its logs go to the workspace. */
export function startWrangler(
  args: readonly string[],
  workspace: Workspace,
  env: NodeJS.ProcessEnv,
  extraEnv?: NodeJS.ProcessEnv,
) {
  return spawn(
    process.execPath,
    ['--no-warnings', findWrangler(workspace.dir), ...args, '--config', workspace.configPath],
    {
      cwd: workspace.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(
          Object.entries(env).filter(([name]) => inheritedVariables.test(name)),
        ),
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
    const command = `npm install --save-dev wrangler@${wranglerVersion}`;
    throw inputError('wrangler', `is not installed. Install it: ${command}`);
  }
}

interface WranglerContext {
  workspace: Workspace;
  /** With the token and the account; perhaps with another address of the host's API. */
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** The result of a run, from which the token is removed. */
export type WranglerRun = Awaited<ReturnType<typeof runWrangler>>;

/**
 * Runs wrangler for an account, and removes the token from its output. Stops it by SIGTERM when the signal aborts, so that it cleans
 * up. `failure`: as sentences on one line; absent on success.
 */
export async function runWrangler(
  args: readonly string[],
  { workspace, env, signal }: WranglerContext,
) {
  const token = env['CLOUDFLARE_API_TOKEN']?.trim();
  const eventsPath = join(workspace.dir, 'events.ndjson');
  rmSync(eventsPath, { force: true });
  const child = startWrangler(args, workspace, env, {
    CLOUDFLARE_API_TOKEN: token,
    CLOUDFLARE_ACCOUNT_ID: env['CLOUDFLARE_ACCOUNT_ID']?.trim(),
    CLOUDFLARE_API_BASE_URL: env['CLOUDFLARE_API_BASE_URL'] || undefined,
    WRANGLER_OUTPUT_FILE_PATH: eventsPath,
  });

  using _stop = addAbortListener(signal, () => child.kill('SIGTERM'));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);

  // An empty text is found between all characters.
  const hideToken = (written: string) => (token ? written.replaceAll(token, '(token)') : written);
  const output = hideToken(`${stdout}\n${stderr}`);
  const events = parseEvents(hideToken(readIfThere(eventsPath)?.toString() ?? ''));
  if (status === 0) {
    return { events };
  }

  const failure = signal.aborted
    ? 'the run was stopped.'
    : describeFailure(output, events, workspace);
  return { events, failure };
}

/** The machine-readable output: the last event of each type. */
function parseEvents(lines: string) {
  const events = new Map<string, Record<string, unknown>>();
  for (const line of lines.split('\n')) {
    try {
      const event = JSON.parse(line) as Record<string, unknown>;
      events.set(String(event['type']), event);
    } catch {
      // An empty line, or one that was cut off because wrangler was stopped.
    }
  }
  return events;
}

/** Remedies for error codes of the host. */
const remedies: Readonly<Record<string, string>> = {
  '9109': 'CLOUDFLARE_API_TOKEN is not valid, or not for this account.',
  '10000':
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit" on this account.',
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
};

/** Each sentence once: the error, the notes with codes, and remedies. */
function describeFailure(
  output: string,
  events: ReturnType<typeof parseEvents>,
  { dir }: Workspace,
): string {
  // Wrangler ends with the name of its log, which is in the workspace and so is removed.
  const lastLine = output.split('\n').findLast((line) => line.trim() !== '' && !line.includes(dir));
  const message = events.get('command-failed')?.['message'];
  const headline = toLine(String(message ?? lastLine ?? 'wrangler ended without a message'));
  const cause = headline === 'fetch failed' ? "the host's API cannot be reached" : headline;

  // `Authentication error [code: 10000]`
  const notes = [...output.matchAll(/^(.+?) \[code: (\d+)\]/gm)];
  const sentences = [
    cause,
    ...notes.map(([, note = '', code]) => `${note.trim()} (code ${code})`),
    ...notes.flatMap(([, , code = '']) => remedies[code] ?? []),
  ];
  return Array.from(new Set(sentences), endSentence).join(' ');
}
