import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** Rooms of the house from the top floor down: a room may import from its own floor and from those below. */
const floors = [
  ['cli.js', 'main.ts'],
  ['cli'],
  ['commands'],
  ['daily'],
  ['publish'],
  ['proof', 'cloudflare', 'check'],
  ['site', 'page'],
  ['gather', 'render', 'access'],
  ['api', 'mcp'],
  ['scan'],
  ['sources', 'answers'],
  ['http', 'policy'],
  ['store'],
  ['model'],
  ['query'],
  [
    'called-as.ts',
    'dates.ts',
    'env.ts',
    'expression.ts',
    'prerelease.ts',
    'program.ts',
    'text.ts',
    'timestamps.ts',
    'transform.ts',
    'version.ts',
    'version-range.ts',
  ],
];

const roomOf = (path: string) => relative(src, path).split(/[\\/]/)[0]!;
const floorOf = (path: string) => floors.findIndex((rooms) => rooms.includes(roomOf(path)));

/** Static, dynamic and type-only imports of a file of ours. */
function importsOf(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g), ([, path]) =>
    join(dirname(file), path!),
  );
}

const files = globSync('**/*.{ts,js}', { cwd: src }).map((file) => join(src, file));

test('every file of the program lies in a room of the house', () => {
  expect(files.filter((file) => floorOf(file) === -1)).toEqual([]);
});

test('no file imports from a room above its own, or from another room of its floor', () => {
  const mayImport = (file: string, target: string) =>
    floorOf(target) > floorOf(file) ||
    roomOf(target) === roomOf(file) ||
    (floorOf(target) === floorOf(file) && dirname(target) === src);
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => !mayImport(file, target))
      .map((target) => `${relative(src, file)} -> ${relative(src, target)}`),
  );

  expect(wrong).toEqual([]);
});

test('the schemas import nothing but zod, what finds the nearest name, and the files of the ground floor', () => {
  const packages = globSync('model/**/*.ts', { cwd: src }).flatMap((file) =>
    Array.from(readFileSync(join(src, file), 'utf8').matchAll(/from '([^.'][^']*)'/g), ([, name]) => name!),
  );

  expect([...new Set(packages)].filter((name) => !name.startsWith('node:')).sort()).toEqual(['leven', 'zod']);
});

test('the query language imports nothing but itself and the order of versions: the pages run it, too', () => {
  const imported = globSync('query/*.ts', { cwd: src }).flatMap((file) =>
    Array.from(readFileSync(join(src, file), 'utf8').matchAll(/from '([^']+)'/g), ([, path]) => path!),
  );

  expect(imported.filter((path) => !path.startsWith('./') && path !== '../version.ts')).toEqual([]);
});

test('only the command line reads the arguments and the environment of the process', () => {
  const readers = files.filter((file) =>
    /^(?!\s*(?:\/\/|\*)).*\bprocess\.(?:argv|env)\b/m.test(readFileSync(file, 'utf8')),
  );

  expect(readers.map(roomOf).filter((room) => !['cli', 'cli.js', 'main.ts'].includes(room))).toEqual([]);
});

test('only one place says how the program is called', () => {
  const saying = files.filter((file) => /['"`].*\bnpm (?:run|start|ci)\b/.test(readFileSync(file, 'utf8')));

  expect(saying.map((file) => relative(src, file)).sort()).toEqual(['cli.js', 'cli/how-called.ts']);
});
