import { expect, test } from 'vitest';
import {
  deriveComponentName,
  draftDefinition,
  findReleasesPage,
  findRepositoryPage,
} from '../../../src/cli/add/draft.ts';

test.each([
  ['agent', 'agent'],
  ['@example/Build_Agent', 'example-build-agent'],
  ['com.example:maven-agent', 'maven-agent'],
  ['github.com/example/agent/v2', 'agent'],
  ['https://git.example.com/group/agent.git', 'agent'],
  ['https://example.com/agent.json', 'agent'],
])('a component of %s is called %s', (packageName, name) => {
  expect(deriveComponentName(packageName)).toBe(name);
});

const page = 'https://github.com/owner/repo';

test.each([
  ['owner/repo', page],
  [' owner/repo\n', page],
  ['github:owner/repo', page],
  ['git+https://github.com/owner/repo.git', page],
  ['git@github.com:owner/repo.git', page],
  ['git+ssh://git@github.com:owner/repo.git', page],
  ['scm:git:git@github.com:owner/repo.git', page],
  ['http://github.com/owner/repo', page],
  ['https://github.com/owner/repo/tree/main/packages/one', `${page}/tree/main/packages/one`],
  ['gitlab:group/repo', 'https://gitlab.com/group/repo'],
])('the page of %s is %s', (repository, expected) => {
  expect(findRepositoryPage(repository)).toBe(expected);
});

test.each([
  '',
  'https://example.com',
  'http://git.example.com/repo',
  'gist:123/4',
  'javascript:alert(1)',
  'not one',
  'ssh:///owner/repo',
])('"%s" names no page', (repository) => {
  expect(findRepositoryPage(repository)).toBeUndefined();
});

test.each([
  [page, `${page}/releases`],
  [`${page}/tree/main/packages/one`, `${page}/releases`],
  ['https://gitlab.com/group/sub/repo', 'https://gitlab.com/group/sub/repo/-/releases'],
  ['https://bitbucket.org/owner/repo', undefined],
  ['https://git.example.com/owner/repo', undefined],
  ['https://github.com/owner', undefined],
])('the releases of %s are at %s', (repository, expected) => {
  expect(findReleasesPage(repository)).toBe(expected);
});

test.each([
  [false, 2],
  [true, 1],
])('OSV is not asked about a package that is private (%s)', (isPrivate, count) => {
  const source = { datasource: 'npm', packageName: 'agent' } as const;

  const { definition } = draftDefinition('agent', source, { homepage: page }, { isPrivate });

  expect(definition.sources).toHaveLength(count);
});
