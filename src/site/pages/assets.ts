/** Renders the stylesheet, the icon and the scripts that pages load. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import type { File } from '../output.ts';

/** Renders `assets/`. `program`: the folder of the program. */
export function* renderAssets(program: string): Generator<File> {
  const styles = join(program, 'site/styles');
  const sheets = readdirSync(styles).sort();
  const texts = sheets.map((name) => readFileSync(join(styles, name), 'utf8'));
  yield ['assets/site.css', texts.join('\n')];
  const folder = join(program, 'site/assets');
  for (const name of readdirSync(folder)) {
    yield [`assets/${name}`, readFileSync(join(folder, name))];
  }
  if (extname(import.meta.filename) === '.ts') {
    yield* bundleScripts();
  }
}

/** Bundles `src/site/browser`. Only a checkout has esbuild: a package contains the scripts in `site/assets`. */
export function* bundleScripts(): Generator<[path: string, text: string]> {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as Bundler;
  const { outputFiles } = buildSync({
    entryPoints: ['./site.ts', './answers.ts'],
    absWorkingDir: join(import.meta.dirname, '../browser'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['./answers.js'],
    outdir: 'assets',
    write: false,
  });
  for (const { path, text } of outputFiles) {
    yield [`assets/${basename(path)}`, text];
  }
}

interface Bundler {
  buildSync(options: object): { outputFiles: readonly { path: string; text: string }[] };
}
