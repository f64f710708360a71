import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fixtureIndex } from '../harness/checkout.ts';
import { pathsIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';
import { answer, startUpstream, type Upstream } from '../harness/upstream.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';
import { prism } from './install.ts';
import { covers } from '../harness/covers.ts';

interface Parameter {
  in: string;
  name: string;
  example?: string;
}

interface OpenApi {
  paths: Record<string, { get?: { operationId: string; parameters?: Parameter[] } }>;
}

interface Proxy {
  url: string;
  stop(): Promise<unknown>;
}

let out: string;
let document: OpenApi;
let site: ServedSite;
let proxy: Proxy;
let liar: Upstream;

beforeAll(async () => {
  out = siteOf(fixtureIndex);
  document = JSON.parse(readFileSync(join(out, 'openapi.json'), 'utf8')) as OpenApi;
  site = await serveSite(out);
  proxy = await startPrism(site.url);
  liar = await startUpstream(
    () => (_, response) => answer(response, 200, 'application/json', '[{"version": 1}]'),
  );
});

afterAll(async () => {
  await proxy.stop();
  await site.close();
  await liar.close();
});

/** Prism between a client and a server: it answers 500 itself where request or answer is not as documented. */
async function startPrism(upstream: string): Promise<Proxy> {
  const port = await freePort();
  const program = join(prism.dir, 'dist/index.js');
  const options = ['--errors', '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(
    process.execPath,
    [program, 'proxy', join(out, 'openapi.json'), upstream.replace(/\/$/, ''), ...options],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    if (/is listening on/.test(line)) {
      break;
    }
  }
  child.stdout.resume();
  const ended = once(child, 'close');
  return { url: `http://127.0.0.1:${port}`, stop: () => (child.kill(), ended) };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function ask(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(proxy.url + path, { headers });
  return { status: response.status, text: await response.text() };
}

test('every file that programs read is as documented', async () => {
  const files = pathsIn(out).filter((path) => !/^_headers$|^assets\/|\.html$/.test(path));
  const wrong: string[] = [];
  for (const file of files) {
    const { status, text } = await ask(`/${file}`);
    if (status !== 200) {
      wrong.push(`${file}: ${status} ${text}`);
    }
  }

  expect(files.length).toBeGreaterThan(60);
  expect(wrong).toEqual([]);
});

test('every endpoint answers its example as documented', async () => {
  covers(
    'A REST API (JSON, described by an OpenAPI document) for build data, configuration and creation of tokens',
  );
  const asked = Object.entries(document.paths).filter(
    ([path, { get }]) => get && /^\/(?:api|build-export\/v2)\//.test(path),
  );
  expect(asked.length).toBeGreaterThan(5);
  for (const [path, { get }] of asked) {
    const examples = get!.parameters!.filter(({ example }) => example !== undefined);
    const address = examples
      .filter((parameter) => parameter.in === 'path')
      .reduce(
        (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(example!)),
        path,
      );
    const query = new URLSearchParams(
      examples
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, example }): [string, string] => [name, example!]),
    );

    const { status, text } = await ask(`${address}?${query.toString()}`);

    expect({ status, text: status === 200 ? '' : text }, address).toEqual({
      status: 200,
      text: '',
    });
    expect(text.length, address).toBeGreaterThan(2);
  }
});

async function newestBuild(): Promise<string> {
  const builds = JSON.parse((await ask('/api/builds')).text) as { id: string }[];
  return builds.at(-1)!.id;
}

const queryOf = (query: string) => `/api/releases?${new URLSearchParams({ query }).toString()}`;

