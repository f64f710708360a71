import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../core/files.ts';
import type { File } from './output.ts';

/** Reads the packed programs in `program/`. All of them are published, because pipelines of readers may name an earlier version. */
export function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  return globSync('release-index-*.tgz', { cwd: folder }).flatMap((path) => {
    const bytes = readIfThere(join(folder, path), `program/${path}`);
    return bytes ? [[path, bytes]] : [];
  });
}
