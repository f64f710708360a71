import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere, writeFile } from './file-system.ts';
import { openCacheFolder, type Root } from './root.ts';

/** A save takes milliseconds. An older lock belongs to a run that was killed or is suspended. */
const STALE_MS = 3_000;

/**
 * Waits for other runs that save the same files. The lock is released at the end of its scope. A lost lock of data does no harm:
 * saving never replaces a file that has changed meanwhile. The list of keys is saved within milliseconds.
 */
export async function lock(root: Root, name: 'data' | 'access-keys'): Promise<Disposable> {
  const path = join(openCacheFolder(root), `${name}.lock`);
  const owner = randomUUID();

  while (!tryCreate(path, owner)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > STALE_MS) {
      rmSync(path, { recursive: true, force: true });
    } else {
      await sleep(5 + Math.random() * 25);
    }
  }

  return { [Symbol.dispose]: () => release(path, owner) };
}

/** False if the file exists already. */
function tryCreate(path: string, owner: string): boolean {
  try {
    writeFile(path, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }

    // On a full disk, the file is made and stays empty: other runs would wait for it.
    rmSync(path, { force: true });
    throw error;
  }
}

/** Another run may have taken over a stale lock. File systems reuse inodes, so only the content tells whose it is. */
function release(path: string, owner: string): void {
  if (readIfThere(path)?.toString() === owner) {
    rmSync(path, { force: true });
  }
}
