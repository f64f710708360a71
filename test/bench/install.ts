import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const cache = resolve(import.meta.dirname, '../../.cache/bench');

/** The folder of a peer that is installed only to be measured. Throws where the registry does not have it. */
export function installPeer(name: string, version: string): string {
  const folder = join(cache, `${name.replaceAll(/[^a-z0-9]/g, '-')}-${version}`);
  const installed = join(folder, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', ['install', '--prefix', partial, ...options, `${name}@${version}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return installed;
}
