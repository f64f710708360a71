import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import { covers } from '../../harness/covers.ts';

const published = 'https://releases.example.com/mcp';

let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(siteOfFixtureIndex(), 'https://releases.example.com');
});

afterAll(() => site.close());

const sound = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface Sent {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

function send({ url = published, method = 'POST', headers = {}, body }: Sent): Promise<Response> {
  return site.fetch(url, { method, headers: { ...sound, ...headers }, ...(body !== undefined && { body }) });
}

/** A request of revision 2026-07-28, whose headers repeat method and name from the body. */
function ask(method: string, params: Record<string, unknown> = {}, sent: Sent = {}): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : undefined;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name, ...sent.headers };
  return send({ body, ...sent, headers });
}

const call = (name: string, given: unknown, sent?: Sent) =>
  ask('tools/call', { name, arguments: given }, sent);

interface Answer {
  result?: { isError?: boolean; content?: [{ text: string }]; ttlMs?: number; cacheScope?: string };
  error?: { code: number; message: string };
}

async function json(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

async function textOf(response: Response): Promise<string> {
  return (await json(response)).result!.content![0].text;
}

describe('a request', () => {
  test('gets an uncached JSON document that any origin may read', async () => {
    const response = await call('latest_version', { component: 'svc' });

    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'WWW-Authenticate',
      'x-content-type-options': 'nosniff',
    });
    expect(await textOf(response)).toMatch(/^The latest version of svc is /);
  });

  test.each(['server/discover', 'tools/list'])('for %s may be cached for an hour', async (method) => {
    expect((await json(await ask(method))).result).toMatchObject({
      ttlMs: 3_600_000,
      cacheScope: 'public',
    });
  });

  test('announces only tools, which do not change during a connection', async () => {
    expect((await json(await ask('server/discover'))).result).toMatchObject({
      capabilities: { tools: { listChanged: false } },
    });
  });

  test.each([
    ['resources/list', 404, -32_601],
    ['subscriptions/listen', 404, -32_601],
    ['nothing', 404, -32_601],
  ])('for %s is rejected', async (method, status, code) => {
    const response = await ask(method);

    expect(response.status).toBe(status);
    expect(await json(response)).toMatchObject({ error: { code } });
  });
});

test('there is no metadata about signing in', async () => {
  covers(122, 164);
  const metadata = 'https://releases.example.com/.well-known/oauth-protected-resource/mcp';

  expect((await site.fetch(metadata)).status).toBe(404);
});

describe('a method', () => {
  test('POST is allowed in a preflight, with the headers of the protocol', async () => {
    const response = await send({
      method: 'OPTIONS',
      headers: {
        origin: 'https://else.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-method',
      },
    });

    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': expect.stringContaining(
        'Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
      ) as string,
    });
  });

  test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is not possible', async (method) => {
    const response = await send({ method });

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
  });
});

describe('Host and Origin', () => {
  const hosts = ['https://releases.example.com', 'http://127.0.0.1', 'http://localhost:8787', 'http://[::1]'];
  test.each(hosts)('%s is accepted as host', async (host) => {
    expect((await ask('tools/list', {}, { url: `${host}/mcp` })).status).toBe(200);
  });

  test.each([
    'https://evil.example',
    'http://127.0.0.1.evil.example',
    'https://releases.example.com.evil.example',
  ])('%s is rejected as host', async (host) => {
    const response = await ask('tools/list', {}, { url: `${host}/mcp` });

    expect(response.status).toBe(403);
    expect((await json(response)).error?.message).toContain('Invalid Host');
  });

  test.each(['https://else.example', 'null', 'chrome-extension://abcdef', undefined])(
    'pages of the origin %s may read a published index',
    async (origin) => {
      const response = await ask('tools/list', {}, origin === undefined ? {} : { headers: { origin } });

      expect(response.status).toBe(200);
    },
  );

  test('an invalid origin is rejected', async () => {
    for (const origin of ['evil', 'https://', 'https://a.example/path', 'https://user@a.example'])
      expect((await ask('tools/list', {}, { headers: { origin } })).status, origin).toBe(403);
  });

  test.each([
    ['http://localhost:3000', 200],
    ['http://127.0.0.1:8787', 200],
    ['https://else.example', 403],
    ['null', 403],
  ])('pages of %s get %i from a local index', async (origin, status) => {
    const response = await ask('tools/list', {}, { url: `${site.url}mcp`, headers: { origin } });

    expect(response.status).toBe(status);
  });
});

describe('hostile input', () => {
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const large = 'x'.repeat(70_000);

  test.each([
    ['another type', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' }, 415],
    ['no JSON', { body: '{"jsonrpc"' }, 400],
    ['nothing', { body: '' }, 400],
    ['null', { body: 'null' }, 400],
    ['no object', { body: '1' }, 400],
    ['no message', { body: '{}' }, 400],
    ['a batch', { body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' }, 400],
    ['an empty batch', { body: '[]' }, 400],
    ['more than a message holds', { body: JSON.stringify({ large }) }, 413],
    ['depth without a message', { body: deep }, 400],
  ] satisfies [string, Sent, number][])(
    '%s is refused with a message of the protocol',
    async (_, sent, status) => {
      covers(119);
      const response = await send(sent);

      expect(response.status).toBe(status);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect((await json(response)).error?.message).toMatch(/\w/);
    },
  );

  test('a batch of a thousand calls is rejected', async () => {
    const one = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_components' } };
    const response = await send({ body: JSON.stringify(Array.from({ length: 400 }, () => one)) });

    expect(await json(response)).toMatchObject({ error: { code: -32_600 } });
  });

  test.each([
    ['a list', []],
    ['a text', 'svc'],
    ['a number', 1],
    ['a prototype', JSON.parse('{"__proto__": {"component": "svc"}, "version": "1"}') as unknown],
    ['a deep component', { component: { component: {} }, version: '1' }],
    ['a large component', { component: large.slice(0, 50_000), version: '1' }],
    ['a large version', { component: 'svc', version: large.slice(0, 50_000) }],
    ['too many keys', Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1]))],
  ])('%s is a wrong argument that is not repeated in full', async (_, given) => {
    const response = await call('check_version', given);
    const answer = await json(response);

    expect(answer.result?.isError ?? answer.error !== undefined).toBe(true);
    expect(JSON.stringify(answer).length).toBeLessThan(2000);
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '../status',
    'nosuch/../../x',
    '%2e%2e',
    '',
  ])('no component is called %j', async (component) => {
    for (const [tool, given] of [
      ['check_version', { component, version: '1' }],
      ['latest_version', { component }],
    ] as const) {
      const { result } = await json(await call(tool, given));
      expect(result?.isError).toBe(true);
      expect(result?.content?.[0].text).toMatch(/^(There is no component|component: expected)/);
    }
  });

  test.each(['__proto__', 'constructor', 'tools', ''])('no tool is called %j', async (name) => {
    const response = await call(name, {});

    expect((await json(response)).error?.code).toBe(name === '' ? -32_020 : -32_602);
  });

  test('a very long query is rejected with the position', async () => {
    const text = await textOf(await call('find_releases', { query: `${'('.repeat(10_000)}` }));

    expect(text).toMatch(/^query: character \d+: expected /);
    expect(text.length).toBeLessThan(1000);
  });
});
