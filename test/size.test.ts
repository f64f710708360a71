import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { countRooms } from '../.ci/size.ts';
import { program } from './harness/example.ts';

const list = (pattern: string) =>
  globSync(pattern, { cwd: program }).map((path) => path.replaceAll('\\', '/'));
const read = (path: string) => readFileSync(join(program, path), 'utf8');
const countLines = (path: string) => read(path).split('\n').length - 1;

test('no room has more code than its limit', async () => {
  const rooms = await countRooms();

  expect(rooms.filter(({ size, limit }) => size > limit)).toEqual([]);
  expect(rooms).toHaveLength(11);
});

test('no file has more than 400 lines, and no folder of src more than 15 files', () => {
  const sources = list('{src,site,test,.ci}/**/*.{ts,js,mjs,hbs,css}');
  const folders = Map.groupBy(list('src/**/*.*'), dirname);

  expect(sources.filter((path) => countLines(path) > 400)).toEqual([]);
  expect([...folders].filter(([, paths]) => paths.length > 15)).toEqual([]);
});

test('documents are short', () => {
  const documents = ['README.md', ...list('.github/*.md')];
  const characters = documents.map((path) => read(path).length);

  expect(documents).toHaveLength(7);
  expect(countLines('.github/SECURITY.md')).toBeLessThanOrEqual(10);
  expect(read('.github/SETUP.md').length).toBeLessThanOrEqual(5_000);
  expect(countLines('README.md')).toBeLessThanOrEqual(150);
  expect(read('.github/CONTRACT.md').length).toBeLessThanOrEqual(29_000);
  expect(characters.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(54_500);
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
