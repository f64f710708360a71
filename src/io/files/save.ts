import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { inputError } from '../../core/schemas/finding.ts';
import { isAbsent, listNames, makeFolder, nameInErrors, readIfThere } from './file-system.ts';
import type { Lines } from './read-lines.ts';

/** The stored form of documents: JSON, indented by two spaces, with a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

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

interface FileReplacement extends Omit<NewFile, 'content'> {
  /** The content from which the new content was made; undefined if there was no file. */
  before: Buffer | undefined;
  /** Undefined for a file that stays as it is. */
  content: NewFile['content'] | undefined;
}

/**
 * Replaces files that belong together. If any has changed since it was read, replaces none and returns false. A lock does not
 * suffice: it expires while its holder is suspended.
 */
export function saveUnlessChanged(files: readonly FileReplacement[]): boolean {
  const changes: NewFile[] = [];
  for (const { path, before, content, mode } of files) {
    if (content !== undefined && !before?.equals(Buffer.from(content))) {
      changes.push({ path, content, mode });
    }
  }

  return replaceFiles(changes, files);
}

/** Appends values as lines. Throws an InputError if another run wrote the file meanwhile, which can happen after a lost lock. */
export function appendLines(
  path: string,
  { text, bytes }: Lines<unknown>,
  values: readonly unknown[],
): void {
  const content = `${text}${values.map((value) => `${JSON.stringify(value)}\n`).join('')}`;
  if (!saveUnlessChanged([{ path, before: bytes, content }])) {
    const message = 'another run wrote the file meanwhile. Nothing was appended. Run it again';
    throw inputError(path, message);
  }
}

/**
 * Flushes new contents to temporary files and renames them, so readers always see the old or the new file. Replaces none, and
 * returns false, if one of `expected` has another content than before.
 */
function replaceFiles(
  files: readonly NewFile[],
  expected: readonly FileReplacement[] = [],
): boolean {
  const replacements = files.map(prepareReplacement);
  try {
    for (const { target, temporary, content, mode } of replacements) {
      nameInErrors(target, () => writeFlushed(temporary, content, mode));
    }

    if (!expected.every(({ path, before }) => isDeepStrictEqual(readIfThere(path), before))) {
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

/** The file behind a path, and a temporary file beside it. Makes the folder. */
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

/** Not write-file-atomic, which does not check how much was written, and renames a file that a full disk cut short. */
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

/** No run takes as long to save a file: an older temporary file is of a run that was killed. */
export const maxSavingMs = 60_000;

/**
 * Removes temporary files that killed runs left in a folder. Without the lock for data, another run may be writing there: `minAgeMs`
 * leaves it its files.
 */
export function removeLeftovers(folder: string, minAgeMs = 0): void {
  // No other file has a name of this form.
  for (const name of listNames(folder, /^\..+\.saving-\d+$/)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && (minAgeMs === 0 || Date.now() - stats.mtimeMs > minAgeMs)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}
