import { join } from 'node:path';
import { buildSync } from 'esbuild';

const entry = join(import.meta.dirname, '../page/start-page.ts');
let made: Uint8Array | undefined;

/** `assets/site.js`: the script of the pages in one file, made once in a process. */
export function pageScript(): Uint8Array {
  made ??= buildSync({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    target: 'es2024',
    // What the type checker reads has no say in what is published.
    tsconfigRaw: {},
    write: false,
  }).outputFiles[0]!.contents;
  return made;
}
