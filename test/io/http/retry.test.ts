import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { networkFailure } from '../../../src/io/http/failures.ts';
import { systemClock } from '../../../src/io/http/scheduling.ts';
import { defaultLimits } from '../../../src/io/http/connections.ts';
import { client, failureOf, fakeClock, json, JSON_ONLY, namesOf, serve, status } from './harness.ts';

test('the HTTP client repeats 5xx answers with growing random waits until one succeeds', async () => {
  const clock = fakeClock();
  const server = await serve((_request, response) => {
    if (server.requests.length < 4) status(response, 503);
    else json(response, { ok: true });
  });

  const response = await client({ clock }).fetch({ url: `${server.origin}/a`, accept: JSON_ONLY });

  expect(response.json()).toEqual({ ok: true });
  expect(server.requests).toHaveLength(4);
  expect(clock.slept).toEqual([500, 1_000, 2_000]);
});

test('the HTTP client reports how often and how long it tried', async () => {
  const server = await serve((_request, response) => status(response, 503, { 'retry-after': '7' }));

  const error = await failureOf(
    client().fetch({ url: `${server.origin}/example?key=secret`, accept: JSON_ONLY }),
  );

  expect(error.message).toBe(`GET ${server.origin}/example answered 503 (four times)`);
  expect(error).toMatchObject({ kind: 'trouble', status: 503, url: `${server.origin}/example` });
});

test.each([
  ['in seconds', '5'],
  ['as a date', 'Sun, 01 Mar 2026 12:00:05 GMT'],
])('the HTTP client waits as long as Retry-After asks %s', async (_form, value) => {
  const clock = fakeClock();
  const server = await serve((_request, response) => {
    if (server.requests.length === 1) status(response, 429, { 'retry-after': value });
    else json(response, {});
  });

  await client({ clock }).fetch({ url: server.origin, accept: JSON_ONLY });

  expect(clock.slept).toEqual([5_000]);
});

test('the HTTP client delays other requests to a host that asked to wait', async () => {
  const clock = fakeClock();
  const server = await serve((request, response) => {
    if (request.url === '/busy') status(response, 503, { 'retry-after': '9' });
    else json(response, {});
  });
  const http = client({ clock, limits: { maxRetries: 0 } });
  await failureOf(http.fetch({ url: `${server.origin}/busy`, accept: JSON_ONLY }));

  await http.fetch({ url: `${server.origin}/other`, accept: JSON_ONLY });

  expect(clock.slept).toEqual([9_000]);
});

test('the HTTP client does not wait for a Retry-After beyond the limit, and reports it', async () => {
  const clock = fakeClock();
  const server = await serve((_request, response) => status(response, 429, { 'retry-after': '3600' }));

  const error = await failureOf(client({ clock }).fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(
    `GET ${server.origin}/x answered 429 and asks to wait longer than the 60 s we wait`,
  );
  expect(error.kind).toBe('trouble');
  expect(clock.slept).toEqual([]);
});

test('the HTTP client treats a 403 for a spent rate limit as temporary', async () => {
  const reset = String(Date.parse('2026-03-01T12:30:00Z') / 1_000);
  const server = await serve((_request, response) =>
    status(response, 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }),
  );

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.kind).toBe('trouble');
  expect(error.message).toBe(
    `GET ${server.origin}/x answered 403 and asks to wait longer than the 60 s we wait. ` +
      'The limit on requests is used up; a token raises it.',
  );
});

test.each([
  [403, 'refused', ' answered 403'],
  [404, 'absent', ' answered 404'],
  [410, 'absent', ' answered 410'],
  [400, 'content', ' answered 400, expected 200'],
  [204, 'content', ' answered 204, expected 200'],
  [302, 'content', ' answered 302 without saying where to go'],
  [304, 'content', ' answered 304 (not modified) to a request without conditions'],
])('the HTTP client does not repeat a request that is answered %i', async (code, kind, text) => {
  const server = await serve((_request, response) => status(response, code));

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error).toMatchObject({ kind, status: code, message: `GET ${server.origin}/x${text}` });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['before its headers', (socket: { destroy(): void }) => socket.destroy()],
  [
    'within a body of declared length',
    (socket: { write(text: string): void; end(): void }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"ok":');
      socket.end();
    },
  ],
  [
    'within a chunked body',
    (socket: { write(text: string): void; end(): void }) => {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"ok":\r\n',
      );
      socket.end();
    },
  ],
])('asks again when the answer is cut %s', async (_where, cut) => {
  const server = await serve((request, response) => {
    if (server.requests.length === 1) cut(request.socket);
    else json(response, { ok: true });
  });

  const response = await client().fetch({ url: server.origin, accept: JSON_ONLY });

  expect(response.json()).toEqual({ ok: true });
  expect(server.requests).toHaveLength(2);
});

