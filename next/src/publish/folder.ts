import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { inputError } from '../core/errors.ts';
import { saveFile, sha256 } from '../core/files.ts';
import { digestsFile, parseDigests, signatureFile, type Digests } from '../core/sha256sums.ts';

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

/** The digests of the site in a folder; empty for a new one, and for one whose first copy broke off. */
export function readFolder(to: string): Digests {
  const list = join(to, digestsFile);
  return parseDigests(existsSync(list) ? readFileSync(list, 'utf8') : '');
}

/**
 * Copies new and changed files, each as a whole, and removes old ones. Documents of the whole index come after the files that they
 * name, and the list last: until then, the next publication finds in the old list what is still to be removed.
 */
export function copySite(out: string, to: string, digests: Digests): void {
  const before = readFolder(to);
  if (before.size === 0) {
    saveFile(join(to, digestsFile), '');
  }

  for (const path of [...digests.keys()].sort(compareByDepth)) {
    saveFile(join(to, path), readFileSync(join(out, path)));
    if (sha256(readFileSync(join(to, path))) !== digests.get(path)) {
      throw inputError(
        path,
        'differs after it was copied. Each file there is whole, the old or the new one. Publish again',
      );
    }
  }

  for (const path of before.keys()) {
    if (!digests.has(path)) {
      rmSync(join(to, path), { force: true });
    }
  }

  rmSync(join(to, 'statements'), { recursive: true, force: true });
  for (const path of listSigned(out)) {
    saveFile(join(to, path), readFileSync(join(out, path)));
  }
  rmSync(join(to, signatureFile), { force: true });
  for (const path of [digestsFile, signatureFile].filter((name) => existsSync(join(out, name)))) {
    saveFile(join(to, path), readFileSync(join(out, path)));
  }
}

function listSigned(out: string): string[] {
  const folder = join(out, 'statements');
  return existsSync(folder) ? readdirSync(folder).map((name) => `statements/${name}`) : [];
}

/** Deeper files first: the documents at the top name them. */
function compareByDepth(a: string, b: string): number {
  return b.split('/').length - a.split('/').length || (a < b ? -1 : 1);
}
