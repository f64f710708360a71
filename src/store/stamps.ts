import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { sha256 } from './sha256.ts';

/** What is remembered of a file, so that a later run knows its content without reading it. */
export interface Stamp {
  readonly sha256: string;
  /** What the system said of the file; absent where a later change could look the same. */
  readonly stat?: string;
}

/** Stamps by name or path. */
export type Stamps = Readonly<Record<string, Stamp>>;

export interface StampedFile {
  stamp: Stamp;
  stats: Stats;
  /** Of a file that had to be read. */
  bytes?: Uint8Array;
}

/** The clocks of file systems are as coarse as two seconds (FAT): of two changes that close, the second may not show. */
const settledAfterMs = 2000;

/** Undefined where there is no such file. Reads it only where what is known of it does not hold any more. */
export function stampFile(path: string, known: Stamp | undefined): StampedFile | undefined {
  const stats = known?.stat === undefined ? undefined : lookUp(path);
  if (stats && known?.stat === describeStats(stats)) return { stamp: known, stats };
  const file = readWithStats(path);
  return file && { ...file, stamp: toStamp(sha256(file.bytes), file.stats) };
}

/** Neither follows a link nor waits for who writes into a pipe. Windows has no such flags, and no such files. */
const plainFilesOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Undefined where there is nothing, or something that is no file. */
function readWithStats(path: string): { stats: Stats; bytes: Uint8Array } | undefined {
  let file: number;
  try {
    file = openSync(path, plainFilesOnly);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'].includes((error as NodeJS.ErrnoException).code!))
      return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    return stats.isFile() ? { stats, bytes: readFileSync(file) } : undefined;
  } finally {
    closeSync(file);
  }
}

/** The stamp of a file whose content is known, as the system describes it now. */
export function toStamp(digest: string, stats: Stats): Stamp {
  return { sha256: digest, ...(isSettled(stats) && { stat: describeStats(stats) }) };
}

/** Whether a file is old enough for a later change to show. */
export function isSettled({ mtimeMs }: Stats): boolean {
  return mtimeMs < Date.now() - settledAfterMs;
}

/** Undefined where there is nothing, or something that is no file. A link is not followed: it may lead elsewhere tomorrow. */
export function lookUp(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats : undefined;
}

/** Whether a file still is the one it was, whatever its name is now. */
export function isSameFile(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** No change leaves all of this as it was: a program can set back `mtime`, but not `ctime`. */
function describeStats({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
}
