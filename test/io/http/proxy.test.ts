import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { client, failureOf, JSON_ONLY, json, namesOf, onCleanup, serve, status } from './harness.ts';

test('the HTTP client goes through the proxy that the environment names', async () => {
  const proxy = await serve((request, response) => json(response, { asked: request.url }));

  const http = client({ env: { http_proxy: proxy.origin } });
  const response = await http.fetch({ url: 'http://repo.localhost:8099/x', accept: JSON_ONLY });

  expect(response.json()).toEqual({ asked: 'http://repo.localhost:8099/x' });
});

test('the HTTP client bypasses the proxy for a host in NO_PROXY', async () => {
  const proxy = await serve((_request, response) => json(response, { from: 'proxy' }));
  const server = await serve((_request, response) => json(response, { from: 'server' }));

  const http = client({ env: { HTTP_PROXY: proxy.origin, NO_PROXY: '127.0.0.1' } });
  const response = await http.fetch({ url: server.origin, accept: JSON_ONLY });

  expect(response.json()).toEqual({ from: 'server' });
});

test('the HTTP client does not look for a proxy in the environment of the process', async () => {
  const before = process.env['HTTP_PROXY'];
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:1';
  onCleanup(async () => {
    if (before === undefined) delete process.env['HTTP_PROXY'];
    else process.env['HTTP_PROXY'] = before;
  });
  const server = await serve((_request, response) => json(response, { from: 'server' }));

  const direct = await client().fetch({ url: server.origin, accept: JSON_ONLY });
  const other = await client({ env: { HTTPS_PROXY: 'http://127.0.0.1:1' } }).fetch({
    url: server.origin,
    accept: JSON_ONLY,
  });

  expect([direct.json(), other.json()]).toEqual([{ from: 'server' }, { from: 'server' }]);
});

test('still rejects literal local addresses in redirects behind a proxy', async () => {
  const proxy = await serve((_request, response) =>
    status(response, 302, { location: 'https://169.254.169.254/latest' }),
  );

  const http = client({
    env: { HTTP_PROXY: proxy.origin },
    addresses: { isPublic: (address) => address !== '169.254.169.254' },
  });
  const error = await failureOf(http.fetch({ url: 'http://127.0.0.1:8099/x', accept: JSON_ONLY }));

  expect(error.message).toBe(
    'GET http://127.0.0.1:8099/x leads to https://169.254.169.254/latest, an address in a local network',
  );
  expect(proxy.requests).toHaveLength(1);
});

test("the HTTP client reports the proxy's answer without its credentials", async () => {
  const proxy = await serveTunnels((socket) => socket.end('HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n'));

  const http = client({ env: { HTTPS_PROXY: `name:secret@127.0.0.1:${proxy.port}` } });
  const error = await failureOf(http.fetch({ url: 'https://repo.example/x', accept: JSON_ONLY }));

  expect(error.message).toBe(
    'GET https://repo.example/x: the proxy did not connect to "repo.example" (it answered 407) ' +
      `(twice). The environment names a proxy, http://127.0.0.1:${proxy.port}.`,
  );
  expect(error.kind).toBe('trouble');
  expect(proxy.asked).toEqual(['repo.example:443', 'repo.example:443']);
});

test.each(['http://127.0.0.1:1', 'http://proxy.invalid:3128'])(
  'the HTTP client names the proxy where that does not answer: %s',
  async (proxy) => {
    const env = { HTTPS_PROXY: proxy.replace('//', '//name:secret@') };
    const http = client({ env, addresses: { lookup: namesOf({}).lookup } });

    const { message } = await failureOf(http.fetch({ url: 'https://repo.example/x', accept: JSON_ONLY }));

    expect(message).toContain(`. The environment names a proxy, ${proxy}.`);
    expect(message).not.toContain('secret');
  },
);

async function serveTunnels(answer: (socket: Duplex) => void): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    asked.push(String(request.url));
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(async () => server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

test('the HTTP client names the variable of an invalid proxy URL', () => {
  expect(() => client({ env: { HTTPS_PROXY: 'name:secret@proxy:99999' } })).toThrow(
    /^HTTPS_PROXY: expected the URL of a proxy, such as http:\/\/proxy\.example:3128$/,
  );
});
