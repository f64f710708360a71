import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { program } from './harness/example.ts';

const src = resolve(import.meta.dirname, '../src');

/** The modules of `src`, each with the other modules that it may import. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ask: ['core/'],
  sources: ['core/'],
  judge: ['core/'],
  serve: ['core/', 'ask/'],
  record: ['core/', 'sources/', 'judge/'],
  site: ['core/', 'ask/', 'judge/', 'record/', 'serve/api/openapi.ts'],
  publish: ['core/', 'record/', 'site/'],
  cli: ['core/', 'ask/', 'sources/', 'record/', 'judge/', 'site/', 'serve/', 'publish/'],
};

interface Import {
  from: string;
  target: string;
  isType: boolean;
}

const read = (file: string) => readFileSync(join(src, file), 'utf8');

/** Lists the static, dynamic and type-only imports of a file. Imported files of `src` are listed with their paths below `src`. */
function listImports(from: string): Import[] {
  const clauses = read(from).matchAll(
    /(?:^(?:import|export)\b([^;'"]*?from)?\s*|\bimport\()'([^'()]+)'/gm,
  );
  return Array.from(clauses, ([, clause = '', name = '']) => ({
    from,
    target: name.startsWith('.')
      ? join(dirname(from), name).replaceAll('\\', '/').replace(/js$/, 'ts')
      : name,
    isType: clause.trimStart().startsWith('type '),
  }));
}

const files = globSync('*/**/*.ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'));
const imports = files.flatMap(listImports);
const isOurs = ({ target }: Import) => files.includes(target);

test('all files of src are in the nine modules', () => {
  const rooms = new Set(files.map((file) => file.split('/')[0]));

  expect([...rooms].sort()).toEqual(Object.keys(allowedImports).sort());
});

test('each module imports only modules that it may import', () => {
  const wrong = imports.filter(isOurs).filter(({ from, target }) => {
    const room = from.split('/')[0]!;
    const allowed = [`${room}/`, ...allowedImports[room]!];
    return !allowed.some((place) => target.startsWith(place));
  });

  expect(wrong).toEqual([]);
});

test('only the list of routes and the list of MCP tools import serve/builds', () => {
  const folder = 'serve/builds/';
  const readers = imports.filter(
    ({ from, target }) => target.startsWith(folder) && !from.startsWith(folder),
  );

  expect([...new Set(readers.map(({ from }) => from))].sort()).toEqual([
    'serve/api/routes.ts',
    'serve/tools.ts',
  ]);
});

/**
 * Exports that no other file of `src` needs to import: `main`, the function `define` of each verb, and functions that only tests call
 * directly.
 */
const readElsewhere = new Set([
  'main',
  'define',
  'findRepositoryPages',
  'listNegatedFlags',
  'parseGoMod',
  'readStarter',
  'recordAnswers',
  'recordDay',
]);

test('every export of a file is imported by another file of src', () => {
  const unread = files.flatMap((file) => {
    const readers = imports.filter(({ target }) => target === file).map(({ from }) => read(from));
    const names = read(file).matchAll(/^export (?:async )?(?:[a-z]+\*?) (\w+)/gm);
    return Array.from(names, ([, name = '']) => name).filter(
      (name) =>
        !readElsewhere.has(name) &&
        !readers.some((text) =>
          RegExp(`^import \\* as \\w+ from '\\.|\\b${name}\\b`, 'm').test(text),
        ),
    );
  });

  expect(unread).toEqual([]);
});

test('each dependency is imported, and each imported package is a dependency', () => {
  const { dependencies } = JSON.parse(readFileSync(join(src, '../package.json'), 'utf8')) as {
    dependencies: object;
  };
  const packages = imports
    .map(({ target }) => target)
    .filter((target) => !files.includes(target) && !/^(?:node:|\.)/.test(target))
    .map((target) => /^(?:@[^/]+\/)?[^/]+/.exec(target)![0]);

  expect([...new Set(packages)].sort()).toEqual(Object.keys(dependencies).sort());
});

test('scripts of pages import only site/browser, ask and core, and no package', () => {
  const reached = files.filter((file) => file.startsWith('site/browser/'));
  for (const from of reached) {
    for (const { target } of listImports(from).filter(({ isType }) => !isType)) {
      expect(files, `${from} imports ${target}`).toContain(target);
      if (!reached.includes(target)) {
        reached.push(target);
      }
    }
  }

  expect(reached).toContain('ask/query/parse.ts');
  const others = reached.filter((file) => !/^(?:site\/browser|ask|core)\//.test(file));
  expect(others).toEqual([]);
});

test('the root of the repository has only the listed files and folders', () => {
  const paths = execFileSync('git', ['ls-files'], { cwd: program, encoding: 'utf8' });
  const names = paths.split('\n').map((path) => path.split('/')[0]!);

  expect([...new Set(names)].filter((name) => /^[^.]/.test(name)).sort()).toEqual(
    'CHANGELOG.md LICENSE README.md components data package-lock.json package.json site src test tsconfig.json'.split(
      ' ',
    ),
  );
});
