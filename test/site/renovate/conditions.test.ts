/** Checks the conditions by which Renovate rules match the packages of a component. */
import jsonata from 'jsonata';
import { expect, test } from 'vitest';
import type { PackageOfSource } from '../../../src/core/datasources.ts';
import type { Component } from '../../../src/core/schema/published.ts';
import {
  findConditions,
  findPlaces,
  listPackageConditions,
  matchComments,
  writeCondition,
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

const line = (name: string) => ({ line: name });
const helm = { datasource: 'helm', packageName: 'agent' };
const image = { datasource: 'docker', packageName: 'team/api' };
const sharing = Object.entries({
  plain: { sources: [image], lines: [line('2')] },
  // The alias names the package of the source, so the pattern holds for it, too.
  slim: {
    sources: [{ ...image, extractVersion: '^(?<version>.+)-slim$' }],
    aliases: ['pkg:docker/team/api'],
  },
  numbers: {
    sources: [
      { ...image, packageName: 'team/web', extractVersion: String.raw`^(?<version>[\d.]+)$` },
    ],
  },
  alpine: {
    sources: [{ ...image, packageName: 'team/web', extractVersion: '^(?<version>.+)-alpine$' }],
  },
  old: { sources: [{ ...image, packageName: 'team/split' }], lines: [line('1')] },
  new: { sources: [], aliases: ['pkg:docker/team/split'], lines: [line('2')] },
  twinA: { sources: [{ ...image, packageName: 'team/twin' }], lines: [line('1'), line('2')] },
  twinB: { sources: [{ ...image, packageName: 'team/twin' }], lines: [line('2')] },
  chartA: { sources: [{ ...helm, registryUrl: 'https://a.example.com' }], lines: [line('2')] },
  chartB: { sources: [{ ...helm, registryUrl: 'https://b.example.com' }], lines: [line('2')] },
}).map(([component, facts]) => describe({ component, lines: [], ...facts }));

test.each([
  [{ packageName: 'team/api', currentValue: '2.1' }, 'plain'],
  [{ packageName: 'Team/API', currentValue: '2.1-slim', currentVersion: null }, 'slim'],
  [{ packageName: 'team/api', currentValue: null, currentVersion: '2.1-slim' }, 'slim'],
  [{ packageName: 'team/api', currentValue: '2.1-alpine' }, 'plain'],
  // Renovate gives the version of a tag without its suffix.
  [{ packageName: 'team/web', currentValue: '2.1-alpine', currentVersion: '2.1' }, 'alpine'],
  [{ packageName: 'team/web', currentValue: '2.1-slim', currentVersion: '2.1' }, ''],
  [{ packageName: 'team/web', currentValue: '^2.1', currentVersion: '2.1' }, 'numbers'],
  [{ packageName: 'team/web', currentValue: null, currentVersion: null }, ''],
  // Each component has other release lines, so only one of them has notes about the line of 2.1.
  [{ packageName: 'team/split', currentValue: '2.1' }, 'old new'],
  [{ packageName: 'team/twin', currentValue: '2.1' }, ''],
  [
    { datasource: 'helm', packageName: 'agent', registryUrls: ['https://b.example.com/'] },
    'chartB',
  ],
])('the Renovate conditions for %j match the components "%s"', async (dependency, expected) => {
  const all = findPlaces(sharing);
  const matches = await Promise.all(
    sharing.map(async (each) => {
      const conditions = listPackageConditions([each], all).map(writeCondition);
      const tests = conditions.map((text) =>
        jsonata(text).evaluate({ datasource: 'docker', ...dependency }),
      );
      return (await Promise.all(tests)).includes(true) ? each.component : [];
    }),
  );

  expect(matches.flat().join(' ')).toBe(expected);
});

test("the Renovate condition for comments also matches a component's former names", () => {
  const component = describe({ component: 'svc', renamedFrom: ['server'], files: ['amd64'] });

  expect(matchComments([component], 'index')).toEqual({
    matchDatasources: ['custom.index'],
    matchPackageNames: ['svc', 'svc/amd64', 'server', 'server/amd64'],
  });
});
