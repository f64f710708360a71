import { hash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Dirent,
  type WriteFileOptions,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/**
 * Whether no entry has this name. An unreachable entry (a broken link, a folder without permission) is not absent: reading it
 * fails, and the error gives the reason.
 */
export function isAbsent(path: string): boolean {
  try {
    return !lstatSync(path, { throwIfNoEntry: false }) && findBrokenLink(path) === undefined;
  } catch {
    return false;
  }
}

const notRegular = 'ENOTREG';

/** The bytes of a regular file. Reading a pipe or a device may never end, so it is rejected. */
export function readRegularFile(path: string): Buffer {
  const stats = statSync(path);
  if (stats.isFile()) {
    return readFileSync(path);
  }

  throw Object.assign(new Error(`${path} is not a regular file`), { code: notRegular, path });
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

/** The names of a form in a folder; none if there is no folder. */
export function listNames(folder: string, form: RegExp): string[] {
  return isAbsent(folder) ? [] : readdirSync(folder).filter((name) => form.test(name));
}

/** All entries below a folder, without folders. Follows no link, as Node's `recursive` option does. */
export function* listEntriesBelow(folder: string): Generator<Dirent> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      yield* listEntriesBelow(join(folder, entry.name));
    } else {
      yield entry;
    }
  }
}

/** Creates parents, too. Node's `recursive` option never returns in system folders that accept no entries, such as /proc. */
export function makeFolder(path: string): void {
  if (isFolder(path)) {
    return;
  }
  if (dirname(path) !== path) {
    makeFolder(dirname(path));
  }

  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!isFolder(path)) {
      throw error;
    }
  }
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function writeFile(
  path: string,
  content: string | Uint8Array,
  options?: WriteFileOptions,
): void {
  nameInErrors(path, () => writeFileSync(path, content, options));
}

/** Node reports a full disk without the path, and names a temporary file, which means nothing to a person. */
function nameInErrors(path: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Explains a file system error; undefined for every other error. */
export function explainFileError(error: unknown): string | undefined {
  const { code, errno, path } = error as NodeJS.ErrnoException;
  const brokenLink =
    path !== undefined && (code === 'ENOENT' || code === 'EEXIST') && findBrokenLink(path);
  if (brokenLink) {
    const { link, target } = brokenLink;
    return `${link === path ? 'it' : link} is a link to ${target}, which does not exist`;
  }
  if (code === notRegular) {
    return 'it is a folder, a device, a pipe or a socket, not a regular file';
  }

  // Network errors have a number but no path. Neither have these three.
  const isOfFiles = path !== undefined || ['ENOSPC', 'EROFS', 'EISDIR'].includes(code ?? '');
  return errno !== undefined && isOfFiles ? getSystemErrorMessage(errno) : undefined;
}

/** The path and the reason of a file system error; undefined for every other error. */
export function describeFileError(error: unknown): string | undefined {
  const reason = explainFileError(error);
  const { path, message } = error as NodeJS.ErrnoException;
  return reason && `${path ?? message}: ${reason}`;
}

/** The broken link in a path, and its target. */
function findBrokenLink(path: string): { link: string; target: string } | undefined {
  for (let part = path; ; part = dirname(part)) {
    if (statSync(part, { throwIfNoEntry: false })) {
      return undefined;
    }
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return { link: part, target: readlinkSync(part) };
    }
    if (part === dirname(part)) {
      return undefined;
    }
  }
}

/** The digest in hexadecimal. */
export function sha256(body: string | Uint8Array): string {
  return hash('sha256', body, 'hex');
}

/** The stored form of documents: JSON, indented by two spaces, with a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The hidden name of a file that is still being written. No other file has this form. */
const temporaryFile = /^\..+\.saving-\d+$/;

/** Replaces a whole file if its content changes. Returns whether it did. `mode`: unchanged if absent. */
export function saveIfChanged(path: string, content: string | Buffer, mode?: number): boolean {
  if (readIfThere(path)?.equals(Buffer.from(content))) {
    return false;
  }

  return replaceFiles([{ path, content, mode }]);
}

interface NewFile {
  path: string;
  content: string | Buffer;
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
  const changes = files.filter(({ before, content }) => !isEqual(before, Buffer.from(content)));
  return replaceFiles(changes, () =>
    files.every(({ path, before }) => isEqual(readIfThere(path), before)),
  );
}

function isEqual(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a && b ? a.equals(b) : a === b;
}

/**
 * Flushes new contents to temporary files and renames them, so readers always see the old or the new file. Replaces none, and
 * returns false, if `mayReplace` then forbids it.
 */
function replaceFiles(files: readonly NewFile[], mayReplace = () => true): boolean {
  const stagedFiles = files.map(locateStaged);
  try {
    for (const { target, temporary, content, mode } of stagedFiles) {
      nameInErrors(target, () => writeFlushed(temporary, content, mode));
    }

    if (!mayReplace()) {
      return false;
    }

    for (const { target, temporary } of stagedFiles) {
      nameInErrors(target, () => renameSync(temporary, target));
    }

    return true;
  } finally {
    // None is left after all were renamed.
    for (const { temporary } of stagedFiles) {
      rmSync(temporary, { force: true });
    }
  }
}

/** The file behind a path, and a temporary file in its folder, which is made if absent. */
function locateStaged({ path, content, mode }: NewFile) {
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
