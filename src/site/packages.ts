import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, sha256 } from '../core/files.ts';
import manifest from '../../package.json' with { type: 'json' };

/** Reads the packed versions of the CLI in `program/`. All are published, because readers' pipelines may name an earlier version. */
export function readPackages(root: string): [path: string, bytes: Buffer][] {
  const folder = join(root, 'program');
  return globSync('release-index-*.tgz', { cwd: folder }).flatMap((path) => {
    const bytes = readIfThere(join(folder, path), `program/${path}`);
    return bytes ? [[path, bytes] as [string, Buffer]] : [];
  });
}

/** How readers run the CLI. */
export interface ProgramPackage {
  /** The package for `npx`: `./release-index-1.0.0.tgz` if the site publishes it, or `release-index@1.0.0` from a registry. */
  npmPackage: string;
  /** The name of the packed file, if the site publishes it. `packageDigest`: its SHA-256. */
  packageFile?: string;
  packageDigest?: string;
}

/**
 * Finds the package with which readers run the CLI:
 * - the packed file of this version in `program/`, which the site publishes
 * - otherwise a package in a registry, if the index's `package.json` depends on `release-index`
 * - otherwise undefined, as in a checkout where the CLI was not packed
 */
export function findPackage(
  root: string,
  packages: ReturnType<typeof readPackages>,
): ProgramPackage | undefined {
  const { version } = manifest;
  const packageFile = `release-index-${version}.tgz`;
  const bytes = new Map(packages).get(packageFile);
  if (bytes !== undefined) {
    return { npmPackage: `./${packageFile}`, packageFile, packageDigest: sha256(bytes) };
  }

  const text = readIfThere(join(root, 'package.json'))?.toString() ?? '{}';
  const { dependencies } = JSON.parse(text) as { dependencies?: Record<string, string> };
  return /^[~^]?\d/.test(dependencies?.['release-index'] ?? '')
    ? { npmPackage: `release-index@${version}` }
    : undefined;
}
