import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { createIndex } from '../harness/index-folder.ts';
import { startNginx } from '../harness/nginx.ts';
import { lacks } from '../harness/programs.ts';
import { expectHeaders } from './preview.ts';

const index = createIndex({ hosting: 'pages' });
index.write('program/release-index-1.0.0.tgz', 'a package');
await index.prepare('build', 'sign');

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
