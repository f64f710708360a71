import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { SearchFile } from '../../../src/core/schemas/published/search-file.ts';
import { openParts } from '../../../src/site/render/documents/document-parts.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { readJsonIn, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { siteOf, siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { answer, startUpstream, type Handler } from '../../harness/upstream.ts';

const day = ['--as-of', fixtureDay];
const ask = (url: string, ...args: string[]) => run(['search', '--index', url, ...day, ...args]);

test.each([
  [['--json', '']],
  [['--csv', 'supportLeft:<90d or isWithdrawn']],
  [['freshness:stale isLatest']],
])('search --index gives the answer of the checkout: %j', async (args) => {
  const url = await startSite(siteOfFixtureIndex());

  const [there, here] = [
    await ask(url, ...args),
    await run(['search', '--root', fixtureIndex, ...day, ...args]),
  ];

  expect(there).toMatchObject({ status: 0, stderr: '' });
  expect(there.stdout).toBe(here.stdout);
  expect(here.stdout).toContain('svc');
});

test('search --index gives the same answers for an index in parts', async () => {
  const site = siteOf(fixtureIndex);
  const whole = await ask(await startSite(site), '--json', '');
  const { components } = readJsonIn<SearchFile>(site, 'search.json');
  const paths: string[] = [];
  const parts = openParts(
    'search',
    ({ path, body }) => {
      paths.push(path);
      writeIn(site, path, body);
    },
    2000,
  );
  for (const [name, component] of Object.entries(components)) {
    parts.add(name, JSON.stringify(component));
  }
  parts.finish();

  const inParts = await ask(await startSite(site), '--json', '');

  expect(paths.length).toBeGreaterThan(2);
  expect(inParts).toEqual(whole);
});

test('search --index says that an index is old, and judges as of the day of asking', async () => {
  const url = await startSite(siteOf(fixtureIndex, '2026-06-01'));

  const { status, stdout, stderr } = await ask(url, '--json', 'component:svc isLatest');

  expect(status).toBe(0);
  expect(stderr).toBe(
    `warning: ${url}: This index was last updated on 2026-06-01; newer releases may be missing.\n`,
  );
  const [latest] = JSON.parse(stdout) as { age: string; releaseTimestamp: string }[];
  const days = (Date.parse(fixtureDay) - Date.parse(latest!.releaseTimestamp)) / 86_400_000;
  expect(latest!.age).toBe(`P${days}D`);
});

test('search --index judges as of the day of an index that is newer than --as-of', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const ask = (asOf: string) =>
    run(['search', '--index', url, '--as-of', asOf, '--json', 'age:<P1Y isLatest']);

  const [before, same] = [await ask('2026-06-01'), await ask(fixtureDay)];

  expect(same.stdout).toContain('"age"');
  expect(before.stdout).toBe(same.stdout);
});

const status = JSON.stringify({
  asOf: fixtureDay,
  staleAfterDays: 3,
  inputs: `sha256:${'0'.repeat(64)}`,
  components: {},
});
const always =
  (code: number, type: string, body: string): Handler =>
  (_, response) =>
    answer(response, code, type, body);
const inParts =
  (part: Handler): Handler =>
  (request, response) => {
    if (request.url === '/search/1.json') {
      return part(request, response);
    }
    const head = JSON.stringify({ components: {}, parts: ['search/1.json'] });
    answer(response, 200, 'application/json', request.url === '/status.json' ? status : head);
  };
const bomb: Handler = (_, response) => {
  response.setHeader('content-encoding', 'gzip');
  answer(response, 200, 'application/json', gzipSync(Buffer.alloc(80 * 2 ** 20, ' ')));
};
const advice = 'Give the address of the folder with status.json and search.json.';

test.each<[string, Handler, string | RegExp]>([
  [
    'without an index',
    always(404, 'text/plain', 'no'),
    `GET URL/status.json answered 404. ${advice}`,
  ],
  [
    'of a page',
    always(200, 'text/html', '<p>'),
    /GET URL\/status\.json.*text\/html.*Give the address/,
  ],
  [
    'of something else',
    always(200, 'application/json', '{"asOf": 1}'),
    `status.json does not belong to a release index: asOf: expected string; got 1. ${advice}`,
  ],
  [
    'that lacks a part',
    inParts(always(404, 'text/plain', 'no')),
    'GET URL/search/1.json answered 404',
  ],
  ['with a part too large', inParts(bomb), /search\/1\.json.*64 MiB/],
])('search --index rejects an address %s', async (_what, handler, message) => {
  const upstream = await startUpstream(() => handler);
  onTestFinished(() => upstream.close());
  const url = upstream.url.slice(0, -1);

  const { status, stdout, stderr } = await ask(url, '');

  expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
  expect(stderr.replaceAll(url, 'URL')).toMatch(/^error: URL: .*\n$/);
  expect(stderr.replaceAll(url, 'URL')).toMatch(message);
});

test('search --index rejects a malformed address', async () => {
  const { status, stderr } = await ask('ftp://example.com/', '');

  expect(status).toBe(2);
  expect(stderr).toMatch(/^--index: expected an https: address; got "ftp:\/\/example\.com\/"\n/);
});