test('the HTTP client names the last reason when attempts failed in different ways', async () => {
  const server = await serve((_request, response) =>
    status(response, server.requests.length === 1 ? 500 : 502),
  );

  const error = await failureOf(client().fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.message).toBe(`GET ${server.origin}/x answered 502 (the last of 4 attempts)`);
});

test.each([
  ['ENOTFOUND', 'host "gone.example" does not exist (DNS)'],
  ['EAI_AGAIN', 'host "gone.example" cannot be looked up (DNS: EAI_AGAIN)'],
])('the HTTP client looks a host up once in a run when DNS answers %s', async (code, reason) => {
  const clock = fakeClock();
  const names = namesOf({ 'gone.example': code });
  const http = client({ clock, addresses: names });

  const first = await failureOf(http.fetch({ url: 'https://gone.example/a', accept: JSON_ONLY }));
  const second = await failureOf(http.fetch({ url: 'https://gone.example/b', accept: JSON_ONLY }));

  expect(first.message).toBe(`GET https://gone.example/a: ${reason}`);
  expect(second.message).toBe(`GET https://gone.example/b: ${reason}`);
  expect(second.kind).toBe('trouble');
  expect(names.asked).toEqual(['gone.example']);
  expect(clock.slept).toEqual([]);
});

test('the HTTP client tries once more when a lookup or a connection takes too long', async () => {
  const http = client({ addresses: { lookup: () => undefined }, limits: { connectMs: 20 } });

  const error = await failureOf(http.fetch({ url: 'https://slow.example/a', accept: JSON_ONLY }));

  expect(error.message).toBe(
    'GET https://slow.example/a: no connection to "slow.example" in under 1 s (twice)',
  );
});

test('the HTTP client tries a refused connection once more and then leaves the host alone', async () => {
  const clock = fakeClock();
  const http = client({ clock });

  const first = await failureOf(http.fetch({ url: 'http://127.0.0.1:1/a', accept: JSON_ONLY }));
  const requestsBefore = http.counts.requests;
  const second = await failureOf(http.fetch({ url: 'http://127.0.0.1:1/b', accept: JSON_ONLY }));

  expect(first.message).toBe('GET http://127.0.0.1:1/a: connection refused by "127.0.0.1:1" (twice)');
  expect(second.message).toBe('GET http://127.0.0.1:1/b: connection refused by "127.0.0.1:1"');
  expect(clock.slept).toEqual([250]);
  expect(http.counts.requests).toBe(requestsBefore);
});

test('the HTTP client keeps asking a host that answers with an error status', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/a') status(response, 500);
    else json(response, {});
  });
  const http = client();
  await failureOf(http.fetch({ url: `${server.origin}/a`, accept: JSON_ONLY }));

  const response = await http.fetch({ url: `${server.origin}/b`, accept: JSON_ONLY });

  expect(response.json()).toEqual({});
});

test('the HTTP client does not repeat a TLS handshake that cannot succeed', async () => {
  const clock = fakeClock();
  const server = await serve((_request, response) => json(response, {}));

  const url = `https://127.0.0.1:${server.port}/x`;
  const error = await failureOf(client({ clock }).fetch({ url, accept: JSON_ONLY }));

  expect(error.message).toMatch(`GET ${url}: "127.0.0.1:${server.port}" does not speak TLS as expected (E`);
  expect(clock.slept).toEqual([]);
});

