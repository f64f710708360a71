import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A document as it is kept: two spaces, a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** What a file is called until it is whole: hidden, and of a form that no other file has. */
const temporaryFile = /^\..+\.saving-\d+$/;

/**
 * Replaces a file whole, and only if its content changes: at every instant it is the old one or the new one
 * (temporary file beside it, flushed, then renamed). Returns whether it changed.
 */
export function saveIfChanged(path: string, content: string | Buffer): boolean {
  if (readIfThere(path)?.equals(Buffer.from(content))) return false;
  mkdirSync(dirname(path), { recursive: true });
  const target = existsSync(path) ? realpathSync(path) : path;
  const temporary = join(dirname(target), `.${basename(target)}.saving-${process.pid}`);
  try {
    writeFlushed(temporary, content, modeOf(target));
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    // What a person knows is the file, and a failed write names none.
    throw Object.assign(error as NodeJS.ErrnoException, { path: target });
  }
  return true;
}

/** Removes what a run that was killed while it saved has left in a folder. Only for who holds the lock of the folder. */
export function removeLeftovers(folder: string): void {
  for (const name of leftovers(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

export function leftovers(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => temporaryFile.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function writeFlushed(path: string, content: string | Buffer, mode: number | undefined): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, content);
    if (mode !== undefined) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
