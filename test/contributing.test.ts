import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from './harness/example.ts';
import { readRecipes } from './harness/recipes.ts';

test('each recipe in CONTRIBUTING inserts code below a line that the edited file contains', () => {
  const insertions = readRecipes().filter(({ below }) => below !== undefined);

  for (const { path, below } of insertions) {
    expect(readFileSync(join(program, path), 'utf8'), path).toContain(below);
  }
  expect(insertions.length).toBeGreaterThan(20);
});
