/** Sends the same requests to workerd, the runtime of Cloudflare, and to a preview. Both must give the same answers. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { exampleRoot } from '../harness/example.ts';
import { buildExample } from '../harness/site.ts';
import { startWorker } from '../harness/worker.ts';
import { startPreview } from '../publish/preview.ts';

const worker = await startWorker(buildExample());
afterAll(() => worker.close());
const preview = await startPreview(exampleRoot, { out: buildExample(), atEnd: afterAll });

const scan = 'POST /packages/generic/svc/2025.1/policy-scans/supported';

/** Some requests that each endpoint rejects. More are in the table "Refused requests" of test/specification/README.md. */
const rejections: [line: string, status: number, detail: string][] = [
  ['GET /api/releases?max=1', 400, 'max: expected only query, maxReleases, since, after; got "1"'],
  [
    `GET /api/releases?${'a&'.repeat(100)}`,
    400,
    'query string: expected at most 100 fields; got 101',
  ],
  ['GET /api/releases?after=x', 400, 'after: expected the value in a link to the next page'],
  [
    'GET /api/releases?query=isLatst:true',
    400,
    'query: character 1: expected the name of a field (did you mean isLatest?); got "isLatst:true"',
  ],
  [
    'GET /api/builds?maxBuilds=many',
    400,
    'maxBuilds: expected a whole number from 1 to 1000; got "many"',
  ],
  ['GET /api/components/scv', 404, '"scv" names no component of this index. Did you mean "svc"?'],
  [
    'GET /api/components/svc/releases/abc',
    400,
    'version: "abc" is not a version such as 2025.3; a range, a tag or a commit may stand for any release.',
  ],
  [
    'GET /api/svc/9.9.json',
    404,
    'The index gives no end of support for "svc 9.9". api/all.json lists all components with ends.',
  ],
  [
    'GET /api/all/svc.json',
    404,
    'The index gives no end of support for "all svc". api/all.json lists all components with ends.',
  ],
  ['GET /api/svc/2025.1', 404, 'There is nothing at this path. openapi.json lists what there is.'],
  [
    'GET /api/v1/products/svc/releases/9.9',
    404,
    'The index gives no end of support for "svc 9.9". api/all.json lists all components with ends.',
  ],
  [
    'GET /api/v1/products/full/releases/latest',
    404,
    'The index gives no end of support for "full latest". api/all.json lists all components with ends.',
  ],
  [
    'GET /api/v1/products/..%2Fall/releases/latest',
    404,
    'The index gives no end of support for "../all latest". api/all.json lists all components with ends.',
  ],
  [
    'GET /api/v1/categories',
    404,
    'There is nothing at this path. openapi.json lists what there is.',
  ],
  ['GET /mcp', 405, 'GET is not allowed here, only POST.'],
  ['GET /svd.json', 404, 'There is nothing at this path. openapi.json lists what there is.'],
];

const json = { 'content-type': 'application/json' };
const multipart = { 'content-type': 'multipart/form-data' };

const bodies: [name: string, body: string, headers: object, status: number, detail?: string][] = [
  ['empty', '', {}, 200],
  ['half an object', '{', json, 400, 'body: expected a JSON object or a form'],
  ['a list', '[1]', json, 400, 'body: expected a JSON object or a form; got [1]'],
  [
    'an object with an unknown key',
    '{"sha1":""}',
    json,
    400,
    'sha1: expected only sha256, repositoryUrl; got ""',
  ],
  ['a form without parts', '--x', multipart, 400, 'body: expected a JSON object or a form'],
  [
    'a deeply nested list',
    '['.repeat(30_000) + ']'.repeat(30_000),
    json,
    400,
    'body: expected at most 100 fields; got 30001',
  ],
  ['XML', '<a/>', { 'content-type': 'text/xml' }, 415, 'body: expected a JSON object or a form'],
  [
    'one byte over a megabyte',
    ' '.repeat(1_000_001),
    json,
    413,
    'body: expected at most 1,000,000 bytes',
  ],
];

