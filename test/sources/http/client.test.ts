import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Http, HttpRequest } from '../../../src/sources/http/client.ts';
import { nameVariables } from '../../../src/sources/http/credentials.ts';
import { fetchPages } from '../../../src/sources/requests.ts';
import { createTestHttp } from '../../harness/ask-source.ts';
import { reply, startUpstream, type Handler, type Upstream } from '../../harness/upstream.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

type Options = NonNullable<Parameters<typeof createTestHttp>[0]>;

/** Creates a client that does not wait, but records how long it would have waited. */
function createClient(options: Options = {}): Http & { waits: number[] } {
  const waits: number[] = [];
  const http = createTestHttp({
    sleep(ms, signal) {
      waits.push(ms);
      return Promise.resolve(signal.throwIfAborted());
    },
    ...options,
  });
  onTestFinished(() => http.close());
  return { ...http, waits };
}

const variableOf = (url: string) => nameVariables([new URL(url)]);

const start = (handler: Handler) => startUpstream(() => handler);

const sound = reply(200, { 'content-type': 'application/json' }, '{"ok":1}');
/** Creates a handler that answers each of the first requests with the next of these handlers. All later requests get a correct answer. */
const after =
  (...handlers: Handler[]): Handler =>
  (request, response) =>
    (handlers.shift() ?? sound)(request, response);
const raw =
  (text: string): Handler =>
  (request) =>
    void request.socket.end(text);

const fail = (http: Http, request: HttpRequest): Promise<Error> =>
  http.fetch(request).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );

/** Returns the message with which a request to this address fails. */
async function explain(url: string, rest: object = {}): Promise<string> {
  return (await fail(createClient(), { url, ...rest })).message;
}

describe('a host that fails', () => {
  test('is asked up to four times, with growing waits', async () => {
    const refused = reply(408);
    const { url, requests } = await start(after(refused, refused, refused));
    const http = createClient();

    expect((await http.fetch({ url })).text()).toBe('{"ok":1}');
    expect(requests).toHaveLength(4);
    expect(http.waits.map((ms, index) => ms <= 1000 * 2 ** index)).toEqual([true, true, true]);
  });

  test.each([
    [304, ', expected 200'],
    [302, ', expected 200'],
    [404, ''],
    [410, ''],
  ])('is asked once if it answers %i', async (code, expected) => {
    const { url, requests } = await start(reply(code));

    expect(await explain(`${url}x?key=secret`)).toBe(`GET ${url}x answered ${code}${expected}`);
    expect(requests).toHaveLength(1);
  });

  const now = new Date('2026-06-30T10:00:00Z');
  const reset = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(+now / 1000 + 30) };
  test.each<[string, number, Record<string, string>, number]>([
    ['a date', 429, { 'retry-after': 'Tue, 30 Jun 2026 10:00:09 GMT' }, 9000],
    ["GitHub's time of reset", 403, reset, 30_000],
    ['a malformed date', 503, { 'retry-after': 'x GMT' }, 0],
  ])('is asked again after the wait that it requests by %s', async (_, code, headers, expected) => {
    const date = now.toUTCString();
    const { url } = await start(after(reply(code, { ...headers, date })));
    const http = createClient();
    await http.fetch({ url });

    // The wait is computed from the host's clock, so it is right even if this machine's clock is wrong.
    expect(http.waits[0]! >= expected && http.waits[0]! <= Math.max(expected, 1000)).toBe(true);
  });

  test('is not asked again if it requests a wait of more than a minute', async () => {
    const { url, requests } = await start(reply(429, { 'retry-after': '3600' }));
    const http = createClient();

    for (const path of ['a', 'b']) {
      const { message } = await fail(http, { url: url + path });
      expect(message).toMatch(
        /[ab] failed: "127\S+" answered 429 and asks to wait longer than 60 s$/,
      );
    }
    expect(requests).toHaveLength(1);
  });

  test('is not asked for another document after four 429 answers', async () => {
    for (const [status, count, isLimit] of [
      [429, 4, true],
      [503, 8, undefined],
    ] as const) {
      const { url, requests } = await start(reply(status));
      const http = createClient();

      for (const path of ['a', 'b']) {
        expect(await fail(http, { url: url + path })).toMatchObject({
          status: path === 'a' || !isLimit ? status : undefined,
          isLimit: Boolean(isLimit),
        });
      }
      expect(requests).toHaveLength(count);
    }
  });

  test('is asked only twice in a run if it refuses connections', async () => {
    const closed = await start(sound);
    const http = createClient();
    const url = closed.url.replace('127.0.0.1', '127.0.0.2');

    for (const attempts of [' (2 attempts)', '']) {
      const problem = `connection refused (ECONNREFUSED)${attempts}`;
      expect(await fail(http, { url: url + attempts.length })).toMatchObject({
        message: `GET ${url}${attempts.length} failed: ${problem}`,
        problem,
      });
    }
  });

  test('is reported if it does not exist, or does not use TLS', async () => {
    const { url } = await start(sound);

    expect(await explain('https://gone.invalid/a')).toContain('the host does not exist');
    expect(await explain(url.replace('http:', 'https:'))).toContain(
      'plainHttpHosts in site/site.json',
    );
  });
});

