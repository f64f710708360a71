import { execFileSync, execSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from './harness/example.ts';

const list = (pattern: string) =>
  globSync(pattern, { cwd: program }).map((path) => path.replaceAll('\\', '/'));
const read = (path: string) => readFileSync(join(program, path), 'utf8');
const countLines = (path: string) => read(path).split('\n').length - 1;

/** What they measure. They may only fall: a commit that needs more says what left for it, or why nothing could. */
const mostProduct = 699_600;
const mostTests = 763_600;

test('product and tests are no larger than they were', () => {
  const report = execSync('npm run --silent size', { cwd: program, encoding: 'utf8' });
  const [product, tests] = [/^src and site: (\d+)$/m, /^tests: (\d+)$/m].map((pattern) =>
    Number(pattern.exec(report)![1]),
  );

  expect(product).toBeLessThanOrEqual(mostProduct);
  expect(tests).toBeLessThanOrEqual(mostTests);
});

test('no file has more than 400 lines', () => {
  const sources = list('{src,site,test,.ci}/**/*.{ts,js,mjs,hbs,css}');

  expect(sources.filter((path) => countLines(path) > 400)).toEqual([]);
});

test('nothing else lies beside src, site and test', () => {
  const paths = execFileSync('git', ['ls-files'], { cwd: program, encoding: 'utf8' });
  const names = paths.split('\n').map((path) => path.split('/')[0]!);

  expect([...new Set(names)].filter((name) => /^[^.]/.test(name)).sort()).toEqual(
    'CHANGELOG.md LICENSE README.md components data package-lock.json package.json site src test tsconfig.json'.split(
      ' ',
    ),
  );
});
