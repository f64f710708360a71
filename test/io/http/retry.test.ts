import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { showUrl } from '../../../src/io/http/error.ts';
import { createNetworkFailure } from '../../../src/io/http/failures.ts';
import { systemClock } from '../../../src/io/http/hosts.ts';
import { defaultLimits } from '../../../src/io/http/http-run.ts';
import {
  client,
  failureOf,
  fakeClock,
  get,
  json,
  namesOf,
  serve,
  serveJson,
  serveStatus,
  status,
} from './harness.ts';
import { findGrowth } from '../../harness/growth.ts';

test('an address that is none is shown without its credentials and query', () => {
  expect(showUrl('https://user:pa/ss@[broken/x?key=secret')).toBe('"https://[broken/x"');
});

// Work that grows with the square would take 64 times as long.
test.each(['/', 'a::'])(
  'an address of eight times as many "%s" is shown in less than 30 times as long',
  async (part) => {
    const measure = (count: number) => {
      const before = process.threadCpuUsage();
      showUrl(part.repeat(count));
      return process.threadCpuUsage(before).user;
    };

    expect(await findGrowth(measure, 8000)).toBeLessThan(30);
  },
);

test('the HTTP client repeats 5xx answers with growing random waits until one succeeds', async () => {
  const clock = fakeClock();
  const server = await serve((_request, response) => {
    if (server.requests.length < 4) {
      status(response, 503);
    } else {
      json(response, { ok: true });
    }
  });

  const response = await get(server.url, client({ clock }));

  expect(response.json()).toEqual({ ok: true });
  expect(server.requests).toHaveLength(4);
  expect(clock.slept).toEqual([500, 1_000, 2_000]);
});

test('the HTTP client reports the last failure, and how often it tried', async () => {
  const server = await serve((_request, response) =>
    status(response, server.requests.length === 1 ? 500 : 502),
  );
  const { url } = server;

  const error = await failureOf(get(`${url}?key=secret`));

  const message = `GET ${url} answered 502 (4 attempts)`;
  expect(error).toMatchObject({ kind: 'trouble', status: 502, url, message });
});

test.each([
  ['in seconds', '5'],
  ['as a date', 'Sun, 01 Mar 2026 12:00:05 GMT'],
  ['as a date in an old form', 'Sunday, 01-Mar-26 12:00:05 GMT'],
  ['as a date without a zone', 'Sun Mar  1 12:00:05 2026'],
])(
  'the HTTP client waits as long as Retry-After asks %s, in any time zone',
  async (_form, value) => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = fakeClock();
    const server = await serve((_request, response) => {
      if (server.requests.length === 1) {
        status(response, 429, { 'retry-after': value });
      } else {
        json(response, {});
      }
    });

    await get(server.url, client({ clock }));

    expect(clock.slept).toEqual([5_000]);
  },
);

test.each(['1.5', '-1', 'version 7', 'Sun, 01 Mar 2026 12:00:05 +0200', '2026-03-01'])(
  'the HTTP client waits until the limit is reset if Retry-After is %s',
  async (value) => {
    const clock = fakeClock();
    const server = await serve((_request, response) => {
      if (server.requests.length === 1) {
        status(response, 429, {
          'retry-after': value,
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(clock.now() / 1_000 + 30),
        });
      } else {
        json(response, {});
      }
    });

    await get(server.url, client({ clock }));

    expect(clock.slept).toEqual([30_000]);
  },
);

const inAnHour = 'Sun, 01 Mar 2026 13:00:00 GMT';

test.each([
  ['Retry-After', { 'retry-after': 'Sun, 01 Mar 2026 13:00:05 GMT' }],
  [
    'the reset of a limit',
    {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse(inAnHour) / 1_000 + 5),
    },
  ],
])('the HTTP client reads the instant of %s by the clock of the host', async (_what, headers) => {
  const clock = fakeClock();
  const server = await serve((_request, response) => {
    if (server.requests.length === 1) {
      status(response, 429, { date: inAnHour, ...headers });
    } else {
      json(response, {});
    }
  });

  await get(server.url, client({ clock }));

  expect(clock.slept).toEqual([5_000]);
});

