import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { listSiteFiles, type Root } from '../io/files/root.ts';
import { programFolder } from '../io/program.ts';
import { pageScripts, readPageScript } from './page-scripts.ts';
import type { SiteTheme } from './render/site-context.ts';

/** Reads the theme. Files of the index replace built-in files of the same name, except the assets that the build generates. */
export function readTheme(root: Root): SiteTheme {
  return {
    templates: readTemplates(root, 'templates'),
    snippets: readTemplates(root, 'snippets'),
    assets: readAssets(root),
  };
}

function readTemplates(root: Root, part: 'templates' | 'snippets'): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, path] of listSiteFiles(root, part)) {
    const { name, ext } = parse(file);
    if (ext === '.hbs') {
      texts.set(name, readFileSync(path, 'utf8'));
    }
  }
  return texts;
}

function readAssets(root: Root): Map<string, Uint8Array> {
  const assets = new Map<string, Uint8Array>(
    Array.from(listSiteFiles(root, 'assets'), ([name, path]) => [name, readFileSync(path)]),
  );
  const sheets = stylesheets.map((name) => readFileSync(join(stylesFolder, `${name}.css`), 'utf8'));
  // Without comments.
  assets.set('site.css', Buffer.from(sheets.join('\n').replaceAll(/\/\*[^]*?\*\/\n*/g, '')));
  for (const [name, script] of Object.entries(pageScripts)) {
    assets.set(name, readPageScript(script));
  }
  return assets;
}

/** The folder of the stylesheets. Only the program has one: an index adds `site/assets/own.css` instead. */
export const stylesFolder = join(programFolder, 'site/styles');

/** The stylesheets in order: the later of two equally specific rules wins. */
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
