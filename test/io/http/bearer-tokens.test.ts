import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { parseChallenge, readToken } from '../../../src/io/http/bearer-tokens.ts';
import { client, failureOf, get, json, serve, serveJson, status } from './harness.ts';

const scope = 'repository:example/server:pull';
const asked = { tokenScope: scope };
const query = 'scope=repository%3Aexample%2Fserver%3Apull&service=registry.example';

interface Registry {
  realm: string;
  /** the token that the registry accepts now */
  token: string;
}

function registry(state: Registry) {
  return serve((request, response) => {
    if (request.headers.authorization === `Bearer ${state.token}`) {
      return json(response, { tags: ['1.0'] });
    }
    const challenge = `Bearer realm="${state.realm}",service="registry.example",scope="repository:secret/payroll:pull"`;
    status(response, 401, { 'www-authenticate': challenge });
  });
}

test('the HTTP client answers a registry’s challenge with an anonymous token, requested once', async () => {
  const tokenServer = await serveJson({ access_token: 'granted', expires_in: 300 });
  const server = await registry({
    realm: `${tokenServer.origin}/token?account=a&scope=repository:secret/payroll:pull`,
    token: 'granted',
  });
  const http = client({ tokens: new Map([[tokenServer.origin, 'not-for-this']]) });
  const ask = (path: number) => get(`${server.origin}/${path}`, http, asked);

  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
  const requestsBefore = server.requests.length;
  answers.push(await ask(20));

  for (const answer of answers) {
    expect(answer.json()).toEqual({ tags: ['1.0'] });
  }
  expect(server.requests).toHaveLength(requestsBefore + 1);
  expect(tokenServer.requests).toMatchObject([{ path: `/token?account=a&${query}` }]);
  expect(tokenServer.requests[0]?.headers.authorization).toBeUndefined();
});

test('the HTTP client gets a token for a person, also after a refusal of the URL from an answer', async () => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });
  const http = client();
  const namedUrl = 'https://other.example/';

  // Trusts the local host of the server.
  await failureOf(get(`${server.origin}/other`, http));
  const error = await failureOf(get(server.url, http, { ...asked, namedUrl }));
  const response = await get(server.url, http, asked);

  expect(error.kind).toBe('refused');
  expect(response.json()).toEqual({ tags: ['1.0'] });
});

test('the HTTP client gets another token when one is refused', async () => {
  const state: Registry = { realm: '', token: 'token-1' };
  const tokenServer = await serve((_request, response) => json(response, { token: state.token }));
  state.realm = tokenServer.origin;
  const server = await registry(state);
  const http = client();
  await get(`${server.origin}/a`, http, asked);
  state.token = 'token-2';

  const response = await get(`${server.origin}/b`, http, asked);

  expect(response.json()).toEqual({ tags: ['1.0'] });
  expect(tokenServer.requests).toHaveLength(2);
});

const token = `/token for ${scope} answered`;

test.each<[what: string, service: RequestListener, kind: string, message: string]>([
  ['a refused scope', (_, response) => status(response, 403), 'refused', `${token} 403`],
  [
    'an answer with no token',
    (_, response) => json(response, { error: 'none' }),
    'content',
    `${token} without a token`,
  ],
  [
    'a token that is no header value',
    (_, response) => json(response, { token: 'a\r\nb' }),
    'content',
    `${token} without a token`,
  ],
])('the HTTP client reports %s of the token service', async (_what, service, kind, message) => {
  const tokenServer = await serve(service);
  const server = await registry({ realm: `${tokenServer.origin}/token`, token: 'never' });

  const error = await failureOf(get(server.url, client(), asked));

  expect(error).toMatchObject({ kind, message: `GET ${tokenServer.origin}${message}` });
  expect(server.requests).toHaveLength(1);
});

test.each([
  [
    'no credential',
    false,
    /answered 401\. If it is private, set RELEASE_INDEX_AUTH_127_0_0_1_\d+\.$/,
  ],
  ['a credential', true, /answered 401\. The credential does not give access\.$/],
])('a second 401 is final, and names the remedy, with %s', async (_, hasOwn, message) => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'another' });
  const tokens = new Map(hasOwn ? [[server.origin, 'own']] : []);

  const error = await failureOf(get(server.url, client({ tokens }), asked));

  expect(error.kind).toBe('refused');
  expect(error.message).toMatch(message);
  expect(server.requests).toHaveLength(2);
});

test('the HTTP client ignores a challenge unless the request asks for authentication', async () => {
  const tokenServer = await serveJson({ token: 'granted' });
  const server = await registry({ realm: tokenServer.origin, token: 'granted' });

  const error = await failureOf(get(server.url));

  expect(error.kind).toBe('refused');
  expect(tokenServer.requests).toEqual([]);
});

test('the HTTP client reads a Bearer challenge among others', () => {
  const realm = 'https://auth.example/token';
  expect(parseChallenge(`Bearer realm="${realm}",service="a, b",scope="x:y:pull,push"`)).toEqual({
    realm,
    service: 'a, b',
  });
  expect(parseChallenge(`Basic realm="other", bearer realm=${realm}`)).toMatchObject({ realm });
  expect(parseChallenge('Basic realm="Bearer"')).toBeUndefined();
  expect(
    parseChallenge(`Basic realm="x, Bearer realm=https://other", Bearer realm="${realm}"`),
  ).toMatchObject({ realm });
  expect(parseChallenge(undefined)).toBeUndefined();
});

test.each([
  ['{"token":"","access_token":"granted"}', 'granted'],
  ['{"token":"granted","access_token":null}', 'granted'],
  ['{"token":"a b"}', undefined],
  ['[]', undefined],
])('the HTTP client reads the answer of a token service: %s', (answer, token) => {
  expect(readToken(answer)).toBe(token);
});
