import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere } from '../core/files.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { File } from './output.ts';

/** Reads the packed programs in `program/`. All of them are published, because pipelines of readers may name an earlier version. */
export function readPackages(root: string): File[] {
  const folder = join(root, 'program');
  return globSync('release-index-*.tgz', { cwd: folder }).flatMap((path) => {
    const bytes = readIfThere(join(folder, path), `program/${path}`);
    return bytes ? [[path, bytes]] : [];
  });
}

/**
 * Returns the package with which readers run the program in `npx`: `./release-index-1.0.0.tgz` if the site publishes it, or
 * `release-index@1.0.0` if the index depends on a version of a registry. Undefined in a checkout that did not pack its program.
 */
export function findPackage(root: string, packages: readonly File[]): string | undefined {
  const { version } = manifest;
  const packed = `release-index-${version}.tgz`;
  if (packages.some(([path]) => path === packed)) {
    return `./${packed}`;
  }

  const text = readIfThere(join(root, 'package.json'))?.toString() ?? '{}';
  const { dependencies } = JSON.parse(text) as { dependencies?: Record<string, string> };
  return /^[~^]?\d/.test(dependencies?.['release-index'] ?? '')
    ? `release-index@${version}`
    : undefined;
}
