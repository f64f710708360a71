import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { isUnsafeHttp } from '../../../src/core/schemas/urls.ts';
import {
  createAddressGuard,
  isPublic,
  systemAddresses,
} from '../../../src/io/http/address-guard.ts';
import type { HttpOptions } from '../../../src/io/http/http-run.ts';
import { fetchPages } from '../../../src/record/sources/shared/requests.ts';
import {
  client,
  failureOf,
  get,
  json,
  namesOf,
  serve,
  serveJson,
  serveStatus,
  status,
} from './harness.ts';

// 127.0.0.1 stands for the public network, and 127.0.0.2 for a local one.
const world: Partial<HttpOptions> = {
  addresses: {
    isPublic: (address) => !['127.0.0.2', '::ffff:7f00:2'].includes(address),
    lookup: namesOf({ 'public.localhost': '127.0.0.1' }).lookup,
  },
};

test('the HTTP client follows relative and absolute redirects to the final URL', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/a/old') {
      status(response, 301, { location: 'new?x=1#part' });
    } else if (request.url === '/a/new?x=1') {
      status(response, 307, { location: `${server.origin}/c` });
    } else {
      json(response, { ok: true });
    }
  });

  const response = await get(`${server.origin}/a/old`);

  expect(response.url).toBe(`${server.origin}/c`);
  expect(server.requests.map(({ path }) => path)).toEqual(['/a/old', '/a/new?x=1', '/c']);
});

test.each([
  ['UTF-8', '/\u00fcber', '/%C3%BCber'],
  ['percent-encoding', '/%C3%BCber', '/%C3%BCber'],
  ['Latin-1', '/\u00fcber', '/%C3%BCber'],
])('the HTTP client follows a redirect to a path in %s', async (encoding, location, path) => {
  const server = await serve((request, response) => {
    if (request.url === '/x') {
      // Node writes the characters of a header as single bytes.
      const bytes = Buffer.from(location, encoding === 'UTF-8' ? 'utf8' : 'latin1');
      status(response, 302, { location: bytes.toString('latin1') });
    } else {
      json(response, {});
    }
  });

  expect((await get(server.url)).url).toBe(`${server.origin}${path}`);
});

test('the HTTP client reads what a POST led to, and does not send it again', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/x') {
      status(response, 303, { location: '/result' });
    } else {
      json(response, { ok: true });
    }
  });

  await get(server.url, client(), {
    method: 'POST',
    body: { type: 'application/json', text: '{}' },
  });

  const sent = server.requests.map(({ method, path, headers }) => [
    ...[method, path],
    headers['content-type'],
  ]);
  expect(sent).toEqual([
    ['POST', '/x', 'application/json'],
    ['GET', '/result', undefined],
  ]);
});

test('the HTTP client names both URLs when the target of a redirect fails', async () => {
  const { origin } = await serve((request, response) => {
    if (request.url === '/old') {
      status(response, 302, { location: '/new?signature=secret' });
    } else {
      status(response, 404);
    }
  });

  const error = await failureOf(get(`${origin}/old`));

  const message = `GET ${origin}/old (redirected to ${origin}/new) answered 404`;
  expect(error).toMatchObject({ kind: 'absent', message });
});

test('the HTTP client asks a named host over plain http, and follows no redirect to another', async () => {
  const names = namesOf({ 'nexus.corp.example': '127.0.0.1', 'other.corp.example': '127.0.0.1' });
  const server = await serve((request, response) => {
    const { host = '' } = request.headers;
    if (request.url === '/away') {
      status(response, 302, { location: `http://${host.replace('nexus', 'other')}/new` });
    } else {
      json(response, { ok: true });
    }
  });
  const { port } = new URL(server.origin);
  const plainHttpHosts = ['nexus.corp.example'];
  const http = client({ addresses: { lookup: names.lookup }, plainHttpHosts });

  const response = await get(`http://nexus.corp.example:${port}/npm`, http);
  const error = await failureOf(get(`http://nexus.corp.example:${port}/away`, http));

  expect(response.json()).toEqual({ ok: true });
  expect(error).toMatchObject({ kind: 'forbidden' });
  expect(server.requests.map(({ path }) => path)).toEqual(['/npm', '/away']);
});

