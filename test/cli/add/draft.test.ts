import { expect, test } from 'vitest';
import {
  deriveComponentName,
  draftDefinition,
  findRepositoryPages,
} from '../../../src/cli/add/component.ts';

test.each([
  ['agent.io', 'agent-io'],
  ['@example/Build_Agent', 'example-build-agent'],
  ['com.example:maven-agent', 'maven-agent'],
  ['github.com/example/agent/v2', 'agent'],
  ['https://git.example.com/group/agent.git', 'agent'],
  ['https://example.com/agent.json', 'agent'],
  ['https://example.com/agent/v2.json', 'agent'],
])('the package %s gets the component name %s', (packageName, name) => {
  expect(deriveComponentName(packageName)).toBe(name);
});

const page = 'https://github.com/owner/repo';
const hosted = { page, releases: `${page}/releases` };

test.each([
  [' owner/repo\n', hosted],
  ['scm:git:git@github.com:owner/repo.git', hosted],
  ['http://github.com/owner/repo', hosted],
  [`${page}/tree/main/packages/one`, hosted],
  [
    'https://gitlab.com/a/b/c',
    { page: 'https://gitlab.com/a/b/c', releases: 'https://gitlab.com/a/b/c/-/releases' },
  ],
  ['https://bitbucket.org/owner/repo', { page: 'https://bitbucket.org/owner/repo' }],
  ['git+https://git.example.com/repo.git', { page: 'https://git.example.com/repo' }],
  ['', {}],
  ['http://git.example.com/repo', {}],
  ['javascript:alert(1)', {}],
])('the repository %j gives the links %j', (repository, expected) => {
  expect(findRepositoryPages(repository)).toEqual(expected);
});

test.each([
  [false, 2],
  [true, 1],
])(
  'a draft for a private package has no OSV source: isPrivate %s, %i sources',
  (isPrivate, count) => {
    const { definition } = draftDefinition(
      'agent',
      { datasource: 'npm', packageName: 'agent' },
      { homepage: page },
      {},
      { isPrivate },
    );

    expect(definition.sources).toHaveLength(count);
  },
);
