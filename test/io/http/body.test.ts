import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HttpError } from '../../../src/io/http/error.ts';
import { client, failureOf, JSON_ONLY, json, serve } from './harness.ts';

const DOCUMENT = JSON.stringify({ versions: Array.from({ length: 2_000 }, (_, index) => `1.0.${index}`) });
const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['zstd', zstdCompressSync],
  ['identity', (text: string) => Buffer.from(text)],
])('the HTTP client unpacks %s', async (encoding, pack) => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(pack(DOCUMENT));
  });

  const response = await client().fetch({ url: server.origin, accept: JSON_ONLY });

  expect(response.text()).toBe(DOCUMENT);
  expect(server.requests[0]?.headers['accept-encoding']).toBe('gzip, br');
});

test('the HTTP client stops unpacking at the limit, long before the end', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const server = await serve((_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb);
  });

  const fetching = client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY, maxBytes: 1024 * 1024 });
  const error = await failureOf(fetching);

  expect(error.kind).toBe('limit');
  expect(server.requests).toHaveLength(1);
  expect(error.message).toBe(`GET ${server.origin}/x is bigger than the 1024 KB we read (unpacked)`);
});

test('the HTTP client stops reading an endless body', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, JSON_TYPE);
    const more = () => {
      while (response.write(Buffer.alloc(64 * 1024, ' ')));
      response.once('drain', more);
    };
    more();
  });

  const http = client({ limits: { maxBytes: 1024 * 1024 } });
  const error = await failureOf(http.fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(`GET ${server.origin}/x is bigger than the 1024 KB we read`);
  expect(error.kind).toBe('limit');
});

test('the HTTP client does not read a body whose stated length is too big', async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': String(2 ** 31) }).flushHeaders();
  });

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(
    `GET ${server.origin}/x is bigger than the 64 MB we read (announced as 2048 MB)`,
  );
});

test('the HTTP client asks again when a packed body ends early', async () => {
  const packed = gzipSync(DOCUMENT);
  const server = await serve((_request, response) => {
    const end = server.requests.length === 1 ? packed.length - 20 : packed.length;
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(packed.subarray(0, end));
  });

  const response = await client().fetch({ url: server.origin, accept: JSON_ONLY });

  expect(response.text()).toBe(DOCUMENT);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['gzip', /^ is not gzip as it says \(Z_DATA_ERROR\)$/],
  ['br', /^ is not br as it says \(.+\)$/],
  ['zstd', /^ is not zstd as it says \(.+\)$/],
  ['compress', /^ has the unknown encoding "compress"$/],
  ['gzip, gzip', /^ has the unknown encoding "gzip, gzip"$/],
])('the HTTP client rejects a body that is not in its encoding, %s', async (encoding, text) => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(DOCUMENT);
  });

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.kind).toBe('content');
  expect(error.message.replace(`GET ${server.origin}/x`, '')).toMatch(text);
});

test.each([
  ['headersMs', 'no answer in under 1 s', 'trouble'],
  ['idleMs', 'the answer stopped for under 1 s', 'trouble'],
  ['totalMs', 'not complete in under 1 s', 'limit'],
] as const)('the HTTP client keeps to %s', async (limit, text, kind) => {
  const server = await serve((_request, response) => {
    if (limit !== 'headersMs') response.writeHead(200, JSON_TYPE).write('[');
  });

  const http = client({ limits: { [limit]: 60, maxRetries: 0 } });
  const error = await failureOf(http.fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(`GET ${server.origin}/x: ${text}`);
  expect(error.kind).toBe(kind);
});

test('the HTTP client rejects an answer with too many bytes of headers', async () => {
  const server = await serve((_request, response) => json(response, {}, { 'x-long': 'x'.repeat(70_000) }));

  const http = client();
  const error = await failureOf(http.fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(`GET ${server.origin}/x answered with more than 65536 bytes of headers`);
  expect(error.kind).toBe('limit');
});

test('the HTTP client rejects an empty body', async () => {
  const server = await serve((_request, response) => response.writeHead(200, JSON_TYPE).end());

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error).toMatchObject({
    kind: 'content',
    message: `GET ${server.origin}/x answered 200 with an empty body`,
  });
});

test('the HTTP client accepts an empty body if it means an empty list', async () => {
  const server = await serve((_request, response) => response.writeHead(200, JSON_TYPE).end());

  const answer = await client().fetch({ url: server.origin, accept: JSON_ONLY, mayBeEmpty: true });

  expect(answer.text()).toBe('');
});

test('the HTTP client drops a byte order mark, and rejects a body that is not UTF-8 or JSON', async () => {
  const bodies: Record<string, Buffer> = {
    '/marked': Buffer.from('\ufeff{"a":"ä"}'),
    '/latin1': Buffer.from('{"a":"ä"}', 'latin1'),
    '/words': Buffer.from('Service is   down\n'),
  };
  const server = await serve((request, response) => {
    response.writeHead(200, JSON_TYPE).end(bodies[request.url ?? '']);
  });
  const http = client();
  const get = (path: string) => http.fetch({ url: `${server.origin}${path}`, accept: JSON_ONLY });

  const [marked, latin1, words] = await Promise.all([get('/marked'), get('/latin1'), get('/words')]);

  expect(marked.json()).toEqual({ a: 'ä' });
  expect(() => latin1.json()).toThrow(`GET ${server.origin}/latin1 is not valid UTF-8`);
  expect(() => words.json()).toThrow(
    `GET ${server.origin}/words is not valid JSON (it begins with "Service is down")`,
  );
});

test.each([
  ['application/json; charset=utf-8', ['application/json']],
  ['application/vnd.npm.install-v1+json', ['application/json']],
  ['text/xml', ['application/xml']],
  ['application/rss+xml', ['text/xml']],
  ['Text/Plain', ['text/*']],
  ['application/octet-stream', ['*/*']],
])('the HTTP client accepts %s where the request accepts %j', async (type, accept) => {
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': type }).end('x'),
  );

  const response = await client().fetch({ url: server.origin, accept });

  expect(response.text()).toBe('x');
  expect(server.requests[0]?.headers.accept).toBe(accept.join(', '));
});

test.each([
  [
    'text/html',
    ['application/json'],
    ' is text/html, not JSON. The address may be a web page rather than a repository.',
  ],
  ['application/octet-stream', ['application/xml', 'text/xml'], ' is application/octet-stream, not XML'],
  ['text/plain', ['application/yaml', 'application/json'], ' is text/plain, not YAML or JSON'],
])('the HTTP client rejects %j where the request accepts %j', async (type, accept, text) => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': type }).end('<form>Sign in</form>');
  });

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept }));

  expect(error).toMatchObject({ kind: 'content', message: `GET ${server.origin}/x${text}` });
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client judges an answer without a content type by its content', async () => {
  const server = await serve((request, response) => {
    response.writeHead(200).end(request.url === '/good' ? '{"a":1}' : '<form>Sign in</form>');
  });
  const http = client();

  const good = await http.fetch({ url: `${server.origin}/good`, accept: ['application/json'] });
  const bad = await http.fetch({ url: `${server.origin}/bad`, accept: ['application/json'] });

  expect(good.json()).toEqual({ a: 1 });
  expect(() => bad.json()).toThrow(HttpError);
});

test('the HTTP client accepts another type than requested if the request allows it', async () => {
  const server = await serve((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end('a: 1'),
  );

  const accept = ['application/yaml'];
  const response = await client().fetch({ url: server.origin, accept, alsoAccept: ['text/plain'] });

  expect(response.text()).toBe('a: 1');
  expect(server.requests[0]?.headers.accept).toBe('application/yaml');
});
