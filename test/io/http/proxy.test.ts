import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenTo } from '../../harness/company-network.ts';
import { client, failureOf, get, json, namesOf, serve, serveJson, serveStatus } from './harness.ts';

test('the HTTP client goes through the proxy that the environment names', async () => {
  const proxy = await serve((request, response) => json(response, { asked: request.url }));

  const http = client({ env: { http_proxy: proxy.origin } });
  const response = await get('http://repo.localhost:8099/x', http);

  expect(response.json()).toEqual({ asked: 'http://repo.localhost:8099/x' });
});

test.each([
  ['a host in NO_PROXY', { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' }],
  ['a protocol without a proxy', { HTTPS_PROXY: 'http://127.0.0.1:1' }],
  ['a client without an environment', undefined],
])('the HTTP client asks directly: %s', async (_which, env) => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await serveJson({ from: 'server' });

  const response = await get(server.url, client({ env }));

  expect(response.json()).toEqual({ from: 'server' });
});

test('the HTTP client rejects literal local addresses in redirects behind a proxy, too', async () => {
  const proxy = await serveStatus(302, { location: 'https://169.254.169.254/latest' });

  const http = client({
    env: { HTTP_PROXY: proxy.origin },
    addresses: { isPublic: (address) => address !== '169.254.169.254' },
  });
  const error = await failureOf(get('http://127.0.0.1:8099/x', http));

  expect(error.message).toBe(
    'GET http://127.0.0.1:8099/x leads to https://169.254.169.254/latest, which is an address in a local network',
  );
  expect(proxy.requests).toHaveLength(1);
});

test("the HTTP client reports the proxy's answer without its credentials", async () => {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url!);
    socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n');
  });
  const { port } = await listenTo(proxy);

  const http = client({ env: { HTTPS_PROXY: `name:secret@127.0.0.1:${port}` } });
  const error = await failureOf(get('https://repo.example/x', http));

  expect(error.message).toBe(
    'GET https://repo.example/x: the proxy did not connect to "repo.example" (it answered 407) ' +
      `(2 attempts). The environment names a proxy, http://127.0.0.1:${port}.`,
  );
  expect(error.kind).toBe('trouble');
  expect(asked).toEqual(['repo.example:443', 'repo.example:443']);
});

test.each(['http://127.0.0.1:1', 'http://proxy.invalid:3128'])(
  'the HTTP client names the proxy where that does not answer: %s',
  async (proxy) => {
    const env = { HTTPS_PROXY: proxy.replace('//', '//name:secret@') };
    const http = client({ env, addresses: { lookup: namesOf({}).lookup } });

    const { message } = await failureOf(get('https://repo.example/x', http));

    expect(message).toContain(`. The environment names a proxy, ${proxy}.`);
    expect(message).not.toContain('secret');
  },
);

test('the HTTP client names the variable of an invalid proxy URL', () => {
  expect(() => client({ env: { HTTPS_PROXY: 'name:secret@proxy:99999' } })).toThrow(
    /^HTTPS_PROXY: expected the URL of a proxy, such as http:\/\/proxy\.example:3128$/,
  );
});
