import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { parseChallenge } from '../../../src/io/http/bearer-tokens.ts';
import { client, failureOf, fakeClock, JSON_ONLY, json, serve, status } from './harness.ts';

const SCOPE = 'repository:example/server:pull';

interface Registry {
  realm: string;
  /** the token that the registry accepts now */
  token: string;
}

function registry(state: Registry) {
  return serve((request: IncomingMessage, response: ServerResponse) => {
    if (request.headers.authorization === `Bearer ${state.token}`) return json(response, { tags: ['1.0'] });
    const challenge = `Bearer realm="${state.realm}",service="registry.example",scope="${SCOPE}"`;
    status(response, 401, { 'www-authenticate': challenge });
  });
}

test('the HTTP client answers a registry’s challenge with an anonymous token, requested once', async () => {
  const tokenServer = await serve((_request, response) =>
    json(response, { token: 'granted', expires_in: 300 }),
  );
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'granted' });
  const http = client({ tokens: new Map([[tokenServer.origin, 'not-for-this']]) });
  const get = (path: string) =>
    http.fetch({ url: `${server.origin}${path}`, accept: JSON_ONLY, authenticate: { scope: SCOPE } });

  const first = await get('/v2/example/server/tags/list');
  const second = await get('/v2/example/server/manifests/1.0');

  expect(first.json()).toEqual({ tags: ['1.0'] });
  expect(second.json()).toEqual({ tags: ['1.0'] });
  expect(server.requests).toHaveLength(3);
  expect(tokenServer.paths()).toEqual([
    '/token?service=registry.example&scope=repository%3Aexample%2Fserver%3Apull',
  ]);
  expect(tokenServer.requests[0]?.headers.authorization).toBeUndefined();
});

test("the HTTP client keeps the query in a token service's address", async () => {
  const tokenServer = await serve((_request, response) => json(response, { token: 'granted' }));
  const server = await registry({ realm: `${tokenServer.origin}/token?account=a`, token: 'granted' });

  await client().fetch({ url: server.origin, accept: JSON_ONLY, authenticate: { scope: SCOPE } });

  expect(tokenServer.paths()).toEqual([
    '/token?account=a&service=registry.example&scope=repository%3Aexample%2Fserver%3Apull',
  ]);
});

test('the HTTP client requests one token for concurrent requests', async () => {
  const tokenServer = await serve((_request, response) => json(response, { access_token: 'granted' }));
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });
  const http = client();

  const urls = Array.from({ length: 20 }, (_, index) => `${server.origin}/${index}`);
  await Promise.all(
    urls.map((url) => http.fetch({ url, accept: JSON_ONLY, authenticate: { scope: SCOPE } })),
  );

  expect(tokenServer.requests).toHaveLength(1);
});

test.each([
  ['has run out', 120_000],
  ['is refused before its time', 0],
])('the HTTP client gets another token when one %s', async (_why, passes) => {
  const state: Registry = { realm: '', token: 'token-1' };
  const clock = fakeClock();
  const tokenServer = await serve((_request, response) =>
    json(response, { token: state.token, expires_in: 100 }),
  );
  state.realm = tokenServer.origin;
  const server = await registry(state);
  const http = client({ clock });
  const get = (path: string) =>
    http.fetch({ url: `${server.origin}${path}`, accept: JSON_ONLY, authenticate: { scope: SCOPE } });
  await get('/a');
  state.token = 'token-2';
  await clock.sleep(passes, new AbortController().signal);

  const response = await get('/b');

  expect(response.json()).toEqual({ tags: ['1.0'] });
  expect(tokenServer.requests).toHaveLength(2);
});

test('the HTTP client reports the scope that the token service refused', async () => {
  const tokenServer = await serve((_request, response) => status(response, 403));
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'never' });

  const request = { url: `${server.origin}/v2/`, accept: JSON_ONLY, authenticate: { scope: SCOPE } };
  const error = await failureOf(client().fetch(request));

  expect(error.message).toBe(`GET ${tokenServer.origin}/token for ${SCOPE} answered 403`);
  expect(error.kind).toBe('refused');
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['no token', { error: 'none' }],
  ['a token that is no header value', { token: 'a\r\nb' }],
])('the HTTP client rejects an answer with %s', async (_what, answer) => {
  const tokenServer = await serve((_request, response) => json(response, answer));
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'never' });

  const request = { url: `${server.origin}/v2/`, accept: JSON_ONLY, authenticate: { scope: SCOPE } };
  const error = await failureOf(client().fetch(request));

  expect(error.message).toBe(`GET ${tokenServer.origin}/token for ${SCOPE} answered without a token`);
  expect(error.kind).toBe('content');
});

test('the HTTP client treats a second 401 as final', async () => {
  const tokenServer = await serve((_request, response) => json(response, { token: 'granted' }));
  const server = await registry({ realm: tokenServer.origin, token: 'another' });

  const request = { url: `${server.origin}/v2/`, accept: JSON_ONLY, authenticate: { scope: SCOPE } };
  const error = await failureOf(client().fetch(request));

  expect(error.message).toBe(`GET ${server.origin}/v2/ answered 401. The credential does not give access.`);
  expect(error.kind).toBe('refused');
  expect(server.requests).toHaveLength(2);
});

test('the HTTP client ignores a challenge unless the request asks for authentication', async () => {
  const tokenServer = await serve((_request, response) => json(response, { token: 'granted' }));
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });

  const error = await failureOf(client().fetch({ url: server.origin, accept: JSON_ONLY }));

  expect(error.kind).toBe('refused');
  expect(tokenServer.requests).toEqual([]);
});

test('the HTTP client does not ask for a token at an address in the local network for a public registry', async () => {
  const server = await registry({ realm: 'http://127.0.0.2:9/token', token: 'never' });
  const http = client({ addresses: { isPublic: (address) => address !== '127.0.0.2' } });

  const request = { url: `${server.origin}/v2/`, accept: JSON_ONLY, authenticate: { scope: SCOPE } };
  const error = await failureOf(http.fetch(request));

  expect(error.message).toBe(
    `GET ${server.origin}/v2/ leads to http://127.0.0.2:9/token, an address in a local network`,
  );
  expect(error.kind).toBe('forbidden');
});

test('the HTTP client reads a Bearer challenge among others', () => {
  const realm = 'https://auth.example/token';
  expect(parseChallenge(`Bearer realm="${realm}",service="a, b",scope="x:y:pull,push"`)).toEqual({
    realm,
    service: 'a, b',
    scope: 'x:y:pull,push',
  });
  expect(parseChallenge(`Basic realm="other", bearer realm=${realm}`)).toMatchObject({ realm });
  expect(parseChallenge('Basic realm="Bearer"')).toBeUndefined();
  expect(parseChallenge(undefined)).toBeUndefined();
});
