import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foreignPackages } from '../harness/install.ts';

/** `oldest`: the oldest that `use.html` and README name, which reads the same. */
export const versions = { newest: '44.121.2', oldest: '43.94.0' };
export const isOldest = process.env['RENOVATE'] === 'oldest';
const version = isOldest ? versions.oldest : versions.newest;
const programs = foreignPackages(`renovate-${version}`);

/** The client the index is proved with: 300 MB. */
export const renovate = programs.add('renovate', version);

/** Before the first test: the client is there. */
export default async function installRenovate(): Promise<void> {
  await programs.install();
}

/** A module of the installed Renovate by its path in `dist`. */
export async function importRenovate<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(renovate.dir, 'dist', path)).href)) as T;
}

if (import.meta.main) {
  await installRenovate();
}