const packed = { 'content-encoding': 'gzip' };
const cutPack = reply(200, packed, gzipSync('{"ok":1}').subarray(0, -4));
test.each<[string, Handler, number]>([
  ['401', reply(401), 1],
  ['403', reply(403), 1],
  ['a cut connection', (request) => void request.socket.destroy(), 4],
  ['half a body', raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}'), 4],
  ['half a compressed body', cutPack, 4],
  ['another protocol', raw('SSH-2.0-OpenSSH_9.9\r\n'), 4],
  ['a body that was packed six times', reply(200, { 'content-encoding': 'gzip,'.repeat(6) }), 4],
])('reports %s as a failure of the host that was asked', async (_, handler, count) => {
  const { url, requests } = await start(handler);
  const { host } = new URL(url);

  expect(await fail(createClient(), { url })).toMatchObject({ name: 'SourceError', host });
  expect(requests.length).toBe(count);
});

test('the client sends no second request if a host does not answer in time', async () => {
  const { url, requests } = await start(() => undefined);

  const failure = await fail(createClient({ limitMs: 50 }), { url });
  expect(failure.message).toContain('too long');
  // There is no request at all if this machine took longer than 50 ms to connect.
  expect(requests.length).toBeLessThan(2);
});

describe('limits', () => {
  test('the client requests each document once, at most eight documents at a time', async () => {
    let most = 0;
    const waiting: ServerResponse[] = [];
    const other = await start(sound);
    const server = await start(async (_request, response) => {
      most = Math.max(most, waiting.push(response));
      // The server answers only when eight requests wait, or when the last request has arrived. Before that, it makes a request to another
      // server. If the client sent a ninth request without waiting for an answer, that request would arrive in this time.
      if (waiting.length === 8 || server.requests.length === 30) {
        await fetch(other.url);
        waiting.splice(0).forEach((each) => each.end('{}'));
      }
    });
    const http = createClient();
    const paths = Array.from({ length: 60 }, (_, index) => server.url + String(index % 30));
    await Promise.all(paths.map((url) => http.fetch({ url })));

    expect(server.requests).toHaveLength(30);
    expect(most).toBe(8);
    expect(server.requests[0]?.headers['user-agent']).toBe(
      'release-index (+https://index.example.com)',
    );
  });

  test.each<[string, Buffer, Record<string, string>]>([
    ['a body', Buffer.alloc(3_000_000), {}],
    ['a decompressed body', gzipSync(Buffer.alloc(20_000_000)), packed],
  ])('stops reading %s at the limit', async (_, body, headers) => {
    const { url } = await start(reply(200, headers, body));

    expect(await explain(url, { maxBytes: 2 ** 20 })).toBe(
      `GET ${url} is bigger than the limit of 1 MiB`,
    );
  });

  test('reads only UTF-8, including a text with a byte order mark', async () => {
    const bodies = ['\ufeff{"a":1}', Buffer.of(0xe4)];
    const { url } = await start((_request, response) => void response.end(bodies.shift()));

    expect((await createClient().fetch({ url })).text()).toBe('{"a":1}');
    const latin = await createClient().fetch({ url });
    expect(() => latin.text()).toThrow('is not valid UTF-8');
  });

  const maxValues = 4_000_000;

  test.each([
    ['objects in JSON', `[${'{},'.repeat(maxValues / 2)}{}]`],
    ['numbers in JSON', `[${'1,'.repeat(maxValues)}1]`],
    ['lines of YAML', `a:\n${'- a\n'.repeat(maxValues)}`],
    ['elements of XML', `<a>${'<a/>'.repeat(maxValues)}</a>`],
    ['names on lines', 'v1\n'.repeat(maxValues + 1)],
  ])('rejects more than 4,000,000 %s before it parses them', async (_, body) => {
    const { url } = await start(reply(200, packed, gzipSync(body, { level: 1 })));
    const answer = await createClient().fetch({ url });

    expect(() => answer.text()).toThrow(`${url} lists more than 4,000,000 values`);
  });

  test('keeps the bodies of answers compressed in memory', async () => {
    const body = JSON.stringify('x'.repeat(2 ** 21));
    const { url } = await start((_request, response) => void response.end(body));
    const http = createClient();
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (const path of 'abcdefghij') {
      expect((await http.fetch({ url: url + path })).text()).toBe(body);
    }

    const countKept = () => process.memoryUsage().arrayBuffers - before;
    // One garbage collection may not free all memory. Collections are slow, so the loop ends as soon as the memory is free.
    for (let turn = 0; turn < 3 && countKept() > 5 * 2 ** 20; turn += 1) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    expect(countKept()).toBeLessThan(5 * 2 ** 20);
  });

  test('the client stops waiting for an answer when the run ends', async () => {
    const controller = new AbortController();
    const { url, requests } = await start(() => controller.abort());
    const http = createClient({ signal: controller.signal });

    expect(await fail(http, { url })).toMatchObject({ name: 'AbortError' });
    expect(await fail(http, { url: `${url}b` })).toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  });

  test('uses the proxy that the environment names', async () => {
    const proxy = await start((request, response) => void response.end(request.url));
    process.env['http_proxy'] = proxy.url;
    const http = createClient({ plainHttpHosts: ['repo.test'] });
    delete process.env['http_proxy'];

    const answer = await http.fetch({ url: 'http://repo.test:8099/x' });
    expect(answer.text()).toBe('http://repo.test:8099/x');
  });
});

