import { expect, test } from 'vitest';
import { dropEmptyList, findPublishedList, readProduct } from '../../../src/cli/add/product.ts';

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
const list = {
  datasource: 'json',
  url: 'https://raw.githubusercontent.com/endoflife-date/release-data/main/releases/example.json',
  transform: 'versions.*.{"version": name, "releaseTimestamp": date}',
};
const support = {
  policy: 'stated',
  source: { datasource: 'endoflife-date', product: 'example' },
};

/** The pattern for tags, which endoflife.date also uses. */
const extractVersion = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+)?(?:\.\d+)?)$`;

test('drafts the definition of an endoflife.date product with its sources, policy and aliases', () => {
  const text = render(
    '    - git: https://github.com/example/example.git\n    - docker_hub: example/agent\n    - release_table: https://example.com\n',
    'alternate_urls:\n  - /exa\nidentifiers:\n  - purl: pkg:docker/example/agent\n  - cpe: cpe:/a:example:example\n',
  );

  expect(readProduct('example', text)).toEqual({
    definition: {
      title: 'Example',
      aliases: ['exa', 'pkg:docker/example/agent'],
      homepage: 'https://example.com/releases',
      changelogUrl: 'https://example.com/releases',
      sources: [
        { datasource: 'github-tags', packageName: 'example/example', extractVersion },
        { datasource: 'docker', packageName: 'example/agent', extractVersion },
      ],
      support,
    },
    notes: [],
    name: 'example',
  });
});

test('a product is named after its permalink, not after its file', () => {
  const text = render('', 'permalink: /exa\nalternate_urls:\n  - /ex\n');

  expect(readProduct('example', text)).toMatchObject({
    name: 'exa',
    definition: { aliases: ['ex', 'example'], support: { source: { product: 'exa' } } },
  });
});

test.each([
  ['has no versions', { versions: {} }],
  ['does not exist', undefined],
])('the draft has no endoflife.date source if the published version list %s', (_, published) => {
  const draft = readProduct('example', render('    - redhat_lifecycles: Example\n'));

  expect(findPublishedList(draft)).toBe(list.url);
  expect(dropEmptyList(draft, published)).toMatchObject({
    definition: { sources: [] },
    notes: ['sources: endoflife.date lists no versions of it'],
  });
  expect(dropEmptyList(draft, { versions: { '1.0': {} } })).toBe(draft);
});

test.each([
  '    - cgit: https://git.example.com\n',
  '    - npm: [example]\n',
  '    - git: https://git.example.com/x.git\n      regex_exclude: rc\n',
  String.raw`    - npm: example
      regex: '^(?P<major>\d+)_(?P<minor>\d+)$'
      template: '{{major}}.{{minor}}'`,
  '    - npm: example\n    - cgit: https://git.example.com\n',
])(
  'the draft uses the list that endoflife.date publishes if add cannot read the method %j itself',
  (method) => {
    const { definition, notes } = readProduct('example', render(method));

    expect([definition.sources, definition.aliases, notes]).toEqual([[list], undefined, []]);
  },
);

test('the draft notes that a product has no sources if endoflife.date publishes no list of versions', () => {
  const text = render('    - release_table: https://example.com\n');

  const draft = readProduct('example', text);
  expect(draft.definition.sources).toEqual([]);
  expect(draft.notes).toEqual(['sources: endoflife.date lists no versions of it']);
});
