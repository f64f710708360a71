import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json, type Asking } from '../../harness/asking.ts';

const source = (): Source => ({ datasource: 'nuget', packageName: 'Example.Agent' });
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

const asking = (documents: (url: string) => Record<string, unknown>): Asking => ({
  routes,
  documents: (url) =>
    Object.fromEntries(
      Object.entries({ '/v3/index.json': serviceIndex(url), ...documents(url) }).map(([path, value]) => [
        path,
        json(value),
      ]),
    ),
});

describe('nuget', () => {
  it('states why a version is deprecated, and ignores the day of an unlisted one', async () => {
    const { releases } = await ask(
      source,
      asking(() => ({
        [registration]: {
          count: 1,
          items: [
            inline(
              leaf('1.0.0', { listed: false, published: '1900-01-01T00:00:00+00:00' }),
              leaf('1.1.0', { listed: undefined, published: '1900-01-01T00:00:00+00:00' }),
              leaf('1.2.0', { deprecation: { reasons: ['CriticalBugs'], message: 'Loses data.' } }),
              leaf('1.3.0', {
                deprecation: {
                  reasons: ['Legacy', 'Other'],
                  alternatePackage: { id: 'New.Agent', range: '*' },
                },
              }),
              leaf('2.0.0'),
            ),
          ],
        },
      })),
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

  it('follows SemVer, and keeps versions as published', async () => {
    const { offered } = await ask(
      source,
      asking(() => ({
        [registration]: {
          items: [inline(leaf('1.0.0-unstable'), leaf('1.0.0+build.7'), leaf('6.0.1304.2'))],
        },
      })),
    );

    expect(offered).toEqual([
      ['1.0.0-unstable', undefined],
      ['1.0.0+build.7', undefined],
      ['6.0.1304.2', undefined],
    ]);
  });

  it('reads pages in separate documents', async () => {
    const { releases } = await ask(source, asking(paged));

    expect(releases.map(({ version }) => version)).toEqual(['3.0.0', '1.0.0', '2.0.0']);
  });

  it('fails if a page cannot be fetched', async () => {
    const asked = ask(
      source,
      asking((url) => {
        const { '/v3/page/2.json': _, ...rest } = paged(url);
        return rest;
      }),
    );

    await expect(asked).rejects.toThrow(/\/v3\/page\/2\.json answered 404/);
  });

  it('fails if a page is invalid', async () => {
    const asked = ask(
      source,
      asking((url) => ({ ...paged(url), '/v3/page/2.json': { count: 1 } })),
    );

    await expect(asked).rejects.toThrow(/\/v3\/page\/2\.json: items: expected array/);
  });

  it.each([
    [
      'a page',
      () => ({ [registration]: { items: [{ '@id': 'https://registry.example.org/page.json', count: 2 }] } }),
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
  ])('does not follow %s to another host', async (_, documents, message) => {
    await expect(ask(source, asking(documents))).rejects.toThrow(message);
  });

  it('stops reading endless pages', async () => {
    const items = Array.from({ length: 1500 }, (_, page) => ({ '@id': `/v3/page/${page}.json` }));
    const documents = Object.fromEntries(
      items.map(({ '@id': path }, index) => [path, { items: [leaf(`1.0.${index}`)] }]),
    );

    await expect(
      ask(
        source,
        asking(() => ({ [registration]: { items }, ...documents })),
      ),
    ).rejects.toThrow(/its list goes on after 1000 pages/);
  });

  it('reports an address of another kind', async () => {
    const asked = ask(
      source,
      asking(() => ({ '/v3/index.json': { resources: [] } })),
    );

    await expect(asked).rejects.toThrow(
      /index\.json: names no RegistrationsBaseUrl\. Use the address for version 3 of the protocol/,
    );
  });
});

function paged(url: string): Record<string, unknown> {
  return {
    [registration]: {
      count: 3,
      items: [
        { '@id': `${url}v3/page/1.json`, count: 1, lower: '1.0.0', upper: '1.0.0' },
        { '@id': `${url}v3/page/2.json`, count: 1, lower: '2.0.0', upper: '2.0.0' },
        inline(leaf('3.0.0')),
      ],
    },
    '/v3/page/1.json': inline(leaf('1.0.0')),
    '/v3/page/2.json': inline(leaf('2.0.0')),
  };
}
