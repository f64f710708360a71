import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttp } from '../../../src/io/http/client.ts';
import { readBack } from '../../../src/deliver/publish/read-back.ts';
import { headersFor } from '../../../src/site/render/headers.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';

const files = new Map([
  ['SHA256SUMS', 'digests'],
  ['svc.json', '{}'],
  ['index.html', '<!doctype html>'],
]);
const served = 3;

let server: Server;
let url: string;
/** What the address answers with instead of the file. */
let instead: Map<string, { status?: number; body?: string; headers?: Record<string, string> }>;
let slept: number[];

beforeEach(async () => {
  instead = new Map();
  slept = [];
  server = createServer((request, response) => {
    const path = request.url!.slice(1);
    const other = instead.get(path) ?? {};
    const body = files.get(path);
    const known = body === undefined ? undefined : headersFor(path);
    const headers = known ? Object.fromEntries(known) : {};
    response.writeHead(other.status ?? (known ? 200 : 404), { ...headers, ...other.headers });
    response.end(other.body ?? body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('a site that is served as it was sent has no problems', async () => {
  expect(await look()).toEqual({ files: served, problems: [] });
  expect(slept).toEqual([]);
});

test('an address that answers with errors alone has as many problems as files', async () => {
  for (const path of files.keys()) instead.set(path, { status: 503 });

  expect((await look()).problems).toHaveLength(served);
});

test('a file that has not arrived yet is waited for', async () => {
  instead.set('svc.json', { body: '{"old": true}' });

  const found = await look(() => instead.clear());

  expect(found.problems).toEqual([]);
  expect(slept).toHaveLength(1);
});

test.each([
  ['another file', { body: '{"old": true}' }, 'svc.json is not the file that was sent'],
  ['no file', { status: 404 }, 'answered 404'],
  ['another type', { headers: { 'Content-Type': 'text/html' } }, 'text/html'],
  [
    'another time to keep',
    { headers: { 'Cache-Control': 'public, max-age=14400' } },
    'svc.json: Cache-Control is "public, max-age=14400", not "public, max-age=3600"',
  ],
  [
    'closed to other origins',
    { headers: { 'Access-Control-Allow-Origin': 'https://elsewhere.example' } },
    'svc.json: Access-Control-Allow-Origin is "https://elsewhere.example", not "*"',
  ],
])('a wrong answer that stays is reported: %s', async (_, answer, problem) => {
  instead.set('svc.json', answer);

  const found = await look();

  expect(found.problems).toEqual([expect.stringContaining(problem)]);
  expect(slept.length).toBeGreaterThan(3);
});

function look(afterSleep = () => {}) {
  return readBack({
    baseUrl: url,
    digests: new Map(Array.from(files, ([path, body]) => [path, sha256(body)])),
    first: [],
    isOnce: false,
    openHttp: () => createHttp({ userAgent: 'test', limits: { maxRetries: 0 } }),
    signal: new AbortController().signal,
    sleep: (ms) => {
      slept.push(ms);
      afterSleep();
      return Promise.resolve();
    },
  });
}
