import { expect, test } from 'vitest';
import { findNames, openNames } from '../../../src/ask/texts/find-names.ts';

test('a Gradle plugin is found by its id, even if another package has the path of its artifact', () => {
  const packages = new Map([
    ['pkg:docker/example/svc', [{ component: 'svc' }]],
    ['pkg:maven/example/svc', [{ component: 'svc' }]],
  ]);
  const names = openNames([], packages);

  const mentions = findNames(names, 'id("example.svc")') ?? [];

  expect(mentions.map(({ name }) => name.purl?.type)).toEqual(['maven']);
});