test('the HTTP client follows five redirects and no more', async () => {
  const { origin } = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) {
      json(response, {});
    } else {
      status(response, 302, { location: `/${left - 1}` });
    }
  });

  expect((await get(`${origin}/5`)).url).toBe(`${origin}/0`);
  expect(await failureOf(get(`${origin}/6`))).toMatchObject({
    kind: 'limit',
    message: expect.stringMatching(/\/1\) redirects more than 5 times$/) as string,
  });
});

const plainHttp = '(http: is for loopback, and for plainHttpHosts of site/site.json)';

test.each([
  ['http://example.org/x', `leads to http://example.org/x, which is not https: ${plainHttp}`],
  ['file:///etc/passwd', `leads to file:///etc/passwd, which is not https: ${plainHttp}`],
  [
    'data:application/json,{}',
    `leads to data:application/json,{}, which is not https: ${plainHttp}`,
  ],
  [
    'https://name:word@example.org/',
    'leads to https://example.org/, which has credentials in the URL',
  ],
  ['user:word@example.org', `leads to user:example.org, which is not https: ${plainHttp}`],
  ['https://[broken', 'leads to an address that is not a URL'],
])('the HTTP client does not follow a redirect to %s', async (location, text) => {
  const server = await serveStatus(302, { location });

  const error = await failureOf(get(server.url));

  expect(error).toMatchObject({ kind: 'forbidden', message: `GET ${server.url} ${text}` });
});

test.each([
  ['http://example.org/x', `GET http://example.org/x is not https: ${plainHttp}`],
  ['https://name:word@example.org/', 'GET https://example.org/ has credentials in the URL'],
  ['no address?key=secret', '"no address" is not a URL'],
])('the HTTP client does not ask for %s', async (url, message) => {
  const http = client();

  expect(await failureOf(get(url, http))).toMatchObject({ kind: 'forbidden', message });
  expect(http.counts.requests).toBe(0);
});

test.each([
  ['an address', 'http://127.0.0.2:9/x'],
  ['an address mapped into IPv6', 'https://[::ffff:127.0.0.2]/x'],
  ['the name localhost', 'http://localhost:9/x'],
])(
  'the HTTP client does not follow a public host into the local network by %s',
  async (_how, location) => {
    const { port } = await serveStatus(302, { location });
    const http = client(world);

    const error = await failureOf(get(`http://public.localhost:${port}/x`, http));

    expect(error.message).toMatch(
      /^GET http:\/\/public.* leads to http.*, which is an address in a local network$/,
    );
    expect(error.kind).toBe('forbidden');
    expect(http.counts.requests).toBe(1);
  },
);

test('the HTTP client checks the address while connecting, so DNS cannot change it in between', async () => {
  const answers = ['127.0.0.1', '127.0.0.2'];
  const lookup: LookupFunction = (hostname, ...rest) =>
    namesOf({ [hostname]: String(answers.shift()) }).lookup(hostname, ...rest);
  const { port } = await serve((_request, response) =>
    status(response, 302, { location: `https://public.localhost.example:${port}/x` }),
  );
  const http = client({ addresses: { ...world.addresses, lookup } });

  const error = await failureOf(get(`http://public.localhost:${port}/x`, http));

  expect(error.kind).toBe('forbidden');
  expect(error.message).toMatch(/: the host leads to 127\.0\.0\.2, an address in a local network$/);
  expect(answers).toEqual([]);
});

test('the HTTP client follows a redirect to another public host', async () => {
  const other = await serveJson({ ok: true });
  const { port } = await serveStatus(302, { location: other.url });

  const response = await get(`http://public.localhost:${port}/x`, client(world));

  expect(response.json()).toEqual({ ok: true });
});

test('the HTTP client follows a redirect to a local host only if it is also requested by name', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/x') {
      status(response, 302, { location: `http://localhost:${server.port}/b` });
    } else {
      json(response, { ok: true });
    }
  });
  const http = client();
  await get(`http://localhost:${server.port}/c`, http);

  const response = await get(server.url, http);
  const error = await failureOf(get(server.url));

  expect(response.json()).toEqual({ ok: true });
  expect(error.message).toBe(
    `GET ${server.url} leads to http://localhost:${server.port}/b, which is an address in a local network`,
  );
});

