/** Publication into the folder of a server. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  digestsFile,
  isAddedBySigning,
  parseDigests,
  signatureFile,
  type Digests,
} from '../core/sha256sums.ts';
import { inputError } from '../core/errors.ts';
import { listFiles, readIfThere, saveFile, sha256 } from '../core/files.ts';

/** Throws an InputError where a site cannot go into a folder: a folder of other files may be a mistyped name. */
export function checkTarget(to: string, out: string): void {
  if (!relative(resolve(out), resolve(to)).startsWith('..')) {
    throw inputError(to, 'is in the folder of builds. Nothing was sent');
  }
  if (existsSync(to) && readdirSync(to).length > 0 && !existsSync(join(to, digestsFile))) {
    throw inputError(
      to,
      'holds other files than the site of an index. Nothing was sent. Name an empty folder',
    );
  }
}

/**
 * Copies new and changed files, each as a whole, then removes old ones. Documents of the whole index come after the files that they
 * name, and the list last: a publication that broke off leaves the old list, in which the next one finds what is still to be removed.
 */
export function copySite(out: string, to: string, digests: Digests): void {
  const before = parseDigests(readIfThere(join(to, digestsFile))?.toString() ?? '');
  if (before.size === 0) {
    saveFile(join(to, digestsFile), '');
  }

  const paths = listFiles(out).map(({ path }) => path);
  const statements = paths.filter((path) => {
    return path.startsWith('statements/') && isAddedBySigning(path, digests);
  });
  for (const path of [...statements, ...digests.keys()].sort(compareRank(digests))) {
    copyFile(out, to, path, digests.get(path));
  }

  const kept = new Set([...statements, ...digests.keys(), digestsFile, signatureFile]);
  const isPart = (path: string) => /\.\d+\.part$/.test(path);
  for (const { path } of listFiles(to)) {
    if (!kept.has(path) && (before.has(path) || isAddedBySigning(path, before) || isPart(path))) {
      rmSync(join(to, path));
    }
  }

  // Between an old signature and a new list, there is none: none is better than a wrong one.
  rmSync(join(to, signatureFile), { force: true });
  for (const path of [digestsFile, signatureFile].filter((name) => existsSync(join(out, name)))) {
    copyFile(out, to, path);
  }
}

function copyFile(out: string, to: string, path: string, digest?: string): void {
  const bytes = readFileSync(join(out, path));
  if (digest !== undefined && sha256(bytes) !== digest) {
    throw inputError(path, 'was changed during the publication. Build again, and publish again');
  }

  saveFile(join(to, path), bytes);
}

/** Files in folders, then those of components, then those of the whole index, which name them. */
function compareRank(digests: Digests): (a: string, b: string) => number {
  const rank = (path: string) => {
    if (path.includes('/')) {
      return 0;
    }
    return digests.has(`details/${path.replace(/\.\w+$/, '')}.json`) ? 1 : 2;
  };
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
}
