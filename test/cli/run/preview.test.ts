import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createIndex } from '../../harness/index-folder.ts';
import { expectHeaders, startPreview } from '../../publish/preview.ts';

const index = createIndex({ hosting: 'pages' });
index.write('program/release-index-1.0.0.tgz', 'a package');
await index.prepare('build', 'sign');

test('preview serves every path with the headers in CONTRACT', async () => {
  await expectHeaders(await startPreview(index.root), index.out);
});

test('preview rejects requests from pages of another origin', async () => {
  const origin = await startPreview(index.root);
  const { port } = new URL(origin);
  const ask = async (headers: Record<string, string>) => {
    const [response] = (await once(get(`${origin}/svc.json`, { headers }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    return response.statusCode;
  };

  expect(await ask({})).toBe(200);
  expect(await ask({ origin })).toBe(200);
  expect(await ask({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
  expect(await ask({ origin: 'https://example.com' })).toBe(403);
  expect(await ask({ origin: 'http://127.0.0.1:1' })).toBe(403);
  // A name of somebody else's domain may have the address 127.0.0.1.
  expect(await ask({ host: `example.com:${port}` })).toBe(403);
  expect(await ask({ host: `localhost.example.com:${port}` })).toBe(403);
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

test('a preview without an API says so at each address of the API, and shows the missing page elsewhere', async () => {
  const origin = await startPreview(index.root);
  const ask = async (path: string) => {
    const answer = await fetch(`${origin}/${path}`);
    return [answer.status, await answer.text()];
  };
  const noApi = [
    404,
    expect.stringMatching(/^This host has no API, .+: it serves only files\.\n$/),
  ];

  for (const path of ['api', 'api/components', 'policies/supported', 'packages', 'mcp']) {
    expect(await ask(path)).toEqual(noApi);
  }
  expect(await ask('mcp-of-another')).toEqual([404, index.read('dist/404.html')]);
});

test.each(['-1', '65536', '8787x', ''])('preview rejects the port %j', async (port) => {
  const { status, stderr } = await index.run('preview', `--port=${port}`);

  expect([status, stderr]).toEqual([2, expect.stringContaining('Expected a port, 0 to 65535.')]);
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
