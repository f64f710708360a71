import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** The folders of `src`, and the folders that each may import from beside itself. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  core: [],
  io: ['core'],
  decide: ['core'],
  record: ['core', 'io', 'decide'],
  ask: ['core'],
  site: ['core', 'io', 'decide', 'record', 'ask'],
  deliver: ['core', 'io', 'decide', 'record', 'ask', 'site'],
  cli: ['core', 'io', 'decide', 'record', 'ask', 'site', 'deliver'],
};

const folderOf = (path: string) => relative(src, path).split(/[\\/]/)[0]!;

/** Static, dynamic and type-only imports of a file of ours. */
function importsOf(file: string): string[] {
  return Array.from(
    readFileSync(file, 'utf8').matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g),
    ([, path]) => join(dirname(file), path!),
  );
}

const files = globSync('**/*.{ts,js}', { cwd: src }).map((file) => join(src, file));

test('every file is in one of the eight folders, but for the two that start the program', () => {
  const others = files.map(folderOf).filter((folder) => !Object.hasOwn(allowedImports, folder));

  expect(others.sort()).toEqual(['cli.js', 'main.ts']);
});

test('each folder imports only from the folders it may', () => {
  const wrong = files.flatMap((file) => {
    const folder = folderOf(file);
    return importsOf(file)
      .filter(
        (target) =>
          folderOf(target) !== folder &&
          allowedImports[folder]?.includes(folderOf(target)) === false,
      )
      .map((target) => `${relative(src, file)} -> ${relative(src, target)}`);
  });

  expect(wrong).toEqual([]);
});

test.each([
  ['the schemas import no package but zod', 'core/schemas/**/*.ts', /^\.|^node:|^zod$/],
  [
    'the query language imports only what pages may load',
    'core/query/*.ts',
    /^\.\/|^\.\.\/(?:dates|nearest|states|text|version|works-with)\.ts$/,
  ],
])('%s', (_, pattern, allowed) => {
  const imported = globSync(pattern, { cwd: src }).flatMap((file) =>
    Array.from(
      readFileSync(join(src, file), 'utf8').matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm),
      ([, name]) => name!,
    ),
  );

  expect(imported).not.toEqual([]);
  expect(imported.filter((name) => !allowed.test(name))).toEqual([]);
});

test('only the command line reads the arguments and the environment of the process', () => {
  const readers = files.filter((file) =>
    /^(?!\s*(?:\/\/|\*)).*\bprocess\.(?:argv|env)\b/m.test(readFileSync(file, 'utf8')),
  );

  expect(
    readers.map(folderOf).filter((folder) => !['cli', 'cli.js', 'main.ts'].includes(folder)),
  ).toEqual([]);
});

test('only the launcher names npm scripts: messages name commands that work everywhere', () => {
  const saying = files.filter((file) =>
    /['"`].*\bnpm (?:run|start|ci)\b/.test(readFileSync(file, 'utf8')),
  );

  expect(saying.map((file) => relative(src, file)).sort()).toEqual(['cli.js']);
});
