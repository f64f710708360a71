/** What pages load: the stylesheet, the icon, and modules as they are, without their types and comments. */
import { readFileSync, readdirSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { extname, join, posix } from 'node:path';

/** Modules that pages name; others are loaded by these. */
const entries = ['site/browser/site', 'site/browser/mine'];

const source = join(import.meta.dirname, '../..');
/** Of a checkout; in a package, modules are compiled. */
const extension = extname(import.meta.filename);

interface Module {
  code: string;
  /** Loaded with it. */
  imports: string[];
  /** Loaded when it asks for them. */
  later: string[];
}

/** `assets/`. `site`: the folder of templates and styles. */
export function* renderAssets(site: string): Generator<[path: string, body: string | Buffer]> {
  const styles = join(site, 'styles');
  const sheets = readdirSync(styles).sort();
  yield [
    'assets/site.css',
    sheets.map((name) => readFileSync(join(styles, name), 'utf8')).join('\n'),
  ];
  yield ['assets/favicon.svg', readFileSync(join(site, 'assets/favicon.svg'))];
  for (const path of reach(entries, ({ imports, later }) => [...imports, ...later])) {
    yield [`assets/${path}.js`, readModule(path).code];
  }
}

/** The modules that are loaded with a module, and itself, as paths below `assets/`. */
export function listModules(entry: string): string[] {
  return Array.from(
    reach([entry], ({ imports }) => imports),
    (path) => `${path}.js`,
  );
}

function reach(from: readonly string[], listNext: (module: Module) => string[]): Set<string> {
  const paths = new Set(from);
  for (const path of paths) {
    for (const other of listNext(readModule(path))) {
      paths.add(other);
    }
  }
  return paths;
}

function readModule(path: string): Module {
  const text = readFileSync(join(source, path + extension), 'utf8');
  const code = (extension === '.ts' ? stripTypeScriptTypes(text) : text)
    .replaceAll(/^ *\/\/.*\n|^ *\/\*\*[^]*?\*\/\n/gm, '')
    // The places of types and comments, but not within texts.
    .replaceAll(/('[^'\n]*'|`[^`]*`)| {2,}/g, (_, quoted?: string) => quoted ?? ' ')
    .replaceAll(/^\s+|[ \t]+$/gm, '')
    .replaceAll(/((?:from |import\()'\.[^']+)\.ts'/g, "$1.js'");
  const list = (pattern: RegExp) =>
    Array.from(code.matchAll(pattern), ([, target = '']) =>
      posix.join(posix.dirname(path), target),
    );
  return {
    code,
    imports: list(/from '(\.[^']+)\.js'/g),
    later: list(/import\('(\.[^']+)\.js'\)/g),
  };
}
