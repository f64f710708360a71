import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { isCheckout, moduleFile } from '../io/program.ts';

interface PageScript {
  /** Its first module, below `src`. */
  readonly module: string;
  /** A classic script for a `script` element, or a module for `import()`. */
  readonly format: 'iife' | 'esm';
}

/** The scripts of the pages, by their names among the assets: every page loads the first, a question the second. Few questions need the third. A list needs the fourth, a bill of materials both, and a plan the fifth. */
export const pageScripts: Readonly<Record<string, PageScript>> = {
  'site.js': { module: 'site/page/start-page', format: 'iife' },
  'ask.js': { module: 'site/page/answers', format: 'esm' },
  'more.js': { module: 'site/page/more', format: 'esm' },
  'plan.js': { module: 'site/page/plan/plan-page', format: 'esm' },
  'exports.js': { module: 'site/page/plan/plan-exports', format: 'esm' },
};

const made = new Map<string, Uint8Array>();

/** A script in one file, made once in a process. The package holds it made. */
export function readPageScript(name: string): Uint8Array {
  const cached = made.get(name);
  if (cached) {
    return cached;
  }

  const { module, format } = pageScripts[name]!;
  const script = isCheckout ? bundle(moduleFile(module), format) : readFileSync(moduleFile(module));
  made.set(name, script);
  return script;
}

function bundle(entry: string, format: PageScript['format']): Uint8Array {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;

  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    // The first has 150 kB, and a browser has its own engine. The second is in `more.js`.
    external: ['*/core/text/expression.ts', './bill-of-materials.ts'],
    minify: true,
    charset: 'utf8',
    format,
    target: 'es2024',
    // The options of the type checker must not change published files.
    tsconfigRaw: {},
    write: false,
  });

  return outputFiles[0]!.contents;
}
