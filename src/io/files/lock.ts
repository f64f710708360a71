import { randomUUID } from 'node:crypto';
import { lstatSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inputError } from '../../core/schemas/finding.ts';
import { readIfThere, writeFile } from './file-system.ts';
import { openCacheFolder, type Root } from './root.ts';

/** Most saves take milliseconds. An older lock is probably of a run that was killed or is suspended. */
const STALE_MS = 3_000;

/** A lock on files, released at the end of its scope. */
export interface Lock extends Disposable {
  /** Keeps the lock during long work. Throws an InputError if another run has taken it over. */
  renew(): void;
}

/**
 * Waits for other runs that save the same files. A slow or suspended run may lose the lock, and of two runs that see a stale lock,
 * the slower may remove the lock of the faster. So a save that depends on what it read also checks the files: see
 * `saveUnlessChanged`.
 */
export async function lock(root: Root, name: 'data' | 'access-keys'): Promise<Lock> {
  const path = join(openCacheFolder(root), `${name}.lock`);
  const owner = randomUUID();

  while (!tryCreate(path, owner)) {
    if (isStale(path)) {
      rmSync(path, { recursive: true, force: true });
    } else {
      await sleep(5 + Math.random() * 25);
    }
  }

  // Another run may have taken over a stale lock. File systems reuse inodes, so only the content tells whose it is.
  const isHeld = () => readIfThere(path)?.toString() === owner;
  return {
    renew() {
      if (!isHeld()) {
        throw inputError(
          name,
          'the run was suspended, and another has taken over its lock. Run it again',
        );
      }

      const now = new Date();
      utimesSync(path, now, now);
    },
    [Symbol.dispose]() {
      if (isHeld()) {
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
