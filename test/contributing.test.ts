import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { program } from './harness/example.ts';
import { readRecipes } from './harness/recipes.ts';

test('each recipe in CONTRIBUTING inserts code below a line that the edited file contains', () => {
  const insertions = readRecipes().filter(({ below }) => below !== undefined);

  for (const { path, below } of insertions) {
    expect(readFileSync(join(program, path), 'utf8'), path).toContain(below);
  }
  expect(insertions.length).toBeGreaterThan(20);
});

test('README and CHANGELOG name the version of package.json, and CHANGELOG calls the rest unreleased', () => {
  const [readme, changelog] = ['README.md', 'CHANGELOG.md'].map((path) =>
    readFileSync(join(program, path), 'utf8'),
  );
  const packages = [...readme!.matchAll(/release-index-([\d.]+\d)\.tgz/g)].map(([, each]) => each);
  const [newest, next] = [...changelog!.matchAll(/^## (.+)$/gm)].map(([, title]) => title);

  expect([...new Set(packages)]).toEqual([manifest.version]);
  expect([manifest.version, 'Unreleased']).toContain(newest);
  expect([manifest.version, undefined]).toContain(newest === 'Unreleased' ? next : newest);
});
