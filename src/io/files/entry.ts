import { lstatSync, mkdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Whether there is nothing of this name. What is there and cannot be reached (a link to nowhere, a folder without
 * permission) is not absent: reading it fails, and the error says why.
 */
export function isAbsent(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && linkToNowhere(path) === undefined;
  }
}

/** The part of a path that is a link to something that does not exist, and where it leads. */
export function linkToNowhere(path: string): { link: string; target: string } | undefined {
  for (let part = path; ; part = dirname(part)) {
    if (statSync(part, { throwIfNoEntry: false })) return undefined;
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink())
      return { link: part, target: readlinkSync(part) };
    if (part === dirname(part)) return undefined;
  }
}

/** The bytes of a regular file. Reading a pipe or a device may never end, so that they are refused. */
export function readRegularFile(path: string): Buffer {
  const found = statSync(path);
  if (found.isFile() || found.isDirectory()) return readFileSync(path);
  throw Object.assign(new Error(`${path} is no regular file`), { code: 'ENOTREG', path });
}

/** With the folders above it. Node's own recursive form never returns where a system folder takes no entries, such as /proc. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another run may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
