import { hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  type Dirent,
  type WriteFileOptions,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
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
    return nameInErrors(path, () => readFileSync(path));
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

/** All entries below a folder, without folders. Unlike Node's `recursive` option, it follows no link. */
export function* listEntriesBelow(folder: string): Generator<Dirent> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      yield* listEntriesBelow(join(folder, entry.name));
    } else {
      yield entry;
    }
  }
}

/** A path from a folder, with slashes on every system. */
export function describePath(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}

/** The path without links, also of a folder that does not exist yet. */
export function resolveLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(resolveLinks(dirname(path)), basename(path));
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

/** An empty folder for temporary files. Disposing removes it with its content. */
export function makeTemporaryFolder(parent = tmpdir()) {
  const path = mkdtempSync(join(parent, 'release-index-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
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

/**
 * Names the file of a person in errors: Node reports a full disk, and a folder to read, without a path, and a temporary file by its
 * own.
 */
export function nameInErrors<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Explains a file system error; undefined for every other error. */
export function explainFileError(error: unknown): string | undefined {
  // Other errors lack these keys.
  const { code, errno, path, message } = error as NodeJS.ErrnoException;
  const mayBeLink = path !== undefined && (code === 'ENOENT' || code === 'EEXIST');
  const brokenLink = mayBeLink ? findBrokenLink(path) : undefined;
  if (brokenLink) {
    const { link, target } = brokenLink;
    return `${link === path ? 'it' : link} is a link to ${target}, which does not exist`;
  }
  if (code === notRegular) {
    return 'it is a folder, a device, a pipe or a socket, not a regular file';
  }

  if (code === '') {
    // Node removes files by other means, and states only the text of an error that it does not know.
    return message;
  }

  // An error of the network has a number, too, but no path. These three errors of files have none either.
  const isOfFiles = path !== undefined || ['ENOSPC', 'EROFS', 'EISDIR'].includes(code ?? '');
  // Node's own errors, such as that of a folder to remove, have the number without its sign.
  return errno !== undefined && isOfFiles ? getSystemErrorMessage(-Math.abs(errno)) : undefined;
}

/** Explains a file system error, and throws every other error again. */
export function expectFileError(error: unknown): string {
  const reason = explainFileError(error);
  if (reason === undefined) {
    throw error;
  }

  return reason;
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
