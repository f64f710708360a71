import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { HttpLimits } from '../../../src/io/http/http-run.ts';
import { endless } from '../../harness/upstream.ts';
import { client, failureOf, get, serve } from './harness.ts';

const document = JSON.stringify({
  versions: Array.from({ length: 2_000 }, (_, index) => `1.0.${index}`),
});
const jsonType = { 'content-type': 'application/json' };

const sending =
  (body: string | Buffer, headers: Record<string, string> = jsonType): RequestListener =>
  (_request, response) =>
    response.writeHead(200, headers).end(body);
const encoded = (encoding: string, body: string | Buffer = document) =>
  sending(body, { ...jsonType, 'content-encoding': encoding });

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['identity', (text: string) => Buffer.from(text)],
])('the HTTP client unpacks %s', async (encoding, pack) => {
  const server = await serve(encoded(encoding, pack(document)));

  const response = await get(server.url);

  expect(response.text()).toBe(document);
  expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip');
});

const silence: RequestListener = () => undefined;
const half: RequestListener = (_request, response) =>
  void response.writeHead(200, jsonType).write('[');

test.each<[what: string, RequestListener, Partial<HttpLimits>, kind: string, message: string]>([
  [
    'unpacks to more than the limit',
    encoded('gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024))),
    { maxBytes: 1024 * 1024 },
    'limit',
    ' is bigger than the 1 MiB we read',
  ],
  [
    'never ends',
    endless(new Map()),
    { maxBytes: 1024 * 1024 },
    'limit',
    ' is bigger than the 1 MiB we read',
  ],
  ['has no headers', silence, { headersMs: 60, maxRetries: 0 }, 'trouble', ': no answer in 0.06 s'],
  ['stops', half, { idleMs: 60, maxRetries: 0 }, 'trouble', ': the answer stopped for 0.06 s'],
  ['takes too long', half, { totalMs: 60 }, 'limit', ': not complete in 0.06 s'],
  [
    'has too many bytes of headers',
    sending('{}', { 'x-long': 'x'.repeat(70_000) }),
    {},
    'limit',
    ': the answer has more than 65536 bytes of headers',
  ],
  ['is empty', sending(''), {}, 'content', ' answered 200 with an empty body'],
  ['is not gzip', encoded('gzip'), {}, 'content', ' is not gzip as it says (Z_DATA_ERROR)'],
  [
    'has an unknown encoding',
    encoded('compress'),
    {},
    'content',
    ' has the unknown encoding "compress"',
  ],
  [
    'is packed twice',
    encoded('gzip, gzip'),
    {},
    'content',
    ' has the unknown encoding "gzip, gzip"',
  ],
])('the HTTP client rejects an answer that %s', async (_what, listener, limits, kind, message) => {
  const server = await serve(listener);

  const error = await failureOf(get(server.url, client({ limits })));

  expect(error).toMatchObject({ kind, message: `GET ${server.url}${message}` });
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client applies the limit of a request', async () => {
  const server = await serve(sending(document));

  const error = await failureOf(get(server.url, client(), { maxBytes: 2 ** 14 }));

  expect(error.message).toBe(`GET ${server.url} is bigger than the 0.015625 MiB we read`);
});

test('the HTTP client asks again when a packed body ends early', async () => {
  const packed = gzipSync(document);
  const server = await serve((request, response) => {
    const end = server.requests.length === 1 ? packed.length - 20 : packed.length;
    encoded('gzip', packed.subarray(0, end))(request, response);
  });

  const response = await get(server.url);

  expect(response.text()).toBe(document);
  expect(server.requests).toHaveLength(2);
});

test('the HTTP client accepts an empty body if it means an empty list', async () => {
  const server = await serve(sending(''));

  expect((await get(server.url, client(), { mayBeEmpty: true })).text()).toBe('');
});

test('the HTTP client drops a byte order mark, and rejects a body that is not UTF-8 or JSON', async () => {
  const bodies: Record<string, Buffer> = {
    '/marked': Buffer.from('\ufeff{"a":"ä"}'),
    '/latin1': Buffer.from('{"a":"ä"}', 'latin1'),
    '/words': Buffer.from('Service is   down\n'),
  };
  const { origin } = await serve((request, response) =>
    sending(bodies[request.url!]!)(request, response),
  );

  const [marked, latin1, words] = await Promise.all(
    Object.keys(bodies).map((path) => get(`${origin}${path}`)),
  );

  expect(marked!.json()).toEqual({ a: 'ä' });
  expect(() => latin1!.json()).toThrow(`GET ${origin}/latin1 is not valid UTF-8`);
  expect(() => words!.json()).toThrow(
    `GET ${origin}/words is not valid JSON (it begins with "Service is down")`,
  );
});

test.each<[type: string, accept: string[], alsoAccept?: string[]]>([
  ['application/json; charset=utf-8', ['application/json']],
  ['application/vnd.npm.install-v1+json', ['application/json']],
  ['text/xml', ['application/xml']],
  ['application/rss+xml', ['text/xml']],
  ['Text/Plain', ['text/*']],
  ['application/octet-stream', ['*/*']],
  ['text/plain', ['application/yaml'], ['text/plain']],
])(
  'the HTTP client accepts %s where the request accepts %j and also %j',
  async (type, accept, alsoAccept) => {
    const server = await serve(sending('x', { 'content-type': type }));

    const response = await get(server.url, client(), { accept, alsoAccept });

    expect(response.text()).toBe('x');
    expect(server.requests[0]?.headers.accept).toBe(accept.join(', '));
  },
);

test.each([
  [
    'text/html',
    ['application/json'],
    'text/html. The address may be a web page rather than a repository.',
  ],
  ['application/octet-stream', ['application/xml', 'text/xml'], 'application/octet-stream'],
  ['text/plain', ['application/yaml', 'application/json'], 'text/plain'],
  [`text/${'x'.repeat(30_000)}`, ['application/json'], `text/${'x'.repeat(94)}…`],
])('the HTTP client rejects %j where the request accepts %j', async (type, accept, text) => {
  const server = await serve(sending('<form>Sign in</form>', { 'content-type': type }));

  const error = await failureOf(get(server.url, client(), { accept }));

  expect(error).toMatchObject({
    kind: 'content',
    message: `GET ${server.url} has the unexpected type ${text}`,
  });
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client judges an answer without a content type by its content', async () => {
  const server = await serve(sending('{"a":1}', {}));

  expect((await get(server.url)).json()).toEqual({ a: 1 });
});
