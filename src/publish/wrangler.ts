/** The program of the host that uploads: a version of the site as it expects one, and its start. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { inputError } from '../core/errors.ts';
import { formatJson, sha256 } from '../core/files.ts';

/** What a version at Cloudflare is made of. */
export interface WorkerSite {
  root: string;
  out: string;
  baseUrl: string;
  /** The content of site/access.json; absent for an index that asks for no credential. */
  access?: object | undefined;
  /** The Worker's secrets, by name; without them, the host keeps its own. */
  secrets?: Readonly<Record<string, string>> | undefined;
}

const configFile = 'wrangler.json';
export const secretsFile = 'secrets.json';

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
    define: {
      RELEASE_INDEX_ACCESS: JSON.stringify(access ?? null),
      RELEASE_INDEX_VERSION: JSON.stringify(manifest.version),
    },
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
    return hostname.slice(0, hostname.indexOf('.'));
  }

  const name = hostname.replaceAll('.', '-');
  return hostname.includes('-') || name.length > 63
    ? `${name.slice(0, 54)}-${sha256(hostname).slice(0, 8)}`
    : name;
}
