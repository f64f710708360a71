import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const source = (): TypedSource => ({ datasource: 'nuget', packageName: 'Example.Agent' });
const routes = (url: string) => ({ 'https://api.nuget.org/v3/index.json': `${url}v3/index.json` });
const registration = '/v3/registration5-gz-semver2/example.agent/index.json';

/** In the form of https://api.nuget.org/v3/index.json, without most of its resources. */
const serviceIndex = (url: string) => ({
  version: '3.0.0',
  resources: [
    { '@id': `${url}query`, '@type': 'SearchQueryService' },
    { '@id': `${url}v3/registration5-semver1/`, '@type': 'RegistrationsBaseUrl' },
    { '@id': `${url}v3/registration5-gz-semver1/`, '@type': 'RegistrationsBaseUrl/3.4.0' },
    { '@id': `${url}v3/registration5-gz-semver2/`, '@type': 'RegistrationsBaseUrl/3.6.0' },
    { '@id': `${url}v3/registration5-gz-semver2/`, '@type': 'RegistrationsBaseUrl/Versioned' },
    { '@id': `${url}v3/registration5-semver1/`, '@type': 'RegistrationsBaseUrl/3.0.0-rc' },
  ],
});

/** In the form of learn.microsoft.com/nuget/api/registration-base-url-resource, without most keys. */
const leaf = (version: string, more: object = {}) => ({
  '@type': 'Package',
  catalogEntry: {
    '@type': 'PackageDetails',
    id: 'Example.Agent',
    version,
    listed: true,
    published: '2026-03-25T10:20:30.123+00:00',
    ...more,
  },
});
const inline = (...leaves: object[]) => ({ '@id': 'unused', count: leaves.length, items: leaves });

/** Asks a server with the service index and these documents. */
const askWith = (documents: (url: string) => Record<string, unknown>) => {
  const all = (url: string) => ({ '/v3/index.json': serviceIndex(url), ...documents(url) });
  const inJson = (url: string) =>
    Object.entries(all(url)).map(([path, value]) => [path, json(value)] as const);
  return ask(source, { routes, documents: (url) => Object.fromEntries(inJson(url)) });
};
const askLeaves = (...leaves: object[]) =>
  askWith(() => ({ [registration]: { items: [inline(...leaves)] } }));

function paged(url: string): Record<string, unknown> {
  const page = (number: number) => ({ '@id': `${url}v3/page/${number}.json`, count: 1 });
  return {
    [registration]: { count: 3, items: [page(1), page(2), inline(leaf('3.0.0'))] },
    '/v3/page/1.json': inline(leaf('1.0.0')),
    '/v3/page/2.json': inline(leaf('2.0.0')),
  };
}

it('nuget states why a version is deprecated, and ignores the day of an unlisted one', async () => {
  const unlisted = '1900-01-01T00:00:00+00:00';
  const { releases } = await askLeaves(
    leaf('1.0.0', { listed: false, published: unlisted }),
    leaf('1.1.0', { listed: undefined, published: unlisted }),
    leaf('1.2.0', { deprecation: { reasons: ['CriticalBugs'], message: 'Loses data.' } }),
    leaf('1.3.0', {
      deprecation: {
        reasons: ['Legacy', 'Other'],
        alternatePackage: { id: 'New.Agent', range: '*' },
      },
    }),
    leaf('2.0.0'),
  );

  const releaseTimestamp = '2026-03-25T10:20:30.123+00:00';
  expect(releases).toEqual([
    { version: '1.0.0', deprecated: 'unlisted' },
    { version: '1.1.0', deprecated: 'unlisted' },
    { version: '1.2.0', releaseTimestamp, deprecated: 'Loses data.' },
    { version: '1.3.0', releaseTimestamp, deprecated: 'Legacy, Other (use New.Agent)' },
    { version: '2.0.0', releaseTimestamp },
  ]);
});

it('nuget follows SemVer, and keeps versions as published', async () => {
  const names = ['1.0.0-unstable', '1.0.0+build.7', '6.0.1304.2'];
  const { offered } = await askLeaves(...names.map((name) => leaf(name)));

  expect(offered).toEqual(names.map((name) => [name, undefined]));
});

it('nuget reads pages in separate documents', async () => {
  const { releases } = await askWith(paged);

  expect(releases.map(({ version }) => version)).toEqual(['1.0.0', '2.0.0', '3.0.0']);
});

it.each([
  ['cannot be fetched', undefined, /\/v3\/page\/2\.json answered 404/],
  ['is invalid', { count: 1 }, /\/v3\/page\/2\.json: items: expected array/],
])('nuget fails if a page %s', async (_, page, message) => {
  const asked = askWith((url) => {
    const { '/v3/page/2.json': __, ...rest } = paged(url);
    return { ...rest, ...(page && { '/v3/page/2.json': page }) };
  });

  await expect(asked).rejects.toThrow(message);
});

it.each([
  [
    'a page',
    () => ({
      [registration]: { items: [{ '@id': 'https://registry.example.org/page.json', count: 2 }] },
    }),
    '@id: expected an address at the same host; got "https://registry.example.org/page.json"',
  ],
  [
    'the registration',
    () => ({
      '/v3/index.json': {
        resources: [{ '@id': 'http://169.254.169.254/', '@type': 'RegistrationsBaseUrl/3.6.0' }],
      },
    }),
    'RegistrationsBaseUrl: expected an address at the same host; got "http://169.254.169.254/"',
  ],
])('nuget does not follow %s to another host', async (_, documents, message) => {
  await expect(askWith(documents)).rejects.toThrow(message);
});

it('nuget reports an address of another kind', async () => {
  const asked = askWith(() => ({ '/v3/index.json': { resources: [] } }));

  await expect(asked).rejects.toThrow(
    /index\.json: names no RegistrationsBaseUrl\. Use the address for version 3 of the protocol/,
  );
});
