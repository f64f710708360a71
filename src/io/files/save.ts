import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  lstatSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  isAbsent,
  listNames,
  makeFolder,
  nameInErrors,
  readIfThere,
  writeFile,
} from './file-system.ts';
import type { Lines } from './read-documents.ts';
import { openCacheFolder, type Root } from './root.ts';

/** The stored form of documents: JSON, indented by two spaces, with a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The hidden name of a file that is still being written. No other file has this form. */
const temporaryFile = /^\..+\.saving-\d+$/;

/** Replaces a whole file if its content changes. Returns whether it did. */
export function saveIfChanged(path: string, content: string | Buffer): boolean {
  if (readIfThere(path)?.equals(Buffer.from(content))) {
    return false;
  }

  return replaceFiles([{ path, content }]);
}

interface NewFile {
  path: string;
  content: string | Buffer;
  /** Unchanged if absent. */
  mode?: number | undefined;
}

/** A file to replace, with its content at the time the new content was made. */
interface FileReplacement extends NewFile {
  before: Buffer | undefined;
}

/**
 * Replaces files that belong together. If any has changed since it was read, replaces none and returns false. A lock does not
 * suffice: it expires while its holder is suspended.
 */
export function saveUnlessMoved(files: readonly FileReplacement[]): boolean {
  const changes = files.filter(({ before, content }) => !before?.equals(Buffer.from(content)));
  return replaceFiles(changes, () =>
    files.every(({ path, before }) => isDeepStrictEqual(readIfThere(path), before)),
  );
}

/** Appends values as lines. Throws if another program wrote the file meanwhile, which can happen after a lost lock. */
export function appendLines(
  path: string,
  { text, bytes }: Lines<unknown>,
  values: readonly unknown[],
): void {
  const content = `${text}${values.map((value) => `${JSON.stringify(value)}\n`).join('')}`;
  if (!saveUnlessMoved([{ path, before: bytes, content }])) {
    throw new Error(`${basename(path)} was written by another run meanwhile. Run it again`);
  }
}

/**
 * Flushes new contents to temporary files and renames them, so readers always see the old or the new file. Replaces none, and
 * returns false, if `mayReplace` then forbids it.
 */
function replaceFiles(files: readonly NewFile[], mayReplace = () => true): boolean {
  const replacements = files.map(prepareReplacement);
  try {
    for (const { target, temporary, content, mode } of replacements) {
      nameInErrors(target, () => writeFlushed(temporary, content, mode));
    }

    if (!mayReplace()) {
      return false;
    }

    for (const { target, temporary } of replacements) {
      nameInErrors(target, () => renameSync(temporary, target));
    }

    return true;
  } finally {
    // None is left after all were renamed.
    for (const { temporary } of replacements) {
      rmSync(temporary, { force: true });
    }
  }
}

/** The file behind a path, and a temporary file in its folder, which is made if absent. */
function prepareReplacement({ path, content, mode }: NewFile) {
  makeFolder(dirname(path));

  const target = isAbsent(path) ? path : realpathSync(path);
  return {
    target,
    temporary: join(dirname(target), `.${basename(target)}.saving-${process.pid}`),
    content,
    mode: mode ?? statSync(target, { throwIfNoEntry: false })?.mode,
  };
}

/** Removes temporary files that a killed run left in a folder. Call it only while holding the folder's lock. */
export function removeLeftovers(folder: string): void {
  for (const name of listLeftovers(folder)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

export function listLeftovers(folder: string): string[] {
  return listNames(folder, temporaryFile);
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

/** A save takes milliseconds. An older lock belongs to a run that was killed or is suspended. */
const STALE_MS = 3_000;

/**
 * Waits for other runs that save the same files. The lock is released at the end of its scope. Of two runs that see a stale lock,
 * the slower may remove that of the faster. Whoever loses it loses no data: `saveUnlessMoved` replaces no file that has changed
 * meanwhile.
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

  return { [Symbol.dispose]: () => release(path, owner) };
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

/** Another run may have taken over a stale lock. File systems reuse inodes, so only the content tells whose it is. */
function release(path: string, owner: string): void {
  if (readIfThere(path)?.toString() === owner) {
    rmSync(path, { force: true });
  }
}