test('the HTTP client delays other requests to a host that asked to wait', async () => {
  const clock = fakeClock();
  const { origin } = await serve((request, response) => {
    if (request.url === '/busy') {
      status(response, 503, { 'retry-after': '9' });
    } else {
      json(response, {});
    }
  });
  const http = client({ clock, limits: { maxRetries: 0 } });
  await failureOf(get(`${origin}/busy`, http));

  const response = await get(`${origin}/other`, http);

  expect(response.json()).toEqual({});
  expect(clock.slept).toEqual([9_000]);
});

const reset = String(Date.parse('2026-03-01T12:30:00Z') / 1_000);
const tooLong = 'and asks to wait longer than the 60 s we wait';
const spent = 'The limit on requests is used up; a token raises it.';

test.each<[number, Record<string, string>, text: string]>([
  [429, { 'retry-after': '3600' }, `429 ${tooLong}`],
  [503, { 'retry-after': 'Sun, 01 Mar 2026 12:01:01 GMT' }, `503 ${tooLong}`],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset }, `403 ${tooLong}. ${spent}`],
])('the HTTP client gives up a host that answers %i %j', async (code, headers, text) => {
  const clock = fakeClock();
  const { origin, requests } = await serveStatus(code, headers);
  const { host } = new URL(origin);
  const http = client({ clock });

  for (const url of [`${origin}/a`, `${origin}/b`]) {
    expect(await failureOf(get(url, http))).toMatchObject({
      kind: 'trouble',
      status: code,
      message: `GET ${url}: "${host}" answered ${text}`,
    });
  }

  expect(requests).toHaveLength(1);
  expect(clock.slept).toEqual([]);
});

