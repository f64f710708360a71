import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inputError } from '../core/errors.ts';

/**
 * Throws an `InputError` while another run holds the lock of the same checkout, whatever its path. The system frees the lock of a
 * killed process, also where numbers of processes repeat. The file of the lock stays, empty.
 */
export function lockCheckout(root: string): DatabaseSync {
  const folder = statSync(root, { bigint: true, throwIfNoEntry: false });
  const name = `release-index-${process.getuid?.()}-${folder?.dev}-${folder?.ino}`;
  const lock = new DatabaseSync(join(tmpdir(), name));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as Error).message !== 'database is locked') {
      throw error;
    }
    const message =
      'another start, gather or daily writes it at the moment, so nothing was changed';
    throw inputError(join(root, 'data'), message);
  }
  return lock;
}
