import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const src = resolve(import.meta.dirname, '../src');

/** The rooms of `src`, and what each may import beside itself: rooms, or single files of them. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  core: [],
  sources: ['core/'],
  judge: ['core/'],
  serve: ['core/'],
  record: ['core/', 'sources/', 'judge/'],
  site: ['core/', 'judge/', 'record/', 'serve/api/openapi.ts'],
  publish: ['core/', 'record/', 'site/'],
  cli: ['core/', 'sources/', 'record/', 'judge/', 'site/', 'serve/', 'publish/'],
};

interface Import {
  from: string;
  target: string;
  isType: boolean;
}

/** Static, dynamic and type-only imports; those of ours as paths below `src`. */
function listImports(from: string): Import[] {
  const text = readFileSync(join(src, from), 'utf8');
  const found = text.matchAll(/(?:^(?:import|export)\b([^;'"]*?from)?\s*|\bimport\()'([^']+)'/gm);
  return Array.from(found, ([, clause = '', name = '']) => ({
    from,
    target: name.startsWith('.') ? join(dirname(from), name).replaceAll('\\', '/') : name,
    isType: clause.trimStart().startsWith('type '),
  }));
}

const files = globSync('*/**/*.ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'));
const imports = files.flatMap(listImports);
const isOurs = ({ target }: Import) => files.includes(target);

test('all files are in the eight rooms', () => {
  const rooms = new Set(files.map((file) => file.split('/')[0]));

  expect([...rooms].sort()).toEqual(Object.keys(allowedImports).sort());
});

test('each room imports only what it may', () => {
  const wrong = imports.filter(isOurs).filter(({ from, target }) => {
    const room = from.split('/')[0]!;
    const allowed = [`${room}/`, ...allowedImports[room]!];
    return !allowed.some((place) => target.startsWith(place));
  });

  expect(wrong).toEqual([]);
});

test('what pages load imports neither a package nor Node', () => {
  const reached = files.filter((file) => file.startsWith('site/browser/'));
  for (const from of reached) {
    for (const { target } of listImports(from).filter(({ isType }) => !isType)) {
      expect(files, `${from} imports ${target}`).toContain(target);
      if (!reached.includes(target)) {
        reached.push(target);
      }
    }
  }

  expect(reached).toContain('core/query/parse.ts');
});
