import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { keepByObject } from '../core/model/objects.ts';
import { isCheckout, resolveModule } from '../io/program.ts';

interface PageScript {
  /** Its first module, below `src`. */
  readonly module: string;
  /** A classic script for a `script` element, or a module for `import()`. */
  readonly format: 'iife' | 'esm';
  /** Modules that the script leaves out, because the page brings a replacement. */
  readonly replaced: string[];
}

/** The engine of regular expressions, 150 kB: the pages use that of the browser. */
const expressions = '*/core/text/expression.ts';
/** The reader of bills of materials: the page of plans uses that in `more.js`. */
const bills = '*/bill-of-materials.ts';

/** The scripts of the pages, by their names among the assets. */
export const pageScripts: Readonly<Record<string, PageScript>> = {
  // Every page loads it.
  'site.js': { module: 'site/page/every-page', format: 'iife', replaced: [] },
  // For a question.
  'ask.js': { module: 'site/page/answers', format: 'esm', replaced: [expressions] },
  // For rarer questions and bills of materials.
  'more.js': { module: 'site/page/more', format: 'esm', replaced: [expressions] },
  // For a list of versions.
  'plan.js': { module: 'site/page/plan/plan-page', format: 'esm', replaced: [expressions, bills] },
};

/** A script in one file. The package has it as a file; a checkout bundles it once in a process. */
export function readPageScript(script: PageScript): Uint8Array {
  return isCheckout ? bundleOnce(script) : readFileSync(resolveModule(script.module));
}

const bundleOnce = keepByObject(bundleScript);

function bundleScript({ module, format, replaced }: PageScript): Uint8Array {
  // Required here, because the package does without it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  const { outputFiles } = buildSync({
    entryPoints: [resolveModule(module)],
    bundle: true,
    external: replaced,
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