describe('addresses', () => {
  test('follows redirects, at most five', async () => {
    const { url } = await start((request, response) => {
      const left = Number(request.url!.slice(1));
      (left > 0 ? reply(302, { location: `${left - 1}` }) : sound)(request, response);
    });

    expect((await createClient().fetch({ url: `${url}5` })).url).toBe(`${url}0`);
    expect(await explain(`${url}6`)).toBe(`GET ${url}6 redirects more than 5 times`);
  });

  test('if a redirect leads to a host that is down, the error names that host', async () => {
    const { url } = await start(reply(302, { location: 'http://127.0.0.1:1/' }));
    const http = createClient();

    for (const path of ['a', 'b']) {
      expect(await fail(http, { url: url + path })).toMatchObject({ host: '127.0.0.1:1' });
    }
  });

  test('does not follow a redirect to a forbidden address', async () => {
    const { url } = await start(reply(302, { location: 'https://name:word@example.org/' }));

    expect(await explain(url)).toMatch(/^https:\/\/example\.org\/: expected https: without/);
  });
});

describe('credentials', () => {
  const listSent = (...upstreams: Upstream[]) =>
    upstreams.flatMap(({ requests }) =>
      requests.map(({ path, headers }) => [path, headers.authorization]),
    );

  test('are sent only to their origin, even if a redirect leads away and back', async () => {
    const back = { location: '' };
    const other = await start(reply(302, back));
    const first = await start((request, response) => {
      const location = { '/start': '/same', '/same': `${other.url}away` }[request.url!];
      (location ? reply(302, { location }) : sound)(request, response);
    });
    back.location = `${first.url}back`;
    const env = { [variableOf(first.url)]: 'Bearer one', [variableOf(other.url)]: 'Bearer two' };
    await createClient({ env }).fetch({ url: `${first.url}start` });

    expect(listSent(first, other)).toEqual([
      ['/start', 'Bearer one'],
      ['/same', 'Bearer one'],
      ['/back', undefined],
      ['/away', undefined],
    ]);
  });

  test('are not sent to their own host if another host redirected the request', async () => {
    const list = await start((request, response) => {
      response.setHeader('link', request.url === '/a' ? '<b>; rel="next"' : '').end('[]');
    });
    const first = await start(reply(302, { location: `${list.url}a` }));
    const http = createClient({ env: { [variableOf(list.url)]: 'Bearer secret' } });
    for (const { url } of [first, list]) {
      await fetchPages(http, { url: `${url}a`, tokenScope: 'x' }, z.array(z.unknown()));
    }

    expect(listSent(list)).toEqual([
      ['/a', undefined],
      ['/b', undefined],
      ['/a', 'Bearer secret'],
      ['/b', 'Bearer secret'],
    ]);
  });

  test('the error about a 401 answer names the environment variable for the credential', async () => {
    const { url } = await start(reply(401));
    const name = variableOf(url);

    expect(await explain(url, { asNpm: true })).toBe(
      `GET ${url} answered 401. If it is private, set ${name} or a token in npm's configuration to a credential that gives access.`,
    );
  });
});

