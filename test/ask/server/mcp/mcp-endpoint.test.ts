import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../../../harness/covers.ts';
import { clientKinds, connect, type ClientKind, type Door } from '../../../harness/mcp-clients.ts';
import { readJsonIn } from '../../../harness/root.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { serveSite, type ServedSite } from '../../../harness/worker.ts';

const published = 'https://releases.example.com/mcp';

const out = siteOfFixtureIndex();
let site: ServedSite;

beforeAll(async () => {
  site = await serveSite(out, 'https://releases.example.com');
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
  return site.fetch(url, {
    method,
    headers: { ...sound, ...headers },
    ...(body !== undefined && { body }),
  });
}

/** A request of revision 2026-07-28, whose headers repeat method and name from the body. */
function ask(
  method: string,
  params: Record<string, unknown> = {},
  sent: Sent = {},
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : undefined;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...name,
    ...sent.headers,
  };
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

test('an answer is an uncached JSON document that any origin may read', async () => {
  covers('Only where /mcp is protected: a public index is open.');
  const response = await call('show_component', { component: 'svc' });

  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'WWW-Authenticate',
    'x-content-type-options': 'nosniff',
  });
  expect(await textOf(response)).toMatch(/The latest version is /);
});

test('a day that was only observed is called so in text and data', async () => {
  const { result } = await json(await call('find_releases', { query: 'component:edge-node' }));

  expect(result?.content?.[0].text).toContain('released on or before ');
  expect(JSON.stringify(result)).toContain('"timestampKind":"observed"');
  expect(JSON.stringify(result)).not.toContain('"timestampKind":"published"');
});

test('the server announces only tools, and clients may cache their list for an hour', async () => {
  const hints = { ttlMs: 3_600_000, cacheScope: 'public' };

  expect((await json(await ask('tools/list'))).result).toMatchObject(hints);
  expect((await json(await ask('server/discover'))).result).toMatchObject({
    ...hints,
    capabilities: { tools: { listChanged: false } },
  });
});

test.each(['resources/list', 'subscriptions/listen', 'nothing'])(
  'there is no method %s',
  async (method) => {
    const response = await ask(method);

    expect(response.status).toBe(404);
    expect(await json(response)).toMatchObject({ id: 1, error: { code: -32_601 } });
  },
);

test('a public index makes no tokens, and has no metadata about signing in', async () => {
  covers(
    '404 when no OAuth issuer is configured',
    'A private index with keys alone answers with an empty list of issuers, as 34 says; a public one has no metadata.',
    'OAuth only with an issuer',
  );
  const metadata = 'https://releases.example.com/.well-known/oauth-protected-resource/mcp';

  expect((await site.fetch(metadata)).status).toBe(404);
  const token = await site.fetch('https://releases.example.com/api/auth/token', { method: 'POST' });
  expect([token.status, await token.text()]).toEqual([
    404,
    expect.stringContaining('needs a token'),
  ]);
});

test('only POST is possible, and a preflight allows it with the headers of the protocol', async () => {
  const preflight = await send({ method: 'OPTIONS', headers: { origin: 'https://else.example' } });

  expect(preflight.status).toBe(204);
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': expect.stringContaining(
      'Authorization, Mcp-Protocol-Version, Mcp-Method, Mcp-Name',
    ) as string,
  });
  for (const method of ['GET', 'DELETE', 'HEAD']) {
    const response = await send({ method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

test.each([
  ['https://releases.example.com', 200],
  ['http://127.0.0.1', 200],
  ['http://localhost:8787', 200],
  ['http://[::1]', 200],
  ['https://evil.example', 403],
  ['http://127.0.0.1.evil.example', 403],
  ['https://releases.example.com.evil.example', 403],
])('a request for the host %s gets %i', async (host, status) => {
  expect((await ask('tools/list', {}, { url: `${host}/mcp` })).status).toBe(status);
});

test.each([
  ['https://else.example', 200],
  ['null', 200],
  ['chrome-extension://abcdef', 200],
  ['http://localhost:3000', 200],
  ['evil', 403],
  ['https://', 403],
  ['https://a.example/path', 403],
  ['https://user@a.example', 403],
])('a page of %s gets %i', async (origin, status) => {
  expect((await ask('tools/list', {}, { headers: { origin } })).status).toBe(status);
});

test('a text of the greatest length may have several bytes a character', async () => {
  const response = await call('check_versions', { text: 'é世'.repeat(32_000) });

  expect(response.status).toBe(200);
});

const large = 'x'.repeat(170_000);

const initialization = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  },
});

