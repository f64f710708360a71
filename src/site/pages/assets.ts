/** Renders the stylesheet, the icon and the scripts that pages load. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { memoize } from '../../core/memoize.ts';
import type { File } from '../output.ts';

/** Renders `assets/`. `program`: the folder of this program. */
export function* renderAssets(program: string): Generator<File> {
  const folder = join(program, 'site/assets');
  for (const name of readdirSync(folder)) {
    yield [`assets/${name}`, readFileSync(join(folder, name))];
  }
  if (extname(import.meta.filename) === '.ts') {
    yield* bundleOnce(program);
  }
}

/** Bundles `src/site/browser` and `site/styles`. Only a checkout has esbuild: a package contains the bundles in `site/assets`. */
export function* bundleAssets(program: string): Generator<[path: string, text: string]> {
  const { buildSync } = createRequire(import.meta.url)('esbuild') as Bundler;
  const styles = join(program, 'site/styles');
  const sheets = readdirSync(styles).sort();
  const { outputFiles } = buildSync({
    entryPoints: ['./site.ts', './answers.ts'],
    stdin: {
      contents: sheets.map((name) => readFileSync(join(styles, name), 'utf8')).join('\n'),
      loader: 'css',
    },
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
    yield [`assets/${basename(path).replace('stdin', 'site')}`, text];
  }
}

const bundleOnce = memoize((program: string) => [...bundleAssets(program)]);

interface Bundler {
  buildSync(options: object): { outputFiles: readonly { path: string; text: string }[] };
}
