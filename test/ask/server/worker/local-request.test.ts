import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { onTestFinished, expect, test } from 'vitest';
import { explainForeignRequest } from '../../../../src/ask/server/worker/local-request.ts';
import { serveFolder } from '../../../../src/deliver/host/static-server.ts';
import { makeRoot } from '../../../harness/root.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';

const draft =
  'A preview may show a draft, so only pages of this computer may read it. The host answers pages of every origin.';
const name = 'A preview answers only for 127.0.0.1 and localhost.';

test.each<[host: string | undefined, origin: string | undefined, reason: string | undefined]>([
  ['127.0.0.1:8787', undefined, undefined],
  ['localhost:8787', 'http://localhost:3000', undefined],
  ['[::1]:8787', 'https://127.0.0.1', undefined],
  ['127.0.0.1:8787', 'https://other.example', draft],
  ['127.0.0.1:8787', 'http://localhost.other.example', draft],
  ['127.0.0.1:8787', 'null', draft],
  ['127.0.0.1:8787', 'chrome-extension://abcdef', draft],
  ['127.0.0.1:8787', 'localhost', draft],
  ['other.example', undefined, name],
  ['127.0.0.1.other.example', 'http://localhost', name],
  [undefined, undefined, name],
])('a preview rejects a request for the host %s from a page of %s: %s', (host, origin, reason) => {
  expect(explainForeignRequest(host, origin)).toBe(reason);
});

test('a preview of files rejects pages of other origins, and says why', async () => {
  const server = await serveFolder(siteOfFixtureIndex());
  onTestFinished(() => server.close());

  const ask = async (headers: Record<string, string>) => {
    const asked = request(new URL('/index.json', server.url), { headers });
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage];
    return [response.statusCode, await text(response)];
  };

  expect(await ask({ Origin: 'https://other.example' })).toEqual([403, `${draft}\n`]);
  expect(await ask({ Host: 'other.example' })).toEqual([403, `${name}\n`]);
  expect(await ask({ Origin: 'http://localhost:3000' })).toEqual([
    200,
    expect.stringContaining('"svc"') as string,
  ]);
});

test.each(['//', '//?x', '/../package.json', '*'])(
  'a preview of files answers 404 for %s, and goes on',
  async (path) => {
    const server = await serveFolder(siteOfFixtureIndex());
    onTestFinished(() => server.close());
    const { port } = new URL(server.url);

    const [response] = (await once(
      request({ host: '127.0.0.1', port, path }).end(),
      'response',
    )) as [IncomingMessage];
    response.resume();

    expect(response.statusCode).toBe(404);
    expect((await fetch(`${server.url}/index.json`)).status).toBe(200);
  },
);

test('a preview of files goes on while builds replace the site', async () => {
  const folder = makeRoot({ 'dist/404.html': 'not found' });
  const site = join(folder, 'dist');
  const server = await serveFolder(site);
  onTestFinished(() => server.close());

  // As a build does between two system calls of the server.
  const builds = new Worker(
    `const { renameSync } = require('node:fs');
    const end = Date.now() + 500;
    while (Date.now() < end) {
      renameSync(${JSON.stringify(site)}, ${JSON.stringify(`${site}-old`)});
      renameSync(${JSON.stringify(`${site}-old`)}, ${JSON.stringify(site)});
    }`,
    { eval: true },
  );
  while (builds.threadId !== -1) {
    await fetch(`${server.url}/404.html`).catch(() => undefined);
  }

  expect((await fetch(`${server.url}/404.html`)).status).toBe(200);
});

test.each(['POST', 'DELETE'])('a preview of files rejects the method %s', async (method) => {
  const server = await serveFolder(siteOfFixtureIndex());
  onTestFinished(() => server.close());

  const { status, headers } = await fetch(`${server.url}/index.json`, { method });

  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a preview of files serves no file of a folder beside it', async () => {
  const folder = makeRoot({ 'dist/404.html': 'not found', 'dist-draft/index.html': 'a draft' });
  const server = await serveFolder(join(folder, 'dist'));
  onTestFinished(() => server.close());
  const { port } = new URL(server.url);

  const path = '*/../../../dist-draft/index.html';
  const [response] = (await once(request({ host: '127.0.0.1', port, path }).end(), 'response')) as [
    IncomingMessage,
  ];

  expect([response.statusCode, await text(response)]).toEqual([404, 'not found']);
});
