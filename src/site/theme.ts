import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { isCheckout, resolveModule, programFolder } from '../io/program.ts';
import type { SiteTheme } from './render/site-context.ts';

/** Templates and assets of the site. Files of the root replace built-in files of the same name. */
export function readTheme(root: Root): SiteTheme {
  return {
    templates: readTemplates(root, 'templates'),
    snippets: readTemplates(root, 'snippets'),
    assets: readAssets(root),
  };
}

function readTemplates(root: Root, part: 'templates' | 'snippets'): ReadonlyMap<string, string> {
  const files = listSiteFiles(root, part).filter(([name]) => name.endsWith('.hbs'));
  return new Map(
    files.map(([name, path]) => [name.slice(0, -'.hbs'.length), readFileSync(path, 'utf8')]),
  );
}

function readAssets(root: Root): Map<string, Uint8Array> {
  const assets = new Map<string, Uint8Array>(
    listSiteFiles(root, 'assets').map(([name, path]) => [name, readFileSync(path)]),
  );
  assets.set('site.css', Buffer.from(joinStylesheets()));
  for (const name of Object.keys(pageScripts)) {
    assets.set(name, readPageScript(name));
  }
  return assets;
}

/** The folder of the stylesheets. Only the program has one: an index adds `site/assets/own.css` instead. */
export const stylesFolder = join(programFolder, 'site/styles');

/** The stylesheets by content. Of two rules that are equally specific, the later one wins. */
const stylesheets = [
  'colours',
  'base',
  'layout',
  'controls',
  'code',
  'answer',
  'tables',
  'timeline',
  'versions',
  'component',
  'api',
  'narrow',
  'contrast',
  'print',
];

/** `assets/site.css`, without comments. */
function joinStylesheets(): string {
  const texts = stylesheets.map((name) => readFileSync(join(stylesFolder, `${name}.css`), 'utf8'));
  return texts.join('\n').replaceAll(/\/\*[^]*?\*\/\n*/g, '');
}

interface PageScript {
  /** Its first module, below `src`. */
  readonly module: string;
  /** A classic script for a `script` element, or a module for `import()`. */
  readonly format: 'iife' | 'esm';
}

/** The scripts of the pages, by their names among the assets: every page loads the first, a question the second. Rarer questions and bills of materials need the third, and a list the fourth. */
export const pageScripts: Readonly<Record<string, PageScript>> = {
  'site.js': { module: 'site/page/start-page', format: 'iife' },
  'ask.js': { module: 'site/page/answers', format: 'esm' },
  'more.js': { module: 'site/page/more', format: 'esm' },
  'plan.js': { module: 'site/page/plan/plan-page', format: 'esm' },
};

const cache = new Map<string, Uint8Array>();

/** A script in one file, made once in a process. The package holds it made. */
export function readPageScript(name: string): Uint8Array {
  const cached = cache.get(name);
  if (cached) {
    return cached;
  }

  const { module, format } = pageScripts[name]!;
  const script = isCheckout
    ? bundle(resolveModule(module), format)
    : readFileSync(resolveModule(module));
  cache.set(name, script);
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
