/** Checks the conditions by which Renovate rules match the packages of a component. */
import { expect, test } from 'vitest';
import type { PackageOfSource } from '../../../src/core/datasources.ts';
import type { Component } from '../../../src/core/schema/published.ts';
import {
  findConditions,
  listPackageConditions,
  matchComments,
} from '../../../src/site/renovate/conditions.ts';

const nginx = ['nginx', 'library/nginx', 'docker.io/nginx', 'docker.io/library/nginx'];
const ofGithub = ['github-releases', 'github-tags'];

test.each<[source: PackageOfSource, datasources: string[], names: string[], urls?: string[]]>([
  [{ datasource: 'npm', packageName: '@acme/ui' }, ['npm'], ['@acme/ui']],
  [{ datasource: 'pypi', packageName: 'Zope.Interface' }, ['pypi'], ['zope-interface']],
  [{ datasource: 'docker', packageName: 'nginx' }, ['docker'], nginx],
  [
    { datasource: 'docker', packageName: 'acme/agent' },
    ['docker'],
    ['acme/agent', 'docker.io/acme/agent'],
  ],
  [
    { datasource: 'docker', packageName: 'agent', registryUrl: 'https://quay.example.com/acme' },
    ['docker'],
    ['quay.example.com/acme/agent'],
  ],
  [{ datasource: 'docker', packageName: 'ghcr.io/acme/a' }, ['docker'], ['ghcr.io/acme/a']],
  [{ datasource: 'github-tags', packageName: 'acme/agent' }, ofGithub, ['acme/agent']],
  [
    { datasource: 'github-releases', packageName: 'acme/a', registryUrl: 'https://git.acme.com//' },
    ofGithub,
    ['acme/a'],
    ['https://git.acme.com', 'https://git.acme.com/'],
  ],
  [
    { datasource: 'gitlab-releases', packageName: 'acme/agent' },
    ['gitlab-releases', 'gitlab-tags'],
    ['acme/agent'],
  ],
  [
    { datasource: 'helm', packageName: 'agent', registryUrl: 'https://charts.acme.com/a' },
    ['helm'],
    ['agent'],
    ['https://charts.acme.com/a', 'https://charts.acme.com/a/'],
  ],
  [
    { datasource: 'git-tags', packageName: 'https://git.acme.com/agent.git/' },
    ['git-tags'],
    ['https://git.acme.com/agent', 'https://git.acme.com/agent.git'],
  ],
  [{ datasource: 'npm', packageName: 'a', registryUrl: 'https://npm.acme.com' }, ['npm'], ['a']],
])(
  'the conditions for the source %j match its datasources and package names',
  (source, matchDatasources, matchPackageNames, matchRegistryUrls) => {
    expect(findConditions(source)).toEqual({
      matchDatasources,
      matchPackageNames,
      ...(matchRegistryUrls && { matchRegistryUrls }),
    });
  },
);

test.each<[PackageOfSource]>([
  [{ datasource: 'page' } as PackageOfSource],
  [{ datasource: 'helm', packageName: 'agent', field: 'appVersion' } as PackageOfSource],
])('the source %j has no conditions, because Renovate finds no package of it', (source) => {
  expect(findConditions(source)).toBeUndefined();
});

const describe = (component: object) => component as Component;

test('packages with the same datasource and registry share one Renovate condition', () => {
  const components = [
    describe({
      sources: [{ datasource: 'npm', packageName: 'a' }],
      aliases: ['short', 'pkg:maven/org.acme/agent', 'pkg:npm/%40acme/b'],
    }),
    describe({ sources: [{ datasource: 'npm', packageName: 'a' }, { datasource: 'static' }] }),
  ];

  expect(listPackageConditions(components)).toEqual([
    { matchDatasources: ['npm'], matchPackageNames: ['a', '@acme/b'] },
    { matchDatasources: ['maven'], matchPackageNames: ['org.acme:agent'] },
  ]);
});

test("the Renovate condition for comments also matches a component's former names", () => {
  const component = describe({ component: 'svc', renamedFrom: ['server'], files: ['amd64'] });

  expect(matchComments([component], 'index')).toEqual({
    matchDatasources: ['custom.index'],
    matchPackageNames: ['svc', 'svc/amd64', 'server', 'server/amd64'],
  });
});
