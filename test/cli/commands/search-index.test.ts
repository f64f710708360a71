import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { SearchFile } from '../../../src/core/schemas/published/search-file.ts';
import { openParts } from '../../../src/site/render/parts.ts';
import type { SiteFile } from '../../../src/site/render/site-context.ts';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { siteOf, siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';
import { answer, startUpstream, type Handler, type Upstream } from '../../harness/upstream.ts';

const upstreams: Upstream[] = [];

afterEach(async () => {
  for (const upstream of upstreams.splice(0)) await upstream.close();
});

async function startServer(handler: Handler): Promise<string> {
  const upstream = await startUpstream(() => handler);
  upstreams.push(upstream);
  return upstream.url;
}

const day = ['--as-of', fixtureDay];
const ask = (url: string, ...args: string[]) => run(['search', '--index', url, ...day, ...args]);

async function refusal(url: string): Promise<string> {
  const { status, stdout, stderr } = await ask(url, '');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(linesOf(stderr)).toHaveLength(1);
  return stderr.trim();
}

test('a published index gives the answers of its checkout', async () => {
  const url = await startSite(siteOfFixtureIndex());
  const root = ['--root', fixtureIndex];
  for (const args of [
    ['--json', ''],
    ['--csv', 'supportLeft:<90d or isWithdrawn'],
    ['freshness:stale isLatest'],
  ]) {
    const [there, here] = await Promise.all([ask(url, ...args), run(['search', ...root, ...day, ...args])]);

    expect(there).toMatchObject({ status: 0, stderr: '' });
    expect(there.stdout).toBe(here.stdout);
    expect(linesOf(here.stdout).length).toBeGreaterThan(1);
  }
});

test('an index in parts gives the same answers', async () => {
  const site = siteOf(fixtureIndex);
  const whole = await ask(await startSite(site), '--json', '');
  const { components } = readJsonIn<SearchFile>(site, 'search.json');
  const paths: string[] = [];
  const write = ({ path, body }: SiteFile) => {
    paths.push(path);
    writeIn(site, path, body);
  };
  const parts = openParts('search', write, 2000);
  for (const [name, component] of Object.entries(components)) parts.add(name, JSON.stringify(component));
  parts.finish();

  const inParts = await ask(await startSite(site), '--json', '');

  expect(paths.length).toBeGreaterThan(2);
  expect(inParts).toEqual(whole);
});

test('search --index says that an index is old, and judges as of the day of asking', async () => {
  const url = await startSite(siteOf(copyOfFixtureIndex(), '2026-06-01'));

  const { status, stdout, stderr } = await ask(url, '--json', 'component:svc isLatest');

  expect(status).toBe(0);
  expect(stderr).toBe(
    `warning: ${url}: This index was last updated on 2026-06-01; newer releases may be missing.\n`,
  );
  const [latest] = JSON.parse(stdout) as { age: string; releaseTimestamp: string }[];
  const days = (Date.parse(fixtureDay) - Date.parse(latest!.releaseTimestamp)) / 86_400_000;
  expect(latest!.age).toBe(`P${days}D`);
});

test('search --index rejects an address without a release index, with the reason', async () => {
  const advice = 'Give the address of the folder with status.json and search.json.';
  const nothing = await startServer((_, response) => answer(response, 404, 'text/plain', 'no'));
  const page = await startServer((_, response) => answer(response, 200, 'text/html', '<p>Hello</p>'));
  const other = await startServer((_, response) => answer(response, 200, 'application/json', '{"asOf": 1}'));

  expect(await refusal(nothing)).toBe(
    `error: ${nothing.slice(0, -1)}: GET ${nothing}status.json answered 404. ${advice}`,
  );
  expect(await refusal(page)).toContain(`GET ${page}status.json`);
  expect(await refusal(page)).toMatch(/text\/html.*Give the address/);
  expect(await refusal(other)).toBe(
    `error: ${other.slice(0, -1)}: status.json does not belong to a release index: asOf: expected string; got 1. ${advice}`,
  );
});

test('search --index rejects an index with a missing or too large part', async () => {
  const status = JSON.stringify({ asOf: fixtureDay, inputs: `sha256:${'0'.repeat(64)}`, components: {} });
  const head = JSON.stringify({ components: {}, parts: ['search/1.json'] });
  const bomb = gzipSync(Buffer.alloc(80 * 2 ** 20, ' '));
  const serving = (part: Handler) =>
    startServer((request, response) => {
      if (request.url === '/search/1.json') part(request, response);
      else answer(response, 200, 'application/json', request.url === '/status.json' ? status : head);
    });
  const lacking = await serving((_, response) => answer(response, 404, 'text/plain', 'no'));
  const large = await serving((_, response) => {
    response.setHeader('content-encoding', 'gzip');
    answer(response, 200, 'application/json', bomb);
  });

  expect(await refusal(lacking)).toContain(`GET ${lacking}search/1.json answered 404`);
  expect(await refusal(large)).toMatch(/search\/1\.json.*64 MB/);
});

test('search --index rejects a malformed address of a site', async () => {
  const { status, stderr } = await ask('ftp://example.com/', '');

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toBe('--index: expected an https: address; got "ftp://example.com"');
});
