import { expect, test } from 'vitest';
import { readProduct } from '../../../src/cli/add/product.ts';

const render = (methods: string, identifiers = '') => `---
title: Example
releasePolicyLink: https://example.com/releases
${identifiers}
auto:
  methods:
${methods}
---
> An example.
`;

test('makes a definition of a product: its lists, its policy, its packages', () => {
  const text = render(
    '    - git: https://github.com/example/example.git\n    - docker_hub: example/agent\n    - release_table: https://example.com\n',
    'identifiers:\n  - purl: pkg:docker/example/agent\n  - cpe: cpe:/a:example:example\n',
  );

  expect(readProduct('example', text)).toEqual({
    definition: {
      title: 'Example',
      aliases: ['pkg:docker/example/agent'],
      homepage: 'https://example.com/releases',
      changelogUrl: 'https://example.com/releases',
      sources: [
        {
          datasource: 'github-tags',
          packageName: 'example/example',
          extractVersion: String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+)?(?:\.\d+)?)$`,
        },
        { datasource: 'docker', packageName: 'example/agent' },
      ],
      support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'example' } },
    },
    notes: [],
  });
});

test.each([
  [
    String.raw`^v(?P<major>\d+)\.(?P<minor>\d+)$`,
    '{{major}}.{{minor}}',
    String.raw`^v(?<version>(?:\d+)\.(?:\d+))$`,
  ],
  [
    String.raw`^(?P<major>\d+)\.(?P<minor>\d+)(\.(?P<patch>\d+))?$`,
    '{{major}}.{{minor}}{%if patch%}.{{patch}}{%endif%}',
    String.raw`^(?<version>(?:\d+)\.(?:\d+)(\.(?:\d+))?)$`,
  ],
  [
    String.raw`^(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)$`,
    undefined,
    String.raw`^(?<version>(?:\d+)\.(?:\d+)\.(?:\d+))$`,
  ],
])('the groups of %s become one version', (regex, template, extractVersion) => {
  const stated = template && `      template: '${template}'\n`;
  const method = `    - npm: example\n      regex: '${regex}'\n${stated ?? ''}`;

  expect(readProduct('example', render(method)).definition.sources).toEqual([
    { datasource: 'npm', packageName: 'example', extractVersion },
  ]);
});

test.each([
  ['    - cgit: https://git.example.com\n', 'cgit'],
  ['    - npm: [example]\n', 'npm'],
  ['    - git: https://git.example.com/x.git\n      regex_exclude: rc\n', 'git'],
  [
    String.raw`    - npm: example
      regex: '^(?P<major>\d+)_(?P<minor>\d+)$'
      template: '{{major}}.{{minor}}'`,
    'npm',
  ],
])('says that no datasource reads %j', (method, name) => {
  const { definition, notes } = readProduct('example', render(method));

  expect([definition.sources, definition.aliases]).toEqual([[], undefined]);
  expect(notes).toEqual([`sources: no datasource reads its list of releases (${name})`]);
});