test.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'the HTTP client treats %s as final',
  (code) => {
    const error = Object.assign(new Error('certificate'), { code });

    const { details } = networkFailure(error, new URL('https://repo.example/x'), defaultLimits);

    expect(details).toMatchObject({ kind: 'trouble', retry: 'never', isHostDown: true });
    expect(details.text).toBe(`: the certificate of "repo.example" is not valid (${code})`);
  },
);

test('the HTTP client stops a request under way when the run is aborted', async () => {
  const controller = new AbortController();
  const clock = fakeClock();
  const server = await serve(() => controller.abort());

  const http = client({ signal: controller.signal, clock });
  const error = await failureOf(http.fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.kind).toBe('aborted');
  expect(error.message).toBe(`GET ${server.origin}/x: the run was stopped`);
  expect(clock.slept).toEqual([]);
});

test('the HTTP client stops waiting for the next attempt when the run is aborted', async () => {
  const controller = new AbortController();
  const server = await serve((_request, response) => {
    status(response, 503, { 'retry-after': '30' });
    response.on('finish', () => setImmediate(() => controller.abort()));
  });

  const http = client({ signal: controller.signal, clock: {} });
  const error = await failureOf(http.fetch({ url: `${server.origin}/x`, accept: JSON_ONLY }));

  expect(error.kind).toBe('aborted');
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client sends nothing once the run is aborted', async () => {
  const server = await serve((_request, response) => json(response, {}));

  const http = client({ signal: AbortSignal.abort() });
  const error = await failureOf(http.fetch({ url: server.origin, accept: JSON_ONLY }));

  expect(error.kind).toBe('aborted');
  expect(server.requests).toEqual([]);
});

test('the HTTP client repeats HEAD by the same rules and gives its headers', async () => {
  const server = await serve((_request, response) => {
    if (server.requests.length === 1) return status(response, 502);
    const headers = { 'content-type': 'text/xml', 'last-modified': 'Sun, 01 Mar 2026 10:00:00 GMT' };
    response.writeHead(200, { ...headers, 'content-length': '1234' }).end();
  });

  const response = await client().fetch({ url: server.origin, method: 'HEAD', accept: ['application/xml'] });

  expect(response.headers.get('last-modified')).toBe('Sun, 01 Mar 2026 10:00:00 GMT');
  expect(response.body).toHaveLength(0);
  expect(server.requests.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
});

test('the HTTP client accepts a HEAD answer without a content type', async () => {
  const server = await serve((_request, response) => status(response, 200));

  const response = await client().fetch({ url: server.origin, method: 'HEAD', accept: ['application/xml'] });

  expect(response.body).toHaveLength(0);
});

test('closing a client cancels pending repeats', async () => {
  const server = await serve((_request, response) => status(response, 503, { 'retry-after': '50' }));
  const sleeping = Promise.withResolvers<void>();
  const http = client({
    clock: {
      async sleep(ms, signal) {
        sleeping.resolve();
        await wait(ms, undefined, { signal });
      },
    },
  });
  const fetching = failureOf(http.fetch({ url: server.origin, accept: JSON_ONLY }));
  await sleeping.promise;

  await http.close();

  expect((await fetching).kind).toBe('aborted');
  expect(server.requests).toHaveLength(1);
});

test('the HTTP client gives up all requests to a stalled host within 70 seconds', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/begun') response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  });
  const started = performance.now();
  const http = client({ clock: systemClock, limits: { headersMs: 1_000, idleMs: 1_000, silentMs: 2_300 } });
  const paths = Array.from({ length: 40 }, (_, index) => (index % 2 ? '/begun' : '/silent'));

  const errors = await Promise.all(
    paths.map((path, index) =>
      failureOf(http.fetch({ url: `${server.origin}${path}?${index}`, accept: JSON_ONLY })),
    ),
  );

  expect(performance.now() - started).toBeLessThan(4_500);
  expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['trouble']));
  expect(server.requests.length).toBeLessThan(30);
  const { headersMs, idleMs, silentMs, totalMs } = defaultLimits;
  expect(Math.max(2 * headersMs, headersMs + idleMs, silentMs, totalMs)).toBeLessThanOrEqual(70_000);
});
