/** Publication into the folder of a server. */
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import {
  digestsFile,
  isUnlisted,
  parseDigests,
  signatureFile,
  type Digests,
} from '../core/sha256sums.ts';
import { inputError, readProblems } from '../core/errors.ts';
import { listFiles, readIfThere, saveFile, sha256 } from '../core/files.ts';

/** Throws an InputError where a site cannot go into a folder: a folder of other files may be a mistyped name. */
export function checkTarget(to: string, out: string): void {
  const places = [out, to].map((each) => (existsSync(each) ? realpathSync(each) : resolve(each)));
  if (!relative(places[0]!, places[1]!).startsWith('..')) {
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
 * Returns the files that stay because the old list cannot be read: some may be of the former site.
 */
export function copySite(out: string, to: string, digests: Digests): string[] {
  const former = readFormer(to);
  // By this list, a folder whose first copy broke off is still one of an index.
  if (former?.size === 0) {
    saveFile(join(to, digestsFile), '');
  }

  const files = [...digests].sort(([a], [b]) => rankPath(a, digests) - rankPath(b, digests));
  for (const [path, digest] of files) {
    copyFile(out, to, path, digest);
  }

  const isNew = (path: string) => digests.has(path) || isUnlisted(path);
  const left: string[] = [];
  for (const { path } of listFiles(to).filter((file) => !isNew(file.path))) {
    // What a killed publication was writing has the name of its file in front.
    const name = path.replace(/\.\d+\.part$/, '');
    if (former?.has(name) || (name !== path && isNew(name))) {
      rmSync(join(to, path));
    } else {
      left.push(path);
    }
  }

  // Between an old signature and a new list, there is none: none is better than a wrong one.
  rmSync(join(to, signatureFile), { force: true });
  for (const path of [digestsFile, signatureFile].filter((name) => existsSync(join(out, name)))) {
    copyFile(out, to, path);
  }
  return former ? [] : left;
}

/** The list of the site in a folder: empty if there is none, undefined if it cannot be read. */
function readFormer(to: string): Digests | undefined {
  const text = readIfThere(join(to, digestsFile))?.toString() ?? '';
  try {
    return parseDigests(text);
  } catch (error) {
    readProblems(error);
    return undefined;
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
function rankPath(path: string, digests: Digests): number {
  if (path.includes('/')) {
    return 0;
  }
  return digests.has(`details/${path.replace(/\.\w+$/, '')}.json`) ? 1 : 2;
}
