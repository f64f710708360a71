import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** A document as it is kept: two spaces, a final newline. */
export function formatDocument(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * Replaces a file whole, and only if its content changes: at every instant it is the old one or the new one
 * (temporary file beside it, flushed, then renamed). Returns whether it changed.
 */
export function saveIfChanged(path: string, text: string): boolean {
  if (readIfThere(path) === text) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic.sync(path, text, { fsync: true });
  return true;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
