import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Esbuild from 'esbuild';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { quote } from '../core/text/foreign-text.ts';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { isCheckout, resolveModule, programFolder } from '../io/program.ts';
import { generatedAssets } from './render/paths.ts';
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

/** Finds a missing logo, and assets that would run under the address of the index or are named like a generated file. */
export function checkTheme(root: Root, { logo }: SiteConfig): Finding[] {
  const assets = new Map(listSiteFiles(root, 'assets'));
  const findings: Finding[] = [];
  for (const [name, path] of assets) {
    const message = generatedAssets.includes(name)
      ? 'the build generates a file with this name; rename yours, a stylesheet to own.css'
      : findActivePart(name, path);
    if (message !== undefined) {
      findings.push(fileProblem(`site/assets/${name}`, message));
    }
  }

  if (logo !== undefined && !assets.has(logo)) {
    const message = `logo: expected a file in site/assets; got "${logo}", which is not there`;
    findings.push(fileProblem('site/site.json', message));
  }

  return findings;
}

/** A host that sends no security headers would run them with the rights of the pages. */
function findActivePart(name: string, path: string): string | undefined {
  if (!/\.(?:css|ico|png|svg)$/.test(name)) {
    return 'expected a file .css, .ico, .png or .svg: others may run as scripts or pages of the index';
  }
  if (!name.endsWith('.svg')) {
    return undefined;
  }

  const text = readFileSync(path, 'utf8');
  for (const pattern of activeParts) {
    const part = pattern.exec(text)?.[0];
    if (part !== undefined) {
      return `expected a picture without scripts, links and entities; got ${quote(part)}`;
    }
  }
  return undefined;
}

/** The parts of an SVG that run, load or hide something. */
const activeParts: readonly RegExp[] = [
  /<(?:[^\s<>/:]*:)?(?:script|foreignObject|iframe|embed|object|handler|listener)\b/i,
  // Handlers of events.
  /[\s"'/]on\w+\s*=/i,
  // Links, other than to itself and to embedded pictures, also animated ones.
  /\bhref\s*=\s*(["'])(?!#|data:image\/(?:gif|jpeg|png|webp)[;,]|\1)/i,
  /\battributeName\s*=\s*["'](?:(?:\w+:)?href|[^"']*&)/i,
  // Stylesheets and pictures of other hosts.
  /@import\b|\burl\(\s*["']?(?!#|data:|["'\s])/i,
  // Entities and instructions.
  /<!(?:ENTITY|ATTLIST)|<\?(?!xml\s)/i,
  // Text that another reader may decode in another way.
  /\bencoding\s*=\s*["'](?!utf-8["'])|[\0\ufffd]/i,
];

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
