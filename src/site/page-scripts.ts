import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Esbuild from 'esbuild';
import { keepByObject } from '../core/model/objects.ts';
import { isCheckout, resolveModule } from '../io/program.ts';

interface PageScript {
  /** Its first module, below `src`. */
  readonly module: string;
  /** A classic script for a `script` element, or by default a module for `import()`. */
  readonly format?: 'iife' | 'esm';
  /** Modules that it loads only when it needs them, each by its name, with the script that exports the same. */
  readonly loaded?: Readonly<Record<string, string>>;
}

const expressions = { 'text/expression': 'expressions.js' };

/** The scripts of the pages, by their names among the assets. */
export const pageScripts: Readonly<Record<string, PageScript>> = {
  // Every page loads it.
  'site.js': { module: 'site/page/every-page', format: 'iife' },
  // For a question.
  'ask.js': { module: 'site/page/answers', loaded: expressions },
  // For rarer questions and bills of materials.
  'more.js': { module: 'site/page/more', loaded: expressions },
  // For a list of versions.
  'plan.js': {
    module: 'site/page/plan/plan-page',
    loaded: { ...expressions, 'bill-of-materials': 'more.js' },
  },
  // For versions of a package whose source has `extractVersion`: the engine of regular expressions, 46 kB compressed.
  'expressions.js': { module: 'site/page/expressions' },
};

/** A script in one file. The package has it as a file; a checkout bundles it once in a process. */
export function readPageScript(script: PageScript): Uint8Array {
  return isCheckout ? bundleOnce(script) : readFileSync(resolveModule(script.module));
}

const bundleOnce = keepByObject(bundleScript);

function bundleScript({ module, format = 'esm', loaded = {} }: PageScript): Uint8Array {
  // Required here, because the package does without it.
  const { buildSync } = createRequire(import.meta.url)('esbuild') as typeof Esbuild;
  const { outputFiles } = buildSync({
    entryPoints: [resolveModule(module)],
    bundle: true,
    external: Object.keys(loaded).map((name) => `*/${name}.ts`),
    minify: true,
    charset: 'utf8',
    format,
    target: 'es2024',
    // The options of the type checker must not change published files.
    tsconfigRaw: {},
    write: false,
  });

  let code = outputFiles[0]!.text;
  for (const [name, script] of Object.entries(loaded)) {
    code = code.replaceAll(new RegExp(`"[./a-z]*/${name}\\.ts"`, 'g'), `"./${script}"`);
  }
  return Buffer.from(code);
}