test('the HTTP client sends a token to its origin only, and never after a redirect', async () => {
  const back = { location: '' };
  const other = await serve((request, response) =>
    status(response, 302, request.url === '/away' ? { location: '/further' } : back),
  );
  const server = await serve((request, response) => {
    if (request.url === '/start') {
      status(response, 302, { location: '/same' });
    } else if (request.url === '/same') {
      status(response, 302, { location: `${other.origin}/away` });
    } else {
      json(response, {});
    }
  });
  back.location = `${server.origin}/back`;
  const tokens = new Map([
    [server.origin, 'first-secret'],
    [other.origin, 'second-secret'],
  ]);

  await get(`${server.origin}/start`, client({ tokens }));

  const sent = [...server.requests, ...other.requests].map(({ path, headers }) => [
    path,
    headers.authorization,
  ]);
  expect(sent).toEqual([
    ['/start', 'Bearer first-secret'],
    ['/same', 'Bearer first-secret'],
    ['/back', undefined],
    ['/away', undefined],
    ['/further', undefined],
  ]);
});

test('a next page at the host of a redirect gets no credential, and the host may not turn into a local one', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/list') {
      status(response, 302, { location: `http://mirror.example:${server.port}/1` });
    } else {
      const next = `</${Number(request.url?.slice(1)) + 1}>; rel="next"`;
      json(response, [], { link: next, connection: 'close' });
    }
  });
  const mirror = `http://mirror.example:${server.port}`;
  const answers = ['127.0.0.1', '127.0.0.1', '127.0.0.2'];
  const http = client({
    addresses: {
      ...world.addresses,
      lookup: (host, ...rest) => namesOf({ [host]: String(answers.shift()) }).lookup(host, ...rest),
    },
    plainHttpHosts: ['mirror.example'],
    tokens: new Map([[mirror, 'secret']]),
  });

  const first = { url: `${server.origin}/list`, accept: ['application/json'] };
  const error = await failureOf(fetchPages(http, first, z.array(z.unknown())));

  expect(error.message).toBe(
    `GET ${mirror}/3: the host leads to 127.0.0.2, an address in a local network`,
  );
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/list', undefined],
    ['/1', undefined],
    ['/2', undefined],
  ]);
});

test('the HTTP client asks for no next page in a local network that nobody named', async () => {
  const http = client(world);

  const error = await failureOf(
    get('http://127.0.0.2:9/x', http, { namedUrl: 'http://public.localhost:9/x' }),
  );

  expect(error).toMatchObject({
    kind: 'forbidden',
    message: 'GET http://127.0.0.2:9/x is an address in a local network',
  });
});

test('the HTTP client requests a local address that a person names, also after an answer named it', async () => {
  const server = await serveJson({ ok: true });
  const { lookup } = namesOf({ 'intern.example': '127.0.0.1' });
  const http = client({ addresses: { lookup }, plainHttpHosts: ['intern.example'] });
  const url = `http://intern.example:${server.port}/x`;

  const error = await failureOf(get(url, http, { namedUrl: 'https://public.example/' }));
  const response = await get(url, http);

  expect(error.kind).toBe('forbidden');
  expect(response.json()).toEqual({ ok: true });
});

test('the HTTP client knows the addresses that are not public, however they are written', () => {
  const local = (
    '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ' +
    '::1 :: fe80::1 fd00::1 ::ffff:8.8.8.8 ::8.8.8.8 ::a00:1 64:ff9b::7f00:1 2002:808:808::'
  ).split(' ');
  const outside = ['8.8.8.8', '2606:4700::1111', '64:ff9b::808:808'];

  expect(local.filter(isPublic)).toEqual([]);
  expect(outside.filter(isPublic)).toEqual(outside);
  const { findProblem } = createAddressGuard(systemAddresses);
  const literals = ['0x7f.1', '[::1]', '[::127.0.0.1]', '10.1', '8.8.8.8', '[2606:4700::1111]'];
  const isAdmitted = (host: string) => !findProblem(new URL(`https://${host}/`), 'host');
  expect(literals.filter(isAdmitted)).toEqual(literals.slice(4));
  const urls = [
    'http://[::1]/',
    'http://localhost./',
    'http://a.localhost/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost.example.org/',
  ];
  expect(urls.filter((url) => !isUnsafeHttp(url))).toEqual(urls.slice(0, 4));
});
