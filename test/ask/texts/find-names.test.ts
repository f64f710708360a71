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

test.each([
  ["Let's Serve", "Let's Serve 1.0"],
  ['Backup & Recovery', 'Backup & Recovery 1.0'],
  ['Backup & Recovery', 'backup-recovery 1.0'],
  ['Agent: Maven', 'Agent: Maven 1.0'],
  ['C++ tools', 'C++ tools 1.0'],
  ['Server, Enterprise', 'Server, Enterprise 1.0'],
  ['.NET', 'on .NET 8.0'],
])('a title such as %s is found as it is written: %s', (title, text) => {
  const names = { components: [{ name: 'x', title }], packages: new Map() };

  expect(findNames(names, text)).toHaveLength(1);
});

test.each(['asp.net 8.0', 'example.net', 'Server; Enterprise', '"backup", "recovery"'])(
  'a text of other names has no title: %s',
  (text) => {
    const components = ['.NET', 'Server, Enterprise', 'Backup & Recovery'].map((title, index) => ({
      name: `x${index}`,
      title,
    }));

    expect(findNames({ components, packages: new Map() }, text)).toEqual([]);
  },
);