test.each<[string, Sent, number]>([
  ['another type', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
  ['no JSON', { body: '{"jsonrpc"' }, 400],
  ['nothing', { body: '' }, 400],
  ['null', { body: 'null' }, 400],
  ['no object', { body: '1' }, 400],
  ['no message', { body: '{}' }, 400],
  ['a batch', { body: '[{"jsonrpc":"2.0","id":1,"method":"ping"}]' }, 400],
  ['an empty batch', { body: '[]' }, 400],
  ['a body that is too large', { body: JSON.stringify({ large: large.repeat(3) }) }, 413],
  [
    'an initialization without an event stream',
    { headers: { accept: 'application/json' }, body: initialization },
    406,
  ],
  ['a deep body', { body: `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}` }, 400],
])('%s is rejected with a message of the protocol', async (_, sent, status) => {
  covers('POST /mcp, JSON-RPC 2.0, those headers');
  const response = await send(sent);

  expect(response.status).toBe(status);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect((await json(response)).error?.message).toMatch(/\w/);
  const { paths } = readJsonIn<{ paths: Record<string, { post: object }> }>(out, 'openapi.json');
  expect(paths['/mcp']?.post).toHaveProperty(['responses', String(status)]);
});

test.each([
  ['a list', []],
  ['a prototype', JSON.parse('{"__proto__": {"text": "svc 1"}}') as unknown],
  ['a deep text', { text: { text: {} } }],
  ['a large text', { text: large.slice(0, 70_000) }],
  [
    'too many keys',
    Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, 1])),
  ],
])('%s is a wrong argument that is not repeated in full', async (_, given) => {
  const answer = await json(await call('check_versions', given));

  expect(answer.result?.isError ?? answer.error !== undefined).toBe(true);
  expect(JSON.stringify(answer).length).toBeLessThan(2000);
});

test.each(['__proto__', 'constructor', '../status', '%2e%2e', ''])(
  'no component and no tool is called %j',
  async (name) => {
    const { result } = await json(await call('show_component', { component: name }));

    expect(result?.isError).toBe(true);
    expect(result?.content?.[0].text).toMatch(/(names no component|component: expected)/);
    expect((await json(await call(name, {}))).error?.code).toBe(name === '' ? -32_020 : -32_602);
  },
);

test('a very long query is rejected with the position', async () => {
  const text = await textOf(await call('find_releases', { query: '('.repeat(10_000) }));

  expect(text).toMatch(/^query: character \d+: expected /);
  expect(text.length).toBeLessThan(1000);
});

// The mode is negotiated in the same way over both, so one new and one old client suffice for the second.
const doors: Record<string, { kinds: readonly ClientKind[]; open: () => Door }> = {
  HTTP: { kinds: clientKinds, open: () => ({ url: `${site.url}mcp` }) },
  'standard input and output': { kinds: ['auto', 'old'], open: () => ({ args: [out] }) },
};

const revisions: Record<ClientKind, string> = {
  auto: '2026-07-28',
  modern: '2026-07-28',
  legacy: '2025-11-25',
  old: '2025-11-25',
};

/** A valid call of each tool, in the order of the list. */
const questions: readonly (readonly [tool: string, given: Record<string, unknown>])[] = [
  ['check_versions', { text: 'svc@2025.1, edge-node 2.0.1' }],
  ['find_releases', { query: 'component:svc isLatest' }],
  ['show_component', { component: 'svc' }],
  ['changes_since', { date: '2026-10-01' }],
  ['list_runs', {}],
];

describe.each(Object.entries(doors))('over %s', (_door, { kinds, open }) => {
  test.each(kinds)(
    'the client in the mode "%s" lists the tools and gets its answers',
    async (kind) => {
      covers(
        'MCP endpoint at /mcp through which agents reach the data',
        'POST /mcp, JSON-RPC 2.0, those headers',
      );
      const client = await connect(open(), kind);

      const listed = await client.listTools();
      const answers = await Promise.all(
        questions.map(([tool, given]) => client.callTool(tool, given)),
      );
      const wrong = await client.callTool('show_component', { component: 'nothing' });
      await expect(client.callTool('chekc_versions', {})).rejects.toThrow(
        'There is no tool "chekc_versions". Tools are check_versions, ',
      );
      await client.close();

      expect(client.revision).toBe(revisions[kind]);
      expect(listed.map(({ name }) => name)).toEqual(questions.map(([tool]) => tool));
      for (const { text, content, isError } of answers) {
        expect(isError, text).toBe(false);
        expect(text).not.toBe('');
        expect(Object.keys(content!).length).toBeGreaterThan(1);
      }
      expect(wrong).toMatchObject({
        isError: true,
        text: expect.stringContaining('"nothing" names no component of this index.') as string,
      });
    },
  );
});
