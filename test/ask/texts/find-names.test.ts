import { expect, test } from 'vitest';
import { findNames } from '../../../src/ask/texts/find-names.ts';

test('a Gradle plugin is found by its id, even if another package has the path of its artifact', () => {
  const packages = new Map([
    ['pkg:docker/example/svc', [{ component: 'svc' }]],
    ['pkg:maven/example/svc', [{ component: 'svc' }]],
  ]);
  const names = { components: [], packages };

  const mentions = findNames(names, 'id("example.svc")');

  expect(mentions.map(({ name }) => name.purl?.type)).toEqual(['maven']);
});

test('a name that is too long to be found does not change how another is written', () => {
  const title = `Build agent ${'of many tools '.repeat(9)}`;
  const names = { components: [{ name: 'buildagent', title }], packages: new Map() };

  expect(findNames(names, 'buildagent')).toHaveLength(1);
  expect(findNames(names, 'build agent')).toEqual([]);
});
