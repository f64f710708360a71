/** `release-index-<version>.tgz`: the program, packed. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { readIfThere } from '../../core/files.ts';
import type { File } from '../output.ts';

/** All that are in `program/`: pipelines of readers may name an earlier version. Throws an `InputError` for a folder. */
export function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  return globSync('release-index-*.tgz', { cwd: folder }).flatMap((path) => {
    const bytes = readIfThere(join(folder, path), `program/${path}`);
    return bytes ? [[path, bytes]] : [];
  });
}

/** The path of this version of the program; undefined where it is not published. */
export function findPackage(packages: readonly File[]): string | undefined {
  const ownPath = `release-index-${manifest.version}.tgz`;
  return packages.find(([path]) => path === ownPath)?.[0];
}
