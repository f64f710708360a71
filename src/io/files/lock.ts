import { closeSync, fstatSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder, type Root } from './root.ts';

/** A save takes milliseconds. An older lock belongs to a run that was killed or is suspended. */
const STALE_MS = 3_000;

/**
 * Waits for other runs that save the same files. The lock is released at the end of its scope. A lost lock of data does no harm:
 * saving never replaces a file that has changed meanwhile. The list of keys is saved within milliseconds.
 */
export async function lock(root: Root, name: 'data' | 'access-keys'): Promise<Disposable> {
  const path = join(cacheFolder(root), `${name}.lock`);
  for (;;) {
    const inode = tryCreate(path);
    if (inode !== undefined) {
      return { [Symbol.dispose]: () => release(path, inode) };
    }

    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > STALE_MS) {
      rmSync(path, { recursive: true, force: true });
    } else {
      await sleep(5 + Math.random() * 25);
    }
  }
}

/** The inode of the new file; undefined if the file exists already. */
function tryCreate(path: string): number | undefined {
  try {
    const file = openSync(path, 'wx');
    const { ino } = fstatSync(file);
    closeSync(file);
    return ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return undefined;
    }

    throw error;
  }
}

/** Another run may have taken over a stale lock. */
function release(path: string, inode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.ino === inode) {
    rmSync(path, { force: true });
  }
}
