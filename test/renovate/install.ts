import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The client the index is proved with. It stays out of the project's dependencies: it is larger than all of them. */
export const renovateVersion = '44.121.2';

const cache = resolve(import.meta.dirname, '../../.cache/renovate');

/** The folder of the installed package. */
export const renovateDir = join(cache, renovateVersion, 'node_modules/renovate');

/** Installs Renovate from the npm registry unless this version is there. Whole or not at all, so that a run can be cut off. */
export async function installRenovate(): Promise<void> {
  if (isInstalled()) return;
  const folder = join(cache, `${renovateVersion}.${process.pid}`);
  process.stdout.write(`Installing Renovate ${renovateVersion} into .cache/renovate (300 MB, once) …\n`);
  const start = performance.now();
  const ticker = setInterval(() => process.stdout.write(`… ${secondsSince(start)} s\n`), 15_000);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await npmInstall(folder);
    keepFirst(folder, join(cache, renovateVersion));
  } finally {
    clearInterval(ticker);
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(`Installed Renovate ${renovateVersion} in ${secondsSince(start)} s.\n`);
}

function isInstalled(): boolean {
  const manifest = join(renovateDir, 'package.json');
  if (!existsSync(manifest)) return false;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string };
  return version === renovateVersion;
}

/** Another run may have installed it in the meantime. */
function keepFirst(folder: string, target: string): void {
  if (isInstalled()) return;
  rmSync(target, { recursive: true, force: true });
  renameSync(folder, target);
}

/** Without the packages' own scripts, and without what is optional: native code that Renovate does without. */
async function npmInstall(folder: string): Promise<void> {
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const parameters = ['install', '--prefix', folder, ...options, `renovate@${renovateVersion}`];
  // Set by npm itself when this runs as one of its scripts.
  const npm = process.env['npm_execpath'];
  const [command, ...rest] = npm?.endsWith('.js')
    ? [process.execPath, npm, ...parameters]
    : ['npm', ...parameters];
  const child = spawn(command!, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done));
  if (code !== 0)
    throw new Error(`npm install renovate@${renovateVersion} ended with ${code}: ${said.trim()}`);
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

if (import.meta.main) await installRenovate();
