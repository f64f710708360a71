import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readIfThere, writeFile } from './file-system.ts';
import { openCacheFolder, type Root } from './root.ts';

/** Most saves take milliseconds. An older lock is probably of a run that was killed or is suspended. */
const STALE_MS = 3_000;

/**
 * Waits for other runs that save the same files. The lock is released at the end of its scope. A slow or suspended run may lose it,
 * and of two runs that see a stale lock, the slower may remove the lock of the faster. So a save that depends on what it read
 * also checks the files: see `saveUnlessChanged`.
 */
export async function lock(root: Root, name: 'data' | 'access-keys'): Promise<Disposable> {
  const path = join(openCacheFolder(root), `${name}.lock`);
  const owner = randomUUID();

  while (!tryCreate(path, owner)) {
    if (isStale(path)) {
      rmSync(path, { recursive: true, force: true });
    } else {
      await sleep(5 + Math.random() * 25);
    }
  }

  return {
    [Symbol.dispose]() {
      // Another run may have taken over a stale lock. File systems reuse inodes, so only the content tells whose it is.
      if (readIfThere(path)?.toString() === owner) {
        rmSync(path, { force: true });
      }
    },
  };
}

function isStale(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // A clock that was set back leaves locks of the future.
  return stats !== undefined && Math.abs(Date.now() - stats.mtimeMs) > STALE_MS;
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
