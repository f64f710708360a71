import { expect, test } from 'vitest';
import { parseChallenge } from '../../../src/io/http/bearer-tokens.ts';
import { client, failureOf, fakeClock, get, json, serve, serveJson, serveStatus, status } from './harness.ts';

const scope = 'repository:example/server:pull';
const asked = { authenticate: { scope } };
const query = 'service=registry.example&scope=repository%3Aexample%2Fserver%3Apull';

interface Registry {
  realm: string;
  /** the token that the registry accepts now */
  token: string;
}

function registry(state: Registry) {
  return serve((request, response) => {
    if (request.headers.authorization === `Bearer ${state.token}`) return json(response, { tags: ['1.0'] });
    const challenge = `Bearer realm="${state.realm}",service="registry.example",scope="${scope}"`;
    status(response, 401, { 'www-authenticate': challenge });
  });
}

test('the HTTP client answers a registry’s challenge with an anonymous token, requested once', async () => {
  const tokenServer = await serveJson({ token: 'granted', expires_in: 300 });
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'granted' });
  const http = client({ tokens: new Map([[tokenServer.origin, 'not-for-this']]) });

  const first = await get(`${server.origin}/v2/example/server/tags/list`, http, asked);
  const second = await get(`${server.origin}/v2/example/server/manifests/1.0`, http, asked);

  expect([first.json(), second.json()]).toEqual([{ tags: ['1.0'] }, { tags: ['1.0'] }]);
  expect(server.requests).toHaveLength(3);
  expect(tokenServer.requests).toMatchObject([{ path: `/token?${query}` }]);
  expect(tokenServer.requests[0]?.headers.authorization).toBeUndefined();
});

test("the HTTP client keeps the query in a token service's address", async () => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: `${tokenServer.origin}/token?account=a`, token: 'granted' });

  await get(server.url, client(), asked);

  expect(tokenServer.requests).toMatchObject([{ path: `/token?account=a&${query}` }]);
});

test('the HTTP client requests one token for concurrent requests', async () => {
  const tokenServer = await serveJson({ access_token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });
  const http = client();

  await Promise.all(Array.from({ length: 20 }, (_, index) => get(`${server.origin}/${index}`, http, asked)));

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
  await get(`${server.origin}/a`, http, asked);
  state.token = 'token-2';
  await clock.sleep(passes, new AbortController().signal);

  const response = await get(`${server.origin}/b`, http, asked);

  expect(response.json()).toEqual({ tags: ['1.0'] });
  expect(tokenServer.requests).toHaveLength(2);
});

test('the HTTP client reports the scope that the token service refused', async () => {
  const tokenServer = await serveStatus(403);
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'never' });

  const error = await failureOf(get(server.url, client(), asked));

  const message = `GET ${tokenServer.origin}/token for ${scope} answered 403`;
  expect(error).toMatchObject({ kind: 'refused', message });
  expect(server.requests).toHaveLength(1);
});

test.each([
  ['no token', { error: 'none' }],
  ['a token that is no header value', { token: 'a\r\nb' }],
])('the HTTP client rejects an answer with %s', async (_what, answer) => {
  const tokenServer = await serveJson(answer);
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'never' });

  const error = await failureOf(get(server.url, client(), asked));

  const message = `GET ${tokenServer.origin}/token for ${scope} answered without a token`;
  expect(error).toMatchObject({ kind: 'content', message });
});

test('the HTTP client treats a second 401 as final', async () => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'another' });

  const error = await failureOf(get(server.url, client(), asked));

  const message = `GET ${server.url} answered 401. The credential does not give access.`;
  expect(error).toMatchObject({ kind: 'refused', message });
  expect(server.requests).toHaveLength(2);
});

test('the HTTP client ignores a challenge unless the request asks for authentication', async () => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });

  const error = await failureOf(get(server.url));

  expect(error.kind).toBe('refused');
  expect(tokenServer.requests).toEqual([]);
});

test('the HTTP client asks for no token in the local network for a public registry', async () => {
  const server = await registry({ realm: 'http://127.0.0.2:9/token', token: 'never' });
  const http = client({ addresses: { isPublic: (address) => address !== '127.0.0.2' } });

  const error = await failureOf(get(server.url, http, asked));

  const message = `GET ${server.url} leads to http://127.0.0.2:9/token, an address in a local network`;
  expect(error).toMatchObject({ kind: 'forbidden', message });
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
