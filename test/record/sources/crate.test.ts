import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json, type Asking } from '../../harness/asking.ts';
import { always, type Document } from '../../harness/upstream.ts';

const source = (): TypedSource => ({ datasource: 'crate', packageName: 'serde' });
const routes = (url: string) => ({
  'https://index.crates.io/': `${url}index/`,
  'https://crates.io/': url,
});

/** Lines in the form of https://index.crates.io/se/rd/serde, without dependencies and features. */
const index = (...entries: object[]): Document => ({
  type: 'text/plain',
  body: entries
    .map((entry) => `${JSON.stringify({ name: 'serde', deps: [], features: {}, ...entry })}\n`)
    .join(''),
});

/** In the form of https://crates.io/api/v1/crates/serde/versions, without most of its keys. */
const versions = (days: Record<string, string>, next_page: string | null = null) =>
  json({
    versions: Object.entries(days).map(([num, created_at]) => ({
      crate: 'serde',
      num,
      created_at,
    })),
    meta: { total: 2, next_page },
  });

const list = '/api/v1/crates/serde/versions?per_page=100';
const entries = [
  { vers: '1.0.0', yanked: false },
  { vers: '1.0.1', yanked: true },
  { vers: '1.0.2', yanked: false, pubtime: '2026-03-25T10:20:30Z' },
];

const inIndex = { '/index/se/rd/serde': index(...entries) };
const atRegistry = (url: string): TypedSource => ({
  datasource: 'crate',
  packageName: 'serde',
  registryUrl: url,
});

it('crate asks crates.io once for the days that its index lacks', async () => {
  const { releases, requests } = await ask(source, {
    routes,
    documents: {
      ...inIndex,
      [list]: versions({ '1.0.1': '2017-04-20T18:00:00Z' }, '?per_page=100&seek=ab'),
      [`${list}&seek=ab`]: versions({ '1.0.0': '2017-04-20T15:26:44Z' }),
    },
  });

  expect(releases).toEqual([
    { version: '1.0.0', releaseTimestamp: '2017-04-20T15:26:44Z' },
    { version: '1.0.1', releaseTimestamp: '2017-04-20T18:00:00Z', deprecated: '' },
    { version: '1.0.2', releaseTimestamp: '2026-03-25T10:20:30Z' },
  ]);
  expect(requests.map(({ path }) => path)).toEqual(['/index/se/rd/serde', list, `${list}&seek=ab`]);
});

it('crate takes the days that it can read', async () => {
  const unreadable = { crate: 'serde', num: '1.0.0', created_at: null };
  const readable = { crate: 'serde', num: '1.0.1', created_at: '2017-04-20T18:00:00Z' };
  const { releases } = await ask(source, {
    routes,
    documents: { ...inIndex, [list]: json({ versions: [unreadable, readable] }) },
  });

  expect(releases.slice(0, 2)).toEqual([
    { version: '1.0.0' },
    { version: '1.0.1', releaseTimestamp: '2017-04-20T18:00:00Z', deprecated: '' },
  ]);
});

it('crate recognises the index of crates.io if a definition names it', async () => {
  const documents = { ...inIndex, [list]: versions({}) };
  const { requests } = await ask(() => atRegistry('https://index.crates.io'), {
    routes,
    documents,
  });

  expect(requests.map(({ path }) => path)).toEqual(['/index/se/rd/serde', list]);
});

it('crate lists the versions without their days if crates.io does not answer', async () => {
  const failing: Asking['handler'] = (sound) => (request, response) =>
    (request.url!.startsWith('/api') ? always(503) : sound)(request, response);

  const { releases, postponed } = await ask(source, {
    routes,
    documents: inIndex,
    handler: failing,
  });

  expect(releases.map(({ version }) => version)).toEqual(['1.0.0', '1.0.1', '1.0.2']);
  expect(postponed).toEqual([
    ['1.0.0', expect.stringContaining('answered 503 (4 attempts)')],
    ['1.0.1', expect.stringContaining('answered 503 (4 attempts)')],
  ]);
});

it('crate follows SemVer: a hyphen marks a prerelease, a plus sign does not', async () => {
  const pubtime = '2026-03-25T10:20:30Z';
  const names = ['2.0.15+zstd.1.5.7', '1.0.0-0.1'];
  const { offered, releases } = await ask(atRegistry, {
    documents: { '/se/rd/serde': index(...names.map((vers) => ({ vers, pubtime }))) },
  });

  expect(offered).toEqual([
    [names[0], undefined],
    [names[1], true],
  ]);
  expect(releases[0]).toEqual({ version: names[0], releaseTimestamp: pubtime });
});

it.each([
  ['a', '/1/a'],
  ['CC', '/2/cc'],
  ['Log', '/3/l/log'],
  ['rand_Core', '/ra/nd/rand_core'],
])('crate finds %s in the index at %s', async (packageName, path) => {
  const { releases } = await ask(
    (url) => ({ datasource: 'crate', packageName, registryUrl: url }),
    {
      documents: { [path]: index({ name: packageName, vers: '1.0.0' }) },
    },
  );

  expect(releases).toEqual([{ version: '1.0.0' }]);
});

it.each(['application/json', 'application/x-ndjson', 'binary/octet-stream'])(
  'crate reads an index in storage that calls it %s',
  async (type) => {
    const { releases } = await ask(atRegistry, {
      documents: { '/se/rd/serde': { ...index(...entries), type } },
    });

    expect(releases).toHaveLength(entries.length);
  },
);

it('crate rejects an index that is truncated within a line', async () => {
  const body = '{"name":"serde","vers":"1.0.0"}\n\n{"name":"ser';
  const asked = ask(atRegistry, { documents: { '/se/rd/serde': { type: 'text/plain', body } } });

  await expect(asked).rejects.toThrow(/serde: entry 2 is not valid JSON \(it begins with/);
});
