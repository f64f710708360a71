/** One run at a time writes the data of a checkout, if it can. Node has no `flock`: the lock is one of SQLite's on a database. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { getSystemErrorMessage } from 'node:util';
import { inputError, type InputError } from '../core/errors.ts';
import { readSettings } from '../core/index/read-folder.ts';

/**
 * Throws an `InputError` while another run holds the lock of the same checkout, whatever its path, its user or its container, and where
 * `data/` cannot be written. The system frees the lock of a killed process. The file of the lock stays, empty.
 */
export function lockCheckout(root: string): DatabaseSync {
  // Throws where there is no index: nothing is written there.
  readSettings(root);
  const lock = takeLock(root);
  try {
    rejectUnwritable(root);
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

const lockFile = '.cache/lock';
/** SQLITE_BUSY: sqlite.org/rescode.html#busy */
const busy = 5;

function takeLock(root: string): DatabaseSync {
  makeFolder(root, '.cache');
  let lock: DatabaseSync | undefined;
  try {
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

/** As much as a run usually writes: a full disk may still take a few bytes. */
const probeBytes = 2 ** 20;

/** Before hours of requests, whose answers could not be recorded. */
function rejectUnwritable(root: string): void {
  makeFolder(root, 'data');
  const probe = join(root, `data/probe.${process.pid}.part`);
  try {
    writeFileSync(probe, Buffer.alloc(probeBytes));
  } catch (error) {
    throw createWriteError('data', error);
  } finally {
    rmSync(probe, { force: true });
  }
}

function makeFolder(root: string, name: string): void {
  try {
    mkdirSync(join(root, name), { recursive: true });
  } catch (error) {
    throw createWriteError(name, error);
  }
}

function createWriteError(subject: string, error: unknown): InputError {
  const { errno = 0 } = error as NodeJS.ErrnoException;
  const reason = getSystemErrorMessage(errno);
  return inputError(subject, `cannot be written: ${reason}. Nothing was asked or changed`);
}
