import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Env } from '../../core/env.ts';
import { cacheFolder, type Root } from '../../io/files/root.ts';
import { wantedWrangler } from '../../io/program.ts';
import { wranglerConfig, type ConfigInput } from './hosting.ts';

/** A folder for one run of wrangler: its configuration and whatever it writes. */
export interface Workspace {
  dir: string;
  configPath: string;
  /** What the host keeps as secrets, by name. */
  secretsPath?: string;
  remove(): void;
}

export type Secrets = Readonly<Record<string, string>>;

/** `secrets`: what the host is to keep as such; whatever it has stays where absent. */
export function openWorkspace(root: Root, input: ConfigInput, secrets?: Secrets): Workspace {
  const parent = join(cacheFolder(root), 'wrangler');
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, 'run-'));
  const configPath = join(dir, 'wrangler.json');
  writeFileSync(configPath, JSON.stringify(wranglerConfig(input), undefined, 2));
  const workspace = { dir, configPath, remove: () => rmSync(dir, { recursive: true, force: true }) };
  if (!secrets) return workspace;
  const secretsPath = join(dir, 'secrets.json');
  writeFileSync(secretsPath, JSON.stringify(secrets), { mode: 0o600 });
  return { ...workspace, secretsPath };
}

// What wrangler needs to run and to reach the network. It gets nothing else of the environment.
const handedOn =
  /^(PATH|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SYSTEMROOT|TEMP|TMP|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|HTTPS?_PROXY|NO_PROXY)$/i;

/** Starts wrangler without metrics, banner, prompts and requests of its own; its logs go to the workspace. */
export function startWrangler(
  args: readonly string[],
  workspace: Workspace,
  env: Env,
  own: Env = {},
): ChildProcess {
  const kept = Object.entries(env).filter(([name]) => handedOn.test(name));
  return spawn(
    process.execPath,
    ['--no-warnings', wranglerPath(workspace.dir), ...args, '--config', workspace.configPath],
    {
      cwd: workspace.dir,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...Object.fromEntries(kept),
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

/** Not there after an installation without what is only for development. */
export class NoWranglerError extends Error {
  override readonly name = 'NoWranglerError';
}

/**
 * Beside this program, or in the folder of the index, which the workspace is below. The program itself instead of its launcher,
 * so that signals reach the process that has to clean up.
 */
function wranglerPath(workspace: string): string {
  try {
    return createRequire(import.meta.url).resolve('wrangler', { paths: [import.meta.dirname, workspace] });
  } catch (error) {
    const command = `npm install --save-dev wrangler@${wantedWrangler()}`;
    throw new NoWranglerError(`wrangler is not installed. Install it: ${command}`, { cause: error });
  }
}
