import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import type { SiteConfig } from '../core/schemas/definition/site-config.ts';
import { generatedAssets } from './render/paths.ts';
import type { SiteTheme } from './render/site-context.ts';
import { siteFiles, type Root } from '../io/files/root.ts';
import { programFolder } from '../io/program.ts';
import { pageScripts, readPageScript } from './page-script.ts';

/** Templates and assets of the site. Files of the root replace built-in files of the same name. */
export function readTheme(root: Root): SiteTheme {
  return {
    templates: readTemplates(root, 'templates'),
    snippets: readTemplates(root, 'snippets'),
    assets: readAssets(root),
  };
}

function readTemplates(root: Root, part: 'templates' | 'snippets'): ReadonlyMap<string, string> {
  const files = siteFiles(root, part).filter(([name]) => name.endsWith('.hbs'));
  return new Map(
    files.map(([name, path]) => [name.slice(0, -'.hbs'.length), readFileSync(path, 'utf8')]),
  );
}

function readAssets(root: Root): Map<string, Uint8Array> {
  const assets = new Map<string, Uint8Array>(
    siteFiles(root, 'assets').map(([name, path]) => [name, readFileSync(path)]),
  );

  assets.set('site.css', Buffer.from(joinStylesheets()));

  for (const name of Object.keys(pageScripts)) {
    if (!assets.has(name)) {
      assets.set(name, readPageScript(name));
    }
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

/** Finds a missing logo, and assets named like a generated file. */
export function checkTheme(root: Root, { logo }: SiteConfig): Finding[] {
  const assets = new Set(siteFiles(root, 'assets').map(([name]) => name));

  const findings = generatedAssets
    .filter((name) => assets.has(name))
    .map((name) =>
      fileProblem(
        `site/assets/${name}`,
        'the build generates a file with this name; rename yours, a stylesheet to own.css',
      ),
    );

  if (logo === undefined || assets.has(logo)) {
    return findings;
  }

  const message = `logo: expected a file in site/assets; got "${logo}", which is not there`;

  return [...findings, fileProblem('site/site.json', message)];
}
