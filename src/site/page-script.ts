import { buildSync } from 'esbuild';
import { moduleFile } from '../program.ts';

let made: Uint8Array | undefined;

/** `assets/site.js`: the script of the pages in one file, made once in a process. */
export function pageScript(): Uint8Array {
  made ??= buildSync({
    entryPoints: [moduleFile('page/start-page')],
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
