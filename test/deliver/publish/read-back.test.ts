import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Protection } from '../../../src/core/schemas/access/access-config.ts';
import { readBack } from '../../../src/deliver/publish/read-back.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { HttpError } from '../../../src/io/http/error.ts';
import { createHttp } from '../../../src/io/http/client.ts';
import { findHeaders } from '../../../src/site/render/headers.ts';
import { startUpstream, type Upstream } from '../../harness/upstream.ts';

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often it is given; then comes the file. */
  times?: number;
  readonly afterwards?: () => void;
}

const small = new Map([
  ['SHA256SUMS', 'digests'],
  ['_headers', '/*'],
  ['svc.json', '{}'],
  ['index.html', '<!doctype html>'],
]);

let server: Upstream;
let files: ReadonlyMap<string, string>;
/** Wrong answers by path, in place of the files. */
let instead: Readonly<Record<string, Answer>>;
let protection: Protection | undefined;

beforeAll(async () => {
  server = await startUpstream(() => ({ url }, response) => {
    const path = url!.slice(1);
    const wrong = instead[path];
    const isOver = wrong?.times !== undefined && wrong.times-- <= 0;
    const { status = 200, body = files.get(path), headers, afterwards } = (!isOver && wrong) || {};
    const own = Object.fromEntries(findHeaders(path, protection)!);
    response.writeHead(status, { ...own, ...headers }).end(body);
    afterwards?.();
  });
});

afterAll(() => server.close());

type Options = Partial<Parameters<typeof readBack>[0]>;

/** Reads a site back that is served as it was sent, but for these answers. */
function look(answers: Record<string, Answer> = {}, options: Options = {}, site = small) {
  [instead, files, protection] = [answers, site, options.protect];
  server.requests.length = 0;
  return readBack({
    baseUrl: server.url.slice(0, -1),
    digests: new Map(Array.from(site, ([path, body]) => [path, sha256(body)])),
    first: [],
    openHttp: () =>
      createHttp({ repositoryUrl: 'https://test.example', limits: { maxRetries: 0 } }),
    signal: new AbortController().signal,
    waitsMs: [1, 1],
    ...options,
  });
}

const readsOf = (path: string) => server.requests.filter((request) => request.path === path).length;

test('a site that is served as it was sent has no problems, and is read once', async () => {
  let clients = 0;
  const openHttp = () => {
    clients++;
    return createHttp({ repositoryUrl: 'https://test.example' });
  };

  expect(await look({}, { openHttp })).toEqual({ files: 3, problems: [] });
  expect([clients, server.requests.length]).toEqual([1, 3]);
});

test('an address that answers only with errors has a problem for each file', async () => {
  const all = Array.from(small.keys(), (path) => [path, { status: 503 }]);

  expect((await look(Object.fromEntries(all) as Record<string, Answer>)).problems).toHaveLength(3);
});

test('a stopped run asks nothing more', async () => {
  const stop = new AbortController();
  const stale = { body: '{"old":true}', afterwards: () => stop.abort() };

  const { problems } = await look({ 'svc.json': stale }, { signal: stop.signal });

  expect(problems).toHaveLength(1);
  expect(readsOf('/svc.json')).toBe(1);
});

test('what has not arrived yet is read again, and nothing else', async () => {
  const probes: string[] = [];
  const checkProtection = () => {
    probes.push('asked');
    return Promise.resolve(probes.length < 2 ? 'open' : undefined);
  };

  const late = await look({ 'svc.json': { body: 'old', times: 2 } }, { checkProtection });

  expect(late).toEqual({ files: 3, problems: [] });
  expect([readsOf('/svc.json'), readsOf('/SHA256SUMS'), probes.length]).toEqual([3, 1, 2]);
});

test('without waits, each file is read once', async () => {
  const { problems } = await look({ 'svc.json': { status: 404 } }, { waitsMs: [] });

  expect(problems).toHaveLength(1);
  expect(readsOf('/svc.json')).toBe(1);
});

test('the headers of a closed site are others', async () => {
  expect(await look({}, { protect: 'everything' })).toEqual({ files: 3, problems: [] });
  const open = { headers: { 'Cache-Control': 'public, max-age=3600' } };
  const { problems } = await look({ 'svc.json': open }, { protect: 'everything' });
  expect(problems).toEqual([
    expect.stringContaining('is "public, max-age=3600", not "private, max-age=3600"'),
  ]);
});

test('of many files the essential and the changed ones are read', async () => {
  const names = Array.from({ length: 310 }, (_, index) => `a${index}.json`);
  const many = new Map([...names, 'all.json', 'status.json'].map((path) => [path, '{}']));
  const asked: string[] = [];
  // Hundreds of requests take too long.
  const openHttp = () => ({
    ...createHttp({ repositoryUrl: 'https://test.example' }),
    fetch({ url }: { url: string }) {
      asked.push(new URL(url).pathname);
      return Promise.reject(new HttpError({ kind: 'absent', url, message: 'absent' }));
    },
  });

  const first = ['a309.json', 'gone.json'];
  expect(await look({}, { first, openHttp, waitsMs: [] }, many)).toMatchObject({ files: 300 });
  expect(asked).toEqual(expect.arrayContaining(['/a309.json', '/status.json']));
  expect(asked).toHaveLength(300);
  expect(asked).not.toContain('/a308.json');
});

test('an error of the program is not taken for an answer', async () => {
  const checkProtection = () => Promise.reject(new TypeError('x is undefined'));

  await expect(look({}, { checkProtection })).rejects.toThrow('x is undefined');
});

test.each<[string, Answer, string]>([
  ['another file', { body: '{"old": true}' }, 'svc.json is not the file that was sent'],
  ['no file', { status: 404 }, 'answered 404'],
  ['another type', { headers: { 'Content-Type': 'text/html' } }, 'text/html'],
  [
    'another time',
    { headers: { 'Cache-Control': 'no-store' } },
    'svc.json: Cache-Control is "no-store", not "public, max-age=3600"',
  ],
  ['another origin', { headers: { 'Access-Control-Allow-Origin': 'a' } }, 'Origin is "a", not "*"'],
  [
    'a type with more',
    { headers: { 'Content-Type': 'application/json; charset=latin1' } },
    'Content-Type is "application/json; charset=latin1", not "application/json"',
  ],
])('a wrong answer that stays is reported: %s', async (_, answer, problem) => {
  const { problems } = await look({ 'svc.json': answer });

  expect(problems).toEqual([expect.stringContaining(problem)]);
  expect(readsOf('/svc.json')).toBe(3);
});

test('a header that is missing is reported', async () => {
  const server = await startUpstream(
    () => (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );

  const { problems } = await look(
    {},
    { baseUrl: server.url.slice(0, -1) },
    new Map([['svc.json', '{}']]),
  );
  await server.close();

  expect(problems).toEqual([
    expect.stringMatching(/: Access-Control-Allow-Origin is missing, not "\*"$/),
  ]);
});