describe('registry tokens', () => {
  const scope = 'repository:example/server:pull';
  /** Starts a registry that requires this token. Its challenge names the service that gives tokens. */
  const startRegistry = (token: () => string, challenge: string) =>
    start((request, response) => {
      const isRight = request.headers.authorization === `Bearer ${token()}`;
      response.writeHead(isRight ? 200 : 401, { 'www-authenticate': challenge }).end('{}');
    });

  test('are requested again only if the registry rejects the old token', async () => {
    let token = 'a';
    const service = await start((_request, response) => {
      response.end(JSON.stringify({ access_token: token }));
    });
    const registry = await startRegistry(
      () => token,
      `Bearer realm="${service.url}token?scope=repository:secret:pull",service="registry.example",scope="x:y:pull,push"`,
    );
    const http = createClient({ env: { [variableOf(service.url)]: 'Basic dTpw' } });
    const paths = Array.from({ length: 20 }, (_, index) => registry.url + String(index));
    await Promise.all(paths.map((url) => http.fetch({ url, tokenScope: scope })));

    const asked = 'GET /token?scope=repository%3Aexample%2Fserver%3Apull&service=registry.example';
    expect(service.asked()).toEqual([asked]);
    // The credential of the token service is not sent, because the registry itself has no credential.
    expect(service.requests[0]?.headers.authorization).toBeUndefined();

    token = 'b';
    await http.fetch({ url: `${registry.url}b`, tokenScope: scope });
    expect(service.asked()).toEqual([asked, asked]);
  });

  test.each<[string, Handler, RegExp]>([
    ['answers 403', reply(403), /\(at 127\.0\.0\.1:\d+\) answered 403$/],
    ['gives no token', sound, /\/token gave no token for repository:example\/server:pull \(200\)$/],
  ])('are reported as missing if the token service %s', async (_, handler, message) => {
    const service = await start(handler);
    const registry = await startRegistry(() => 'a', `Bearer realm="${service.url}token"`);

    expect(await explain(registry.url, { tokenScope: scope })).toMatch(message);
    expect(registry.requests).toHaveLength(1);
  });
});
