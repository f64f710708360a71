import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { CodeCache } from '../render/site-context.ts';
import { forgetUnused } from './forget-unused.ts';
import { sha256 } from './sha256.ts';

/**
 * Beside the compiled code that Node keeps of this program, and thus only for the same user and the same Node; undefined
 * where Node keeps none.
 */
export function ownCodeCache(): CodeCache | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : openCodeCache(join(folder, 'generated'));
}

/** Can be deleted at any time, also in parts, and used by several runs at once. */
export function openCodeCache(folder: string): CodeCache {
  const pathOf = (madeFrom: string) => join(folder, `${sha256(madeFrom)}.cjs`);
  return {
    recall(madeFrom) {
      const path = pathOf(madeFrom);
      try {
        const text = readFileSync(path, 'utf8');
        const code = text.slice(text.indexOf('\n') + 1);
        // Required rather than evaluated, so that Node keeps its compiled form too.
        return text === sealed(path, code) ? createRequire(import.meta.url)(path) : undefined;
      } catch {
        // It is made anew, whatever is wrong with it.
        return undefined;
      }
    },
    keep(madeFrom, code) {
      try {
        saveWhole(pathOf(madeFrom), code);
        forgetUnused(folder);
      } catch {
        // The next run makes it once more.
      }
    },
  };
}

/** Not flushed, for what a crash leaves of it is not recalled. */
function saveWhole(path: string, code: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, sealed(path, code));
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** With a first line that tells whether all of it is there, and under its own name. */
function sealed(path: string, code: string): string {
  return `// ${sha256(`${basename(path)}\n${code}`)}\n${code}`;
}