test.each<[number, string]>([
  [200, '/api/releases?maxReleases=3&since=2024-01-01'],
  [200, queryOf('age:>1d supportLeft:*')],
  [200, queryOf('component:nothing')],
  [400, queryOf('isLatst:true')],
  [400, '/api/releases?since=yesterday'],
  [400, '/api/releases?unknown=1'],
  [400, '/api/components?x=1'],
  [200, '/api/components/dashboard-bundle'],
  [200, '/api/components/reporting-kit'],
  [404, '/api/components/nothing'],
  [200, '/api/components/build-cache-node/releases/13.1'],
  [200, '/api/components/svc/releases/2025.1.99'],
  [400, '/api/components/svc/releases/..%2f..'],
  [200, '/build-export/v2/builds/since/now'],
  [200, '/build-export/v2/builds/since/0'],
  [400, '/build-export/v2/builds/since/9999-01-01'],
  [404, '/build-export/v2/builds/sinceBuild/zzzzzzzzzzzzz'],
  [404, '/nothing.json'],
])('%i %s is documented', async (status, path) => {
  const found = await ask(path);

  expect(found.text).not.toContain('stoplight.io');
  expect(found.status, found.text).toBe(status);
});

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'judge', version: '1' },
};

test.each([
  [200, { jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  [200, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }],
  [202, { jsonrpc: '2.0', method: 'notifications/initialized' }],
  [400, { jsonrpc: '2.0' }],
])('%i for an agent is documented: %j', async (status, message) => {
  const response = await fetch(`${proxy.url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  const text = await response.text();

  expect(text).not.toContain('stoplight.io');
  expect(response.status, text).toBe(status);
});

const repositoryUrl = 'https://git.example.com/repo';

test.each<[number, string, RequestInit]>([
  [200, 'generic/svc/2026.3/policy-scans/supported', { body: null }],
  [
    200,
    'npm/%40example/edge-node/1.0.0/policy-scans/current',
    { body: JSON.stringify({ repositoryUrl }) },
  ],
  [200, 'npm/left-pad/1.3.0/policy-scans/lasting', { body: `{"sha256": "${'0'.repeat(64)}"}` }],
  [200, 'generic/svc/2026.3/policy-scans/stable', { body: new URLSearchParams({ repositoryUrl }) }],
  [200, 'generic/svc/2026.3/policy-scans/stable', { headers: { Accept: 'application/x-ndjson' } }],
  [404, 'generic/svc/2026.3/policy-scans/suported', {}],
  [406, 'generic/svc/2026.3/policy-scans/supported', { headers: { Accept: 'text/html' } }],
])('%i for POST /packages/%s is documented', async (status, path, init) => {
  const json = typeof init.body === 'string' ? { 'Content-Type': 'application/json' } : undefined;
  const headers = { ...json, ...init.headers };
  const response = await fetch(`${proxy.url}/packages/${path}`, {
    method: 'POST',
    ...init,
    headers,
  });
  const text = await response.text();

  expect(text).not.toContain('stoplight.io');
  expect(response.status, text).toBe(status);
});

test('404 for an unknown statement about a package is documented', async () => {
  const id = encodeURIComponent('svc/1.0/2026-11-20');
  const found = await ask(
    `/packages/generic/svc/2026.3/sha256:${'0'.repeat(64)}/attestations/site/${id}`,
  );

  expect(found.text).not.toContain('stoplight.io');
  expect(found).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is no statement') as string,
  });
});

test('204 is documented', async () => {
  expect(
    await ask('/build-export/v2/builds/since/0', { 'Last-Event-ID': await newestBuild() }),
  ).toEqual({
    status: 204,
    text: '',
  });
  expect((await ask('/build-export/v2/builds/since/0', { 'Last-Event-ID': 'x' })).status).toBe(404);
});

test.each(['/api/releases?maxReleases=0', '/api/releases?maxReleases=x', '/api/answers'])(
  'the document says that %s is no request to make',
  async (path) => {
    const { status, text } = await ask(path);

    expect(status).not.toBe(200);
    expect(text).toContain('stoplight.io/prism/errors');
    const plain = await fetch(new URL(path, site.url));
    expect([400, 404]).toContain(plain.status);
  },
);

test('the judge would say what is not as documented', async () => {
  const strict = await startPrism(liar.url);
  try {
    const response = await fetch(`${strict.url}/api/releases`);

    expect(response.status).toBe(500);
    expect(await response.text()).toContain('stoplight.io/prism/errors#VIOLATIONS');
  } finally {
    await strict.stop();
  }
});
