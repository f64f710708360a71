import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a piece is: its number in the file, or the piece itself where the disk did not take it. */
export type Place = number | Buffer;

/**
 * Bytes put aside for the rest of a run in one file on the disk, so that memory holds no more of them than their place.
 * They need not outlive the run: the file loses its name as soon as it is open, so that a run that is killed leaves
 * nothing, and what upstream sent can be read by nobody else.
 */
export interface Spill {
  /** Never rejects: what a full or read-only disk does not take stays in memory. */
  put(bytes: Buffer): Promise<Place>;
  /** The bytes that were put there. Rejects where the disk does not give them back. */
  read(place: Place): Promise<Buffer>;
  /** From then on, what is in the file cannot be read any more, and what is put stays in memory. */
  close(): Promise<void>;
}

/** The names of files that a run which was killed may leave where a file that is open cannot lose its name. */
export const spillName = /^put-aside-[\da-f-]{36}$/;

/** Opens the file in `folder` once there is something to put there; without a folder everything stays in memory. */
export function createSpill(folder: string | undefined): Spill {
  let opening: Promise<SpillFile> | undefined;
  let isUsable = folder !== undefined;
  // Of the pieces in the file, in bytes: one number for each is all that memory holds of a million of them.
  const ends = [0];

  return {
    async put(bytes) {
      if (!isUsable) return bytes;
      try {
        opening ??= openFile(folder!);
        const { handle } = await opening;
        const start = ends.at(-1)!;
        const place = ends.push(start + bytes.length) - 2;
        await writeAll(handle, bytes, start);
        return place;
      } catch {
        // A disk that is full now is not asked again for each of the thousands of documents to come.
        isUsable = false;
        return bytes;
      }
    },
    async read(place) {
      if (Buffer.isBuffer(place)) return place;
      const { handle } = await opening!;
      return readAll(handle, ends[place]!, ends[place + 1]!);
    },
    async close() {
      isUsable = false;
      const file = await opening?.catch(() => undefined);
      await file?.handle.close();
      if (file?.name !== undefined) await rm(file.name, { force: true }).catch(() => undefined);
    },
  };
}

interface SpillFile {
  handle: FileHandle;
  /** where the system did not let go of it */
  name?: string;
}

async function openFile(folder: string): Promise<SpillFile> {
  const name = join(folder, `put-aside-${randomUUID()}`);
  const handle = await open(name, 'wx+', 0o600);
  return rm(name).then(
    () => ({ handle }),
    () => ({ handle, name }),
  );
}

async function writeAll(handle: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
  }
}

async function readAll(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(end - start);
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
    if (bytesRead === 0)
      throw new Error('the file with what was put aside is shorter than what was put there');
    done += bytesRead;
  }
  return bytes;
}
