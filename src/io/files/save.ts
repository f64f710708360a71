import {
  closeSync,
  fchmodSync,
  fsyncSync,
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
import { isAbsent, makeFolder } from './file-system.ts';

/** The stored form of documents: JSON, indented by two spaces, with a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The hidden name of a file that is still being written. No other file has this form. */
const temporaryFile = /^\..+\.saving-\d+$/;

/**
 * Replaces a whole file if its content changes, by flushing and renaming a temporary file: readers always see the old or the
 * new file. Returns whether the content changed. `mode`: unchanged if absent.
 */
export function saveIfChanged(path: string, content: string | Buffer, mode?: number): boolean {
  if (readIfThere(path)?.equals(Buffer.from(content))) {
    return false;
  }

  switchTo(stage(path, content, mode));
  return true;
}

/** A file to replace, with its content at the time the new content was made. */
interface FileReplacement {
  path: string;
  before: Buffer | undefined;
  content: string;
}

/**
 * Replaces files that belong together. If any has changed since it was read, replaces none and returns false. A lock does not
 * suffice: it expires while its holder is suspended.
 */
export function saveUnlessMoved(files: readonly FileReplacement[]): boolean {
  const isAsRead = ({ path, before }: FileReplacement) => isEqual(readIfThere(path), before);
  const changed = files.filter(({ before, content }) => !isEqual(before, Buffer.from(content)));
  const staged: Staged[] = [];

  try {
    for (const { path, content } of changed) {
      staged.push(stage(path, content));
    }

    if (!files.every(isAsRead)) {
      return false;
    }

    for (let next = staged.shift(); next; next = staged.shift()) {
      switchTo(next);
    }

    return true;
  } finally {
    for (const { temporary } of staged) {
      rmSync(temporary, { force: true });
    }
  }
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }

    throw error;
  }
}

function isEqual(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}

interface Staged {
  target: string;
  temporary: string;
}

/** Writes the new content to a temporary file in the same folder. */
function stage(path: string, content: string | Buffer, mode?: number): Staged {
  makeFolder(dirname(path));

  const target = isAbsent(path) ? path : realpathSync(path);
  const staged = {
    target,
    temporary: join(dirname(target), `.${basename(target)}.saving-${process.pid}`),
  };

  orCleanUp(staged, () =>
    writeFlushed(
      staged.temporary,
      content,
      mode ?? statSync(target, { throwIfNoEntry: false })?.mode,
    ),
  );

  return staged;
}

function switchTo(staged: Staged): void {
  orCleanUp(staged, () => renameSync(staged.temporary, staged.target));
}

function orCleanUp({ target, temporary }: Staged, action: () => void): void {
  try {
    action();
  } catch (error) {
    rmSync(temporary, { force: true });
    // A failed write names no file or the temporary file, which means nothing to a person.
    throw Object.assign(error as NodeJS.ErrnoException, { path: target });
  }
}

/** Removes temporary files that a killed run left in a folder. Call it only while holding the folder's lock. */
export function removeLeftovers(folder: string): void {
  for (const name of leftovers(folder)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

export function leftovers(folder: string): string[] {
  return isAbsent(folder) ? [] : readdirSync(folder).filter((name) => temporaryFile.test(name));
}

// Not write-file-atomic: it does not check how much was written, and renames a file that a full disk cut short.
function writeFlushed(path: string, content: string | Buffer, mode: number | undefined): void {
  const file = openSync(path, 'w', mode);
  try {
    writeFileSync(file, content);

    if (mode !== undefined) {
      fchmodSync(file, mode);
    }

    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
