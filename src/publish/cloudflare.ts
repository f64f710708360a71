import { spawn } from 'node:child_process';
import { addAbortListener, once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inputError, type Problem } from '../core/errors.ts';
import { formatJson, sha256 } from '../core/files.ts';
import { toLogLine } from '../core/text.ts';

const secretSources = {
  CLOUDFLARE_API_TOKEN:
    'Make one from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens',
  CLOUDFLARE_ACCOUNT_ID: 'The overview page of Workers shows it: dash.cloudflare.com',
};

/** The variables that wrangler needs, and where a person finds their values. */
export function findMissingSecrets(env: NodeJS.ProcessEnv): Problem[] {
  const missing = Object.entries(secretSources).filter(([name]) => !env[name]?.trim());
  return missing.map(([subject, source]) => ({ subject, message: `is missing. ${source}` }));
}

/** Throws an `InputError` for an address that Cloudflare cannot serve. */
export function checkHost(baseUrl: string): void {
  if (new URL(baseUrl).pathname !== '/') {
    throw inputError(
      'site/site.json',
      `releasesUrl: ${baseUrl} has a path; Cloudflare serves a site at the root of a name`,
    );
  }
}

/** What a version at Cloudflare is made of. */
interface WorkerSite {
  root: string;
  out: string;
  baseUrl: string;
  /** The content of site/access.json; absent for an index that asks for no credential. */
  access?: object | undefined;
  /** The Worker's secrets, by name; without them, the host keeps its own. */
  secrets?: Readonly<Record<string, string>> | undefined;
}

/**
 * `html_handling: none`: each file has its own address, without redirects. `not_found_handling: none`: what is no file reaches the
 * Worker, which also serves `/`. The rules of access are in the bundle, as a variable holds only 5 KB.
 */
function createConfig({ out, baseUrl, access }: WorkerSite): object {
  const { hostname, protocol } = new URL(baseUrl);
  const isOwnDomain = protocol === 'https:' && !hostname.endsWith('.workers.dev');
  return {
    name: nameWorker(baseUrl),
    main: join(import.meta.dirname, `../serve/worker${extname(import.meta.filename)}`),
    compatibility_date: '2026-10-01',
    compatibility_flags: ['nodejs_compat'],
    minify: true,
    keep_names: false,
    workers_dev: hostname.endsWith('.workers.dev'),
    preview_urls: false,
    ...(isOwnDomain && { routes: [{ pattern: hostname, custom_domain: true }] }),
    vars: { BASE_URL: baseUrl },
    define: { RELEASE_INDEX_ACCESS: JSON.stringify(access ?? null) },
    assets: {
      directory: out,
      binding: 'ASSETS',
      html_handling: 'none',
      not_found_handling: 'none',
    },
  };
}

/** `svc-index` of svc-index.me.workers.dev; else a name of its own for each host: two sites in an account never replace each other. */
export function nameWorker(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (hostname.endsWith('.workers.dev')) {
    return hostname.split('.')[0]!;
  }

  const name = hostname.replaceAll('.', '-');
  return hostname.includes('-') || name.length > 63
    ? `${name.slice(0, 54)}-${sha256(hostname).slice(0, 8)}`
    : name;
}

/** Uploads the site and switches to it: wrangler's last call switches, so any earlier failure leaves the old version live. */
export async function deploy(
  site: WorkerSite,
  message: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  using workspace = openWorkspace(site);
  const secrets = site.secrets ? ['--secrets-file', secretsFile] : [];
  const child = startWrangler(['deploy', '--message', message, ...secrets], workspace, env);
  using _stop = addAbortListener(signal, () => child.kill('SIGTERM'));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  signal.throwIfAborted();
  if (status !== 0) {
    throw inputError(
      'Cloudflare',
      describeFailure(`${stdout}\n${stderr}`, env['CLOUDFLARE_API_TOKEN']?.trim()),
    );
  }
}

const configFile = 'wrangler.json';
const secretsFile = 'secrets.json';

interface Workspace extends Disposable {
  dir: string;
}

/** A folder for one run of wrangler, with its configuration and secrets. Disposing removes it. */
export function openWorkspace(site: WorkerSite): Workspace {
  const parent = join(site.root, '.cache');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'wrangler-'));
  writeFileSync(join(dir, configFile), formatJson(createConfig(site)));
  const { secrets = {} } = site;
  writeFileSync(join(dir, secretsFile), JSON.stringify(secrets), { mode: 0o600 });
  return { dir, [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Wrangler gets no other variables: the environment may hold further secrets. */
const inherited =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY|CLOUDFLARE_.*)$/i;

/** Without metrics, banner and prompts. */
export function startWrangler(args: readonly string[], { dir }: Workspace, env: NodeJS.ProcessEnv) {
  return spawn(
    process.execPath,
    ['--no-warnings', findWrangler(), ...args, '--config', configFile],
    {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => inherited.test(name))),
        CI: '1',
        NO_COLOR: '1',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_SEND_ERROR_REPORTS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
        WRANGLER_LOG_PATH: join(dir, 'logs'),
        WRANGLER_REGISTRY_PATH: join(dir, 'registry'),
        CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      },
    },
  );
}

/** The program, not its launcher: signals must reach the process that cleans up. */
function findWrangler(): string {
  try {
    return createRequire(import.meta.url).resolve('wrangler');
  } catch {
    throw inputError('wrangler', 'is not installed. Install it: npm install --save-dev wrangler');
  }
}

/** What a person does about error codes of the host. */
const remedies: Readonly<Record<string, string>> = {
  '6003': 'CLOUDFLARE_API_TOKEN does not have the form of a token.',
  '7003': 'CLOUDFLARE_ACCOUNT_ID names no account.',
  '9109': 'CLOUDFLARE_API_TOKEN is not valid, or not for this account.',
  '10000': 'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit".',
};

/** The errors of wrangler on one line, or the last line of a failure without any, without the token, and their remedies. */
function describeFailure(output: string, token: string | undefined): string {
  const hidden = token ? output.replaceAll(token, '(token)') : output;
  const lines = hidden.split('\n').map((line) => toLogLine(line.trim()));
  const errors = lines.filter((line) => /\[ERROR\]|\[code: \d+\]|fetch failed/.test(line));
  const shown = errors.length > 0 ? errors : lines.filter(Boolean).slice(-1);
  const codes = Array.from(hidden.matchAll(/\[code: (\d+)\]/g), ([, code = '']) => code);
  const advice = codes.map((code) => remedies[code]).filter((remedy) => remedy !== undefined);
  const again = 'Publish again: only a whole upload goes live.';
  return [...new Set([...shown, ...advice, again])].join(' ');
}
