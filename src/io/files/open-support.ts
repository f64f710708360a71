import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, type Root } from './root.ts';
import { readIfThere } from './save.ts';

/** Remembers a component that was defined while the host that may state its ends did not answer. */
export function rememberOpenSupport(root: Root, component: string): void {
  appendFileSync(pathIn(root), `${component}\n`);
}

export function readOpenSupport(root: Root): string[] {
  return (readIfThere(pathIn(root))?.toString() ?? '').split('\n');
}

function pathIn(root: Root): string {
  return join(cacheFolder(root), 'open-support');
}
