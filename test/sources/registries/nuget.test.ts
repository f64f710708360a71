import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const registration = '/v3/registration5-gz-semver2/example.agent/index.json';
/** In the form of the service index of nuget.org, without most of its resources. */
const resources = (url: string) => [
  { '@id': `${url}query`, '@type': 'SearchQueryService' },
  { '@id': `${url}v3/registration5-gz-semver2/`, '@type': 'RegistrationsBaseUrl/3.6.0' },
  { '@id': `${url}v3/registration5-semver1/`, '@type': 'RegistrationsBaseUrl/3.0.0-rc' },
];
const published = '2026-03-25T10:20:30.123+00:00';
const leaf = (version: string, more: object = {}) => ({
  catalogEntry: { version, published, ...more },
});
const askWith = (createDocuments: (url: string) => Record<string, unknown>) =>
  ask(() => ({ datasource: 'nuget', packageName: 'Example.Agent' }), {
    standsFor: 'https://api.nuget.org/',
    documents: (url) => {
      const all = { '/v3/index.json': { resources: resources(url) }, ...createDocuments(url) };
      return Object.fromEntries(Object.entries(all).map(([path, value]) => [path, json(value)]));
    },
  });

test('nuget says why a version is deprecated, without days of unlisted ones and build metadata', async () => {
  const unlisted = '1900-01-01T00:00:00+00:00';
  const items = [
    leaf('1.0.0', { listed: false, published: unlisted }),
    leaf('1.1.0', { listed: undefined, published: unlisted }),
    leaf('1.2.0', { deprecation: { reasons: ['CriticalBugs'], message: 'Loses data.' } }),
    leaf('1.3.0', {
      deprecation: { reasons: ['Legacy', 'Other'], alternatePackage: { id: 'New.Agent' } },
    }),
    leaf('2.0.0-x'),
    leaf('3.12.0+build-632'),
    leaf('3.12.0+b'),
  ];
  const { releases } = await askWith(() => ({ [registration]: { items: [{ items }] } }));

  const releaseTimestamp = '2026-03-25T10:20:30Z';
  expect(releases).toEqual([
    { version: '1.0.0', deprecated: 'unlisted' },
    { version: '1.1.0', deprecated: 'unlisted' },
    { version: '1.2.0', releaseTimestamp, deprecated: 'Loses data.' },
    { version: '1.3.0', releaseTimestamp, deprecated: 'Legacy, Other (use New.Agent)' },
    { version: '2.0.0-x', releaseTimestamp, isPrerelease: true },
    { version: '3.12.0', releaseTimestamp },
  ]);
});

test('nuget reads pages in documents of their own', async () => {
  const { releases } = await askWith((url) => ({
    [registration]: { items: [{ '@id': `${url}v3/1.json` }, { items: [leaf('3.0.0')] }] },
    '/v3/1.json': { items: [leaf('1.0.0')] },
  }));

  expect(releases.map(({ version }) => version)).toEqual(['1.0.0', '3.0.0']);
});

const elsewhere = { '@id': 'https://registry.example.org/', '@type': 'RegistrationsBaseUrl' };
test.each<[string, Record<string, unknown>, string]>([
  ['a page at another host', { [registration]: { items: [elsewhere] } }, 'at the same host'],
  [
    'a registration at another host',
    { '/v3/index.json': { resources: [elsewhere] } },
    'at the same host; got "https://registry.example.org/"',
  ],
  [
    'an address of another kind',
    { '/v3/index.json': { resources: [] } },
    'names no RegistrationsBaseUrl. Use the address for version 3 of the protocol',
  ],
])('nuget takes nothing of %s', async (_, documents, message) => {
  await expect(askWith(() => documents)).rejects.toThrow(message);
});
