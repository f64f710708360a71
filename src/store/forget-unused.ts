import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const unusedAfterMs = 30 * 24 * 3_600_000;

/** Removes the files of a folder that nobody has written for a month. */
export function forgetUnused(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && mtimeMs < Date.now() - unusedAfterMs) rmSync(path, { force: true });
  }
}
