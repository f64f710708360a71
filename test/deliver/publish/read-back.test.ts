import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBack } from '../../../src/deliver/publish/read-back.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { createHttp } from '../../../src/io/http/client.ts';
import { headersFor } from '../../../src/site/render/headers.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';

const files = new Map([
  ['SHA256SUMS', 'digests'],
  ['svc.json', '{}'],
  ['index.html', '<!doctype html>'],
]);

let server: Upstream;
/** Wrong answers by path, in place of the files. */
let instead: Map<string, { status?: number; body?: string; headers?: Record<string, string> }>;
let slept: number[];

beforeEach(async () => {
  instead = new Map();
  slept = [];
  server = await startUpstream(() => ({ url }, response) => {
    const path = url!.slice(1);
    const { status = 200, body = files.get(path), headers } = instead.get(path) ?? {};
    response.writeHead(status, { ...Object.fromEntries(headersFor(path)!), ...headers }).end(body);
  });
});

afterEach(() => server.close());

function look(afterSleep = () => {}, stop = new AbortController()) {
  return readBack({
    baseUrl: server.url.slice(0, -1),
    digests: new Map(Array.from(files, ([path, body]) => [path, sha256(body)])),
    first: [],
    isOnce: false,
    openHttp: () => createHttp({ userAgent: 'test', limits: { maxRetries: 0 } }),
    signal: stop.signal,
    sleep: (ms) => {
      slept.push(ms);
      afterSleep();
      return Promise.resolve();
    },
  });
}

test('a site that is served as it was sent has no problems', async () => {
  expect(await look()).toEqual({ files: 3, problems: [] });
  expect(slept).toEqual([]);
});

test('an address that answers only with errors has a problem for each file', async () => {
  for (const path of files.keys()) {
    instead.set(path, { status: 503 });
  }

  expect((await look()).problems).toHaveLength(3);
});

test('a stopped run asks nothing more', async () => {
  const stop = new AbortController();
  instead.set('svc.json', { body: '{"old":true}' });

  const { problems } = await look(() => {
    stop.abort();
    instead.clear();
  }, stop);

  expect(problems).toHaveLength(1);
  expect(slept).toHaveLength(1);
});

test('a file that has not arrived yet is read again', async () => {
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
    'another time',
    { headers: { 'Cache-Control': 'no-store' } },
    'is "no-store", not "public, max-age=3600"',
  ],
  ['another origin', { headers: { 'Access-Control-Allow-Origin': 'a' } }, 'Origin is "a", not "*"'],
])('a wrong answer that stays is reported: %s', async (_, answer, problem) => {
  instead.set('svc.json', answer);

  const found = await look();

  expect(found.problems).toEqual([expect.stringContaining(problem)]);
  expect(slept.length).toBeGreaterThan(3);
});
