/** Publishes a site into the folder of a server. */
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { inputError, readProblems } from '../core/errors.ts';
import { listFiles, readIfThere, saveFile, sha256 } from '../core/files.ts';
import {
  digestsFile,
  isUnlisted,
  parseDigests,
  signatureFile,
  type Digests,
} from '../core/sha256sums.ts';

/** Throws an `InputError` if a site must not be copied into a folder. A folder with other files may be a mistyped name. */
export function checkTarget(to: string, out: string): void {
  const places = [out, to].map((each) => (existsSync(each) ? realpathSync(each) : resolve(each)));
  if (!relative(places[0]!, places[1]!).startsWith('..')) {
    throw inputError(
      to,
      'is inside the folder of the built site. Nothing was sent. Name another folder',
    );
  }
  if (existsSync(to) && readdirSync(to).length > 0 && !existsSync(join(to, digestsFile))) {
    throw inputError(
      to,
      'has files, and is not the site of an index. Nothing was sent. Name an empty folder',
    );
  }
}

/**
 * Copies new and changed files, each as a whole, then removes old files. Documents of the whole index follow the files that they name, and
 * `SHA256SUMS` is last. If a publication is killed, the old list stays, and the next publication removes the files that only the old list has.
 * Returns the files that stay because the old list cannot be read. Some of them may belong to the former site.
 */
export function copySite(out: string, to: string, digests: Digests): string[] {
  const former = readFormer(to);
  // This list marks the folder as the site of an index, even if the first copy is killed.
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
    // The part that a killed publication left begins with the name of its file.
    const name = path.replace(/\.\d+\.part$/, '');
    if (former?.has(name) || (name !== path && isNew(name))) {
      rmSync(join(to, path));
    } else {
      left.push(path);
    }
  }

  // While the list is replaced, there is no signature, because a wrong signature is worse.
  rmSync(join(to, signatureFile), { force: true });
  for (const path of [digestsFile, signatureFile].filter((name) => existsSync(join(out, name)))) {
    copyFile(out, to, path);
  }
  return former ? [] : left;
}

/** Reads the list of the site in a folder. Empty if there is none, undefined if it cannot be read. */
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

/** Ranks files in folders first, then files of components, then files of the whole index, which name the others. */
function rankPath(path: string, digests: Digests): number {
  if (path.includes('/')) {
    return 0;
  }
  return digests.has(`details/${path.replace(/\.\w+$/, '')}.json`) ? 1 : 2;
}
