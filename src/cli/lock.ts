/** Lets only one run at a time write the data of a checkout. Node has no `flock`, so a run locks an SQLite database instead. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inputError } from '../core/errors.ts';
import { readSettings } from '../core/read-definitions.ts';

const lockFile = '.cache/lock';
/** SQLite's result code for a locked database: SQLITE_BUSY, sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Locks a checkout. Throws an `InputError` while another run holds the lock, even a run of another user or container. If a process is
 * killed, the system frees its lock. The empty lock file stays.
 */
export function lockCheckout(root: string): DatabaseSync {
  // Throws if the folder does not contain an index, so that nothing is written into a wrong folder.
  readSettings(root);
  let lock: DatabaseSync | undefined;
  try {
    mkdirSync(join(root, dirname(lockFile)), { recursive: true });
    lock = new DatabaseSync(join(root, lockFile));
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const { message, errcode } = error as Error & { errcode?: number };
    throw errcode === busy
      ? inputError('data', 'another run is writing it now, so nothing was changed. Try again later')
      : inputError(lockFile, `cannot be locked: ${message}. Nothing was asked or changed`);
  }
}
