/** One run at a time writes the data of a checkout. Node has no `flock`: the lock is one of SQLite's on a database. */
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inputError } from '../core/errors.ts';
import { readSettings } from '../core/index/read-folder.ts';

const lockFile = '.cache/lock';
/** SQLITE_BUSY: sqlite.org/rescode.html#busy */
const busy = 5;

/**
 * Throws an `InputError` while another run holds the lock of the same checkout, whatever its path, its user or its container. The system
 * frees the lock of a killed process. The file of the lock stays, empty.
 */
export function lockCheckout(root: string): DatabaseSync {
  // Throws where there is no index: nothing is written there.
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
      ? inputError('data', 'another run writes it at the moment, so nothing was changed')
      : inputError(lockFile, `cannot be locked: ${message}. Nothing was asked or changed`);
  }
}