/** How clients send a body. Browsers and fetch send its length. Go, and curl with a pipe, send chunks. */
const sendings: [name: string, send: (body: string) => RequestInit][] = [
  ['with its length', (body) => ({ body })],
  ['in chunks', (body) => ({ body: new Blob([body]).stream(), duplex: 'half' })],
];

const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const list = { name: 'check_versions', arguments: { text: 'svc 2025.1\nleft-pad 1.0' } };
const call = { ...message, method: 'tools/call', params: list };

const messages: [name: string, message: object, status: number, words: string][] = [
  ['a message', message, 200, '"check_versions"'],
  ['a tool call', call, 200, 'Server 2025.1 was supported until 2026-10-08'],
  ['a list of messages', [message, message], 400, 'body: expected one message; got a list'],
];

describe.each([
  ['workerd', worker.url],
  ['preview', preview],
])('on the server %s', (_runtime, origin) => {
  /** Sends a request that is written as `GET /path`. */
  function ask(line: string, init: RequestInit = {}): Promise<Response> {
    const [method = '', path = ''] = line.split(' ');
    return fetch(origin + path, { method, ...init });
  }

  test.each(rejections)(
    'the API rejects the request %s with the status %i',
    async (line, status, detail) => {
      const answer = await ask(line);

      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.json()).toMatchObject({
        type: 'about:blank',
        title: expect.any(String),
        status,
        detail,
        instance: line.replace(/^\w+ ([^?]+).*/, '$1'),
      });
      expect(answer.status).toBe(status);
    },
  );

  describe.each(sendings)('if the body is sent %s', (_sending, send) => {
    test.each(bodies)(
      'a scan accepts only an empty body, a JSON object or a form: %s',
      async (_name, body, headers, status, detail) => {
        const answer = await ask(scan, {
          headers: headers as Record<string, string>,
          ...send(body),
        });

        expect(answer.status).toBe(status);
        expect(((await answer.json()) as { detail?: string }).detail).toBe(detail);
      },
    );

    test("a body that is too large is answered with 413, and the client's next requests succeed", async () => {
      const statuses: number[] = [];
      for (const size of [3_000_000, 20_000_000]) {
        const answer = await ask(scan, send('a'.repeat(size)));
        statuses.push(answer.status);
        await answer.text();
        for (const path of ['/status.json', '/index.json']) {
          statuses.push((await fetch(origin + path)).status);
        }
      }

      expect(statuses).toEqual([413, 200, 200, 413, 200, 200]);
    });

    test.each(messages)(
      'POST /mcp accepts only a single message: %s',
      async (_name, body, status, words) => {
        const answer = await ask('POST /mcp', {
          headers: { ...json, accept: 'application/json, text/event-stream' },
          ...send(JSON.stringify(body)),
        });

        expect(answer.status).toBe(status);
        expect(await answer.text()).toContain(words);
      },
    );
  });

  test.each([
    [scan, 200],
    ['POST /api/auth/token', 404],
    ['POST /mcp', 415],
  ])('the request %s without a body is answered with the status %i', async (line, status) => {
    const [method = '', path = ''] = line.split(' ');
    const sent = request(origin + path, { method });
    sent.removeHeader('content-length');
    sent.removeHeader('transfer-encoding');
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    response.resume();

    expect(response.statusCode).toBe(status);
  });

  test('a verdict has the date of the index, and may be cached for an hour', async () => {
    const line = 'GET /api/components/Server/releases/2025.1.0';
    const answer = await ask(line);
    const tag = answer.headers.get('etag')!;

    expect(await answer.json()).toMatchObject({
      component: 'svc',
      asOf: '2026-11-27',
      version: '2025.1',
    });
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('release-index-as-of')).toBe('2026-11-27');
    expect(answer.headers.get('release-index-note')).toBeNull();

    const again = await ask(line, { headers: { 'if-none-match': tag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });

  test("the answer for one release line equals the entry in the component's file", async () => {
    const file = (await (await ask('GET /api/svc.json')).json()) as { cycle: string }[];
    const answer = await ask('GET /api/svc/2025.1.json');

    const { cycle, ...line } = file.find((each) => each.cycle === '2025.1')!;
    expect(await answer.json()).toEqual(line);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect([cycle, (await ask('GET /api/components/svc')).status]).toEqual(['2025.1', 200]);
  });

  test.each([
    'api/all.json',
    'api/svc/2025.1.json',
    'api/v1/products.json',
    'api/v1/products',
    'api/v1/products/',
    'api/v1/products/full',
    'api/v1/products/full/',
    'api/v1/products/svc',
    'api/v1/products/svc/',
    'api/v1/products/svc/releases/2025.1',
    'api/v1/products/svc/releases/2025.1/',
    'api/v1/products/svc/releases/latest',
    'api/v1/identifiers/purl',
    'api/v1/identifiers/purl/',
  ])('a client of endoflife.date that follows no redirect reads /%s', async (path) => {
    const answer = await ask(`GET /${path}`, { redirect: 'error' });

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await answer.json()).toBeTruthy();
  });

  test.each(['api/v1/', 'api/v1/products/svd/'])(
    'the status of /%s, which is not part of the API, is 404',
    async (path) => {
      expect((await ask(`GET /${path}`)).status).toBe(404);
    },
  );

  test('the parameter "since" selects releases that were recorded at that time or later', async () => {
    const list = async (since: string) => {
      const answer = await ask(`GET /api/releases?since=${since}`);
      const releases = (await answer.json()) as { availableAt: string }[];
      return releases.map(({ availableAt }) => availableAt);
    };
    const ended = '2026-11-23T00:22:37.499Z';

    expect(new Set(await list(ended))).toEqual(new Set([ended]));
    expect(await list(String(Date.parse(ended) + 1))).toEqual([]);
  });

  test('files of the site may be cached, but a 404 may not', async () => {
    const head = async (path: string, accept = '*/*') => {
      const { status, headers } = await ask(`HEAD ${path}`, { headers: { accept } });
      const policy = headers.get('content-security-policy')?.slice(0, 18);
      return [status, headers.get('content-type'), headers.get('cache-control'), policy];
    };

    const html = 'text/html; charset=utf-8';
    const cached = 'public, max-age=3600';
    const policy = "default-src 'none'";

    expect(await head('/svc.json')).toEqual([200, 'application/json', cached, undefined]);
    expect(await head('/')).toEqual([200, html, cached, policy]);
    expect(await head('/nothing', 'text/html')).toEqual([404, html, 'no-store', policy]);
  });

  test('a scan is answered with a JSON array, or with NDJSON if the client prefers it', async () => {
    const read = async (accept: string) => {
      const answer = await ask(scan, { headers: { accept } });
      return [answer.headers.get('content-type'), (await answer.text()).slice(0, 2)];
    };

    expect(await read('*/*')).toEqual(['application/json', '[{']);
    expect(await read('application/x-ndjson')).toEqual(['application/x-ndjson', '{"']);
  });
});

test('a browser page of another origin may call every endpoint', async () => {
  const answer = await fetch(`${worker.url}/mcp`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://app.example.org',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-protocol-version',
    },
  });

  expect(answer.status).toBe(204);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('access-control-allow-headers')).toBe(
    'authorization,mcp-protocol-version',
  );
  expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
});

test('a stream is compressed message by message, and stays open', async () => {
  const path = '/build-export/v2/builds/since/0?stream';
  const headers = { 'accept-encoding': 'gzip' };
  const sent = request(worker.url + path, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const [data] = await once(response.pipe(createGunzip()), 'data');
  response.destroy();

  expect(response.headers['content-encoding']).toBe('gzip');
  expect(String(data).split('\n\n').slice(0, 2)).toEqual([
    'retry: 60000',
    'id: zl225c716ts61\nevent: Build\ndata: {"buildId":"zl225c716ts61","timestamp":1795393357499,"toolType":"unknown","toolVersion":"unknown","agentVersion":"1.0.0"}',
  ]);
});
