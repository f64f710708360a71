import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createIndex } from '../harness/index-folder.ts';
import { startNginx } from '../harness/nginx.ts';
import { lacks } from '../harness/programs.ts';
import { expectHeaders, startPreview } from './preview.ts';

const index = createIndex({ hosting: 'pages' });
index.write('program/release-index-1.0.0.tgz', 'a package');
await index.prepare('build', 'sign');

test('preview serves every path with the headers in CONTRACT', async () => {
  await expectHeaders(await startPreview(index.root), index.out);
});

test('preview rejects requests from pages of another origin', async () => {
  const origin = await startPreview(index.root);
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/svc.json`, { headers })).status;

  expect(await ask({ origin })).toBe(200);
  expect(await ask({ origin: 'https://example.com' })).toBe(403);
  expect(await ask({ origin: 'http://127.0.0.1:1' })).toBe(403);
});

test('preview answers 404 for an invalid path, and for a path outside the site', async () => {
  const origin = await startPreview(index.root);
  for (const path of [
    'x'.repeat(300),
    '..%2fsite/site.json',
    '%00',
    '_headers',
    'api/components',
  ]) {
    expect([path, (await fetch(`${origin}/${path}`)).status]).toEqual([path, 404]);
  }
});

test('the preview of an index at Cloudflare answers API requests', async () => {
  const other = createIndex();
  await other.run('build');
  const origin = await startPreview(other.root);

  await expectHeaders(origin, other.out, false);
  const page = await fetch(`${origin}/nothing`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([404, other.read('dist/404.html')]);
  expect((await fetch(`${origin}/api/components/svc`)).status).toBe(200);
  expect((await fetch(`${origin}/_headers`)).status).toBe(404);
});

test.skipIf(lacks('nginx'))('nginx serves every path with the headers in CONTRACT', async () => {
  const settings = resolve(import.meta.dirname, '../../site/servers/nginx.conf');
  const origin = await startNginx(index.out, settings);

  await expectHeaders(origin, index.out);
  expect((await fetch(`${origin}/_headers`)).status).toBe(404);
});

test.skipIf(lacks('nginx'))('nginx compresses each kind of text', async () => {
  const settings = resolve(import.meta.dirname, '../../site/servers/nginx.conf');
  const origin = await startNginx(index.out, settings);

  for (const path of [
    'index.html',
    'assets/site.css',
    'assets/site.js',
    'search/0.json',
    'api/v1/products/svc',
    'feed.atom',
    'support.ics',
    'sitemap.xml',
    'SHA256SUMS',
  ]) {
    const { headers } = await fetch(`${origin}/${path}`);
    expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([
      path,
      'gzip',
      'Accept-Encoding',
    ]);
  }
});