test.each<[number, Record<string, string>, kind: string, message: string]>([
  [403, {}, 'refused', '403'],
  [404, {}, 'absent', '404'],
  [410, {}, 'absent', '410'],
  [400, {}, 'content', '400, expected 200'],
  [204, {}, 'content', '204, expected 200'],
  [302, {}, 'content', '302, expected 200'],
  [304, {}, 'content', '304, expected 200'],
])(
  'the HTTP client does not repeat a request that is answered %i %j',
  async (code, headers, kind, text) => {
    const clock = fakeClock();
    const server = await serveStatus(code, headers);

    const error = await failureOf(get(server.url, client({ clock })));

    expect(error).toMatchObject({
      kind,
      status: code,
      message: `GET ${server.url} answered ${text}`,
    });
    expect(server.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  },
);

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

test.each<[where: string, cut: (socket: Socket) => unknown]>([
  ['before its headers', (socket) => socket.destroy()],
  [
    'within a body of declared length',
    (socket) => socket.end(`${head}content-length: 50\r\n\r\n{"ok":`),
  ],
  [
    'within a chunked body',
    (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n6\r\n{"ok":\r\n`),
  ],
])('the HTTP client asks again when the answer is cut %s', async (_where, cut) => {
  const server = await serve((request, response) => {
    if (server.requests.length === 1) {
      cut(request.socket);
    } else {
      json(response, { ok: true });
    }
  });

  const response = await get(server.url);

  expect(response.json()).toEqual({ ok: true });
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['ENOTFOUND', 'host "gone.example" does not exist (DNS)'],
  ['EAI_AGAIN', 'host "gone.example" cannot be looked up (DNS: EAI_AGAIN)'],
])('the HTTP client looks a host up once in a run when DNS answers %s', async (code, reason) => {
  const clock = fakeClock();
  const names = namesOf({ 'gone.example': code });
  const http = client({ clock, addresses: names });

  for (const url of ['https://gone.example/a', 'https://gone.example/b']) {
    expect(await failureOf(get(url, http))).toMatchObject({
      kind: 'trouble',
      message: `GET ${url}: ${reason}`,
    });
  }

  expect(names.asked).toEqual(['gone.example']);
  expect(clock.slept).toEqual([]);
});

test('the HTTP client tries once more when a lookup or a connection takes too long', async () => {
  const http = client({ addresses: { lookup: () => undefined }, limits: { connectMs: 20 } });

  const error = await failureOf(get('https://slow.example/a', http));

  expect(error.message).toBe(
    'GET https://slow.example/a: no connection to "slow.example" in 0.02 s (2 attempts)',
  );
});

test('the HTTP client tries a refused connection once more and then leaves the host alone', async () => {
  const clock = fakeClock();
  const http = client({ clock });

  const first = await failureOf(get('http://127.0.0.1:1/a', http));
  const requestsBefore = http.counts.requests;
  const second = await failureOf(get('http://127.0.0.1:1/b', http));

  expect(first.message).toBe(
    'GET http://127.0.0.1:1/a: connection refused by "127.0.0.1:1" (2 attempts)',
  );
  expect(second.message).toBe('GET http://127.0.0.1:1/b: connection refused by "127.0.0.1:1"');
  expect(clock.slept).toEqual([250]);
  expect(http.counts.requests).toBe(requestsBefore);
});

test('the HTTP client does not repeat a TLS handshake that cannot succeed', async () => {
  const clock = fakeClock();
  const { port } = await serveJson({});

  const url = `https://127.0.0.1:${port}/x`;
  const error = await failureOf(get(url, client({ clock })));

  expect(error.message).toMatch(
    `GET ${url}: "127.0.0.1:${port}" does not speak TLS as expected (E`,
  );
  expect(clock.slept).toEqual([]);
});

/** What a request says of an error with this code. */
const explain = (error: Error) =>
  createNetworkFailure(error, new URL('https://repo.example/x'), defaultLimits, []);

test.each([
  ['CERT_HAS_EXPIRED', ''],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ''],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'If your own certificate authority signed it, name its certificate in NODE_EXTRA_CA_CERTS.',
  ],
])('the HTTP client treats %s as final', (code, advice) => {
  const text = `: the certificate of "repo.example" is not valid (${code})`;

  const failure = explain(Object.assign(new Error('certificate'), { code }));

  expect(failure).toMatchObject({ details: { kind: 'trouble', isHostDown: true, text, advice } });
  expect(failure).not.toHaveProperty('details.retry');
});

test('the HTTP client says what failed where the connection was not cut', () => {
  const error = Object.assign(new Error('too many open files'), { code: 'EMFILE' });

  expect(explain(error)).toMatchObject({
    details: { retry: 'backoff', text: ': the request failed (EMFILE: too many open files)' },
  });
});

test('the HTTP client takes no bug of the program for trouble of a host', () => {
  const bug = new TypeError('x is not a function');

  expect(explain(bug)).toBe(bug);
});

test('the HTTP client stops a request under way when the run is aborted, and sends no other', async () => {
  const controller = new AbortController();
  const clock = fakeClock();
  const server = await serve(() => controller.abort());
  const http = client({ signal: controller.signal, clock });

  const error = await failureOf(get(server.url, http));
  const other = await failureOf(get(`${server.origin}/other`, http));

  expect(error).toMatchObject({
    kind: 'aborted',
    message: `GET ${server.url}: the run was stopped`,
  });
  expect(other.kind).toBe('aborted');
  expect(server.requests).toHaveLength(1);
  expect(clock.slept).toEqual([]);
});

test.each(['closed', 'aborted'])(
  'the HTTP client stops waiting for the next attempt when it is %s',
  async (how) => {
    const controller = new AbortController();
    const server = await serveStatus(503, { 'retry-after': '50' });
    const sleeping = Promise.withResolvers<void>();
    const http = client({
      signal: controller.signal,
      clock: {
        async sleep(ms, signal) {
          sleeping.resolve();
          await wait(ms, undefined, { signal });
        },
      },
    });
    const fetching = failureOf(get(server.url, http));
    await sleeping.promise;

    if (how === 'closed') {
      await http.close();
    } else {
      controller.abort();
    }

    expect((await fetching).kind).toBe('aborted');
    expect(server.requests).toHaveLength(1);
  },
);

test('the HTTP client gives up all requests to a stalled host within 70 seconds', async () => {
  const { origin, requests } = await serve((request, response) => {
    if (request.url!.startsWith('/begun')) {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    }
  });
  const limits = { headersMs: 200, idleMs: 200, silentMs: 460 };
  const http = client({ clock: systemClock, limits });
  const paths = Array.from(
    { length: 40 },
    (_, index) => `/${index % 2 ? 'begun' : 'silent'}?${index}`,
  );

  const errors = await Promise.all(paths.map((path) => failureOf(get(`${origin}${path}`, http))));

  expect(new Set(errors.map(({ kind }) => kind))).toEqual(new Set(['trouble']));
  expect(requests.length).toBeLessThan(30);
  const { headersMs, idleMs, silentMs, totalMs } = defaultLimits;
  expect(Math.max(2 * headersMs, headersMs + idleMs, silentMs, totalMs)).toBeLessThanOrEqual(
    70_000,
  );
});
