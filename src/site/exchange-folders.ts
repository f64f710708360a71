import { existsSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Koffi from 'koffi';

const AT_FDCWD = process.platform === 'darwin' ? -2 : -100;
const RENAME_EXCHANGE = 2;

/**
 * Puts `next` in the place of `current` and leaves what was there under the name of `next`. Where the system can exchange
 * two names (Linux renameat2(2), macOS renameatx_np(2)), readers see one step; elsewhere it takes several renames, and
 * `recoverFolder` repairs a run that was stopped between them.
 */
export function exchangeFolders(next: string, current: string): void {
  if (!existsSync(current)) {
    renameSync(next, current);
    return;
  }
  if (exchangeNames(next, current)) return;
  const aside = `${next}.aside`;
  renameSync(current, aside);
  renameSync(next, current);
  renameSync(aside, next);
}

function exchangeNames(a: string, b: string): boolean {
  const signature = { linux: 'renameat2', darwin: 'renameatx_np' }[process.platform as string];
  if (signature === undefined) return false;
  try {
    const koffi = createRequire(import.meta.url)('koffi') as typeof Koffi;
    const rename = koffi.load(null).func(`int ${signature}(int, str, int, str, unsigned int)`);
    return rename(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) === 0;
  } catch {
    // No binary of the library for this platform, or a C library without the call.
    return false;
  }
}
