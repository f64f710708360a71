/** What pages load: the stylesheet, the icon, and modules as they are, without their types and comments. */
import { readFileSync, readdirSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { extname, join, posix } from 'node:path';
import { readIfThere, saveFile, sha256 } from '../../core/files.ts';
import type { File } from '../output.ts';

/** Modules that pages name; others are loaded by these. */
export const entries = {
  site: 'site/browser/site.js',
  mine: 'site/browser/mine.js',
};

const source = join(import.meta.dirname, '../..');
/** Of a checkout; in a package, modules are compiled. */
const extension = extname(import.meta.filename);

/** `assets/`. `program`: its folder. */
export function* renderAssets(program: string): Generator<File> {
  const styles = join(program, 'site/styles');
  const sheets = readdirSync(styles).sort();
  const texts = sheets.map((name) => readFileSync(join(styles, name), 'utf8'));
  yield ['assets/site.css', texts.join('\n')];
  yield ['assets/favicon.svg', readFileSync(join(program, 'site/assets/favicon.svg'))];
  for (const path of listModules(Object.values(entries), anyImport)) {
    yield [`assets/${path}`, readModule(path)];
  }
}

const staticImport = /from '(\.[^']+)'/g;
/** Also of what is loaded later. */
const anyImport = /(?:from |import\()'(\.[^']+)'/g;

/** Modules and those that they import, as paths below `assets/`. */
export function listModules(names: readonly string[], form = staticImport): string[] {
  const paths = new Set(names);
  for (const path of paths) {
    for (const [, target = ''] of readModule(path).matchAll(form)) {
      paths.add(posix.join(posix.dirname(path), target));
    }
  }
  return [...paths];
}

const moduleTexts = new Map<string, string>();

/** Without types and comments. */
function readModule(path: string): string {
  const text = moduleTexts.get(path) ?? stripModule(path);
  moduleTexts.set(path, text);
  return text;
}

function stripModule(path: string): string {
  const text = readFileSync(join(source, path.replace('.js', extension)), 'utf8');
  const code = extension === '.ts' ? stripTypes(text) : text;
  // Comments at the beginning of a line, and indentation. No module has a text of several lines.
  return code
    .replaceAll(/^\s*(?:\/\/.*|\/\*[^]*?\*\/)?\s*/gm, '')
    .replaceAll(/('\.[^']+)\.ts'/g, "$1.js'");
}

/** Kept where Node keeps what it compiled, by its version: it is a fifth of the work of a small build. */
function stripTypes(text: string): string {
  const folder = getCompileCacheDir();
  if (folder === undefined) {
    return stripTypeScriptTypes(text);
  }

  const file = join(folder, `${sha256(text)}.js`);
  const kept = readIfThere(file)?.toString();
  if (kept !== undefined) {
    return kept;
  }

  const code = stripTypeScriptTypes(text);
  try {
    saveFile(file, code);
  } catch {
    // It may be read-only.
  }
  return code;
}
