import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { writeFileSync, type Dirent, type WriteFileOptions } from 'node:fs';
import { dirname, join } from 'node:path';
import { getSystemErrorMessage } from 'node:util';

/**
 * Whether no entry has this name. An unreachable entry (a broken link, a folder without permission) is not absent: reading it
 * fails, and the error gives the reason.
 */
export function isAbsent(path: string): boolean {
  try {
    return !lstatSync(path, { throwIfNoEntry: false }) && linkToNowhere(path) === undefined;
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

/** All entries below a folder but folders. Follows no link, as Node's `recursive` option does. */
export function* entriesBelow(folder: string): Generator<Dirent> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      yield* entriesBelow(join(folder, entry.name));
    } else {
      yield entry;
    }
  }
}

/** Creates parents, too. Node's `recursive` option never returns in system folders that accept no entries, such as /proc. */
export function makeFolder(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) {
    return;
  }
  if (dirname(path) !== path) {
    makeFolder(dirname(path));
  }

  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!isThere()) {
      throw error;
    }
  }
}

/** Adds the path to errors: Node reports a full disk without it. */
export function writeFile(
  path: string,
  content: string | Uint8Array,
  options?: WriteFileOptions,
): void {
  try {
    writeFileSync(path, content, options);
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  }
}

/** Explains a file system error; undefined for every other error. */
export function fileErrorReason(error: unknown): string | undefined {
  const { code, errno, path } = error as NodeJS.ErrnoException;
  const broken =
    path !== undefined && (code === 'ENOENT' || code === 'EEXIST') && linkToNowhere(path);
  if (broken) {
    const subject = broken.link === path ? 'it' : broken.link;
    return `${subject} is a link to ${broken.target}, which does not exist`;
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
  const reason = fileErrorReason(error);
  const { path, message } = error as NodeJS.ErrnoException;
  return reason && `${path ?? message}: ${reason}`;
}

/** The broken link in a path, and its target. */
function linkToNowhere(path: string): { link: string; target: string } | undefined {
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
