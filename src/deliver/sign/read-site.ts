import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readRegularFile } from '../../io/files/entry.ts';
import { fileRefusal } from '../../io/files/file-refusal.ts';
import { VerificationError, takeAgain } from './verification-error.ts';

/** A site that is to be verified: nothing of it is believed. */
export interface SiteReader {
  /** The bytes of a file; undefined where there is none. Throws a VerificationError where it cannot be read. */
  read(path: string): Promise<Buffer | undefined>;
  /** All files that are there; absent where nobody can know. */
  list?(): string[];
}

/** In bytes; no host takes half of it. */
export const largestFile = 64 * 2 ** 20;

export function folderReader(folder: string): SiteReader {
  return {
    read: (path) => Promise.resolve().then(() => readFrom(folder, path)),
    list: () => listFiles(folder),
  };
}

function readFrom(folder: string, path: string): Buffer | undefined {
  try {
    const file = join(folder, path);
    if (statSync(file).size > largestFile)
      throw new VerificationError(path, 'is larger than any file of a site', takeAgain);
    return readRegularFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const reason = fileRefusal(error);
    if (reason === undefined) throw error;
    throw new VerificationError(path, `cannot be read: ${reason}`, 'Nothing is known of it');
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

/** A file without which nothing can be said. */
export async function readNeeded(site: SiteReader, path: string, remedy = takeAgain): Promise<Buffer> {
  const bytes = await site.read(path);
  if (!bytes) throw new VerificationError(path, 'is missing', remedy);
  return bytes;
}
