import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { HttpError } from '../../../src/io/http/error.ts';
import { readNpmConfig } from '../../../src/io/http/npm-config.ts';
import { readOwnCredentials, variableOf } from '../../../src/io/http/own-credentials.ts';
import { client, failureOf, JSON_ONLY, json, serve, status } from './harness.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

function npmOf(env: Record<string, string>) {
  return readNpmConfig({ HOME: '/nowhere', ...env }, '/nowhere');
}

describe('a credential of the environment', () => {
  test.each([
    ['https://npm.example.com/x', 'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM'],
    ['https://npm.example.com:443/x', 'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM'],
    ['https://my-npm.example.com:8443/x', 'RELEASE_INDEX_AUTH_MY_NPM_EXAMPLE_COM_8443'],
    ['http://127.0.0.1:4873/', 'RELEASE_INDEX_AUTH_127_0_0_1_4873'],
    ['https://[::1]:1/', 'RELEASE_INDEX_AUTH____1__1'],
  ])('for %s is %s', (url, name) => {
    expect(variableOf(new URL(url))).toBe(name);
    expect(readOwnCredentials({ env: { [name]: ' Bearer abc\n' } }).of(new URL(url))).toBe('Bearer abc');
  });

  test.each([
    ['Bearer', 'abc'],
    ['Bearer', 'a b'],
    ['Bearer', 'a\nb'],
    ['Basic', 'user:top-secret'],
    ['Basic', Buffer.from('top-secret').toString('base64')],
    ['Token', 'top-secret'],
  ])('that is malformed is named and not shown: %s %s', (scheme, value) => {
    const given = scheme === 'Bearer' && value === 'abc' ? 'top-secret' : `${scheme} ${value}`;
    const read = () => readOwnCredentials({ env: { RELEASE_INDEX_AUTH_A_EXAMPLE: given } });

    expect(read).toThrow(
      /^RELEASE_INDEX_AUTH_A_EXAMPLE: expected "Bearer " and a token, or "Basic " and the base64 of user:password$/,
    );
  });

  test('is rejected if its name is not in capitals, with the right name', () => {
    expect(() => readOwnCredentials({ env: { 'RELEASE_INDEX_AUTH_a.example': 'Bearer x' } })).toThrow(
      'RELEASE_INDEX_AUTH_a.example: expected capitals, digits and _ only: RELEASE_INDEX_AUTH_A_EXAMPLE',
    );
  });

  test('is absent if it is empty', () => {
    const { of } = readOwnCredentials({ env: { RELEASE_INDEX_AUTH_A_EXAMPLE: '' } });

    expect(of(new URL('https://a.example/'))).toBeUndefined();
  });

  test('goes to its own origin and not to the target of a redirect', async () => {
    const other = await serve((_request, response) => json(response, {}));
    const server = await serve((request, response) =>
      request.url === '/own'
        ? json(response, {})
        : status(response, 302, { location: request.url === '/in' ? '/own' : `${other.origin}/` }),
    );
    const env = { [variableOf(new URL(server.origin))]: 'Bearer top-secret' };
    const http = client({ env });

    await http.fetch({ url: `${server.origin}/in`, accept: JSON_ONLY });
    await http.fetch({ url: `${server.origin}/out`, accept: JSON_ONLY });

    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill('Bearer top-secret'),
    );
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test('takes precedence over a token that the program has for the host', async () => {
    const { of } = readOwnCredentials({
      env: { RELEASE_INDEX_AUTH_API_EXAMPLE: 'Bearer own' },
      tokens: new Map([['https://api.example', 'other']]),
    });

    expect(of(new URL('https://api.example/x'))).toBe('Bearer own');
  });
});

describe("a credential of npm's configuration", () => {
  const { of } = readOwnCredentials({
    npm: npmOf({
      'npm_config_//npm.example/team/:_authToken': 'team',
      'npm_config_//npm.example/team/inner:_authToken': 'inner',
      'npm_config_//basic.example:8443/:username': 'somebody',
      'npm_config_//basic.example:8443/:_password': Buffer.from('pass:word').toString('base64'),
      'npm_config_//auth.example/:_auth': Buffer.from('somebody:else').toString('base64'),
    }),
  });

  test.each([
    ['https://npm.example/team/@scope%2fname', 'Bearer team'],
    ['https://npm.example/team', 'Bearer team'],
    ['https://npm.example/team/inner/name', 'Bearer inner'],
    ['https://npm.example/teams/name', undefined],
    ['https://npm.example/name', undefined],
    ['https://npm.example:8443/team/name', undefined],
    ['https://basic.example:8443/name', basic('somebody:pass:word')],
    ['https://basic.example/name', undefined],
    ['https://auth.example/name', basic('somebody:else')],
  ])('for %s is %s', (url, expected) => {
    expect(of(new URL(url), true)).toBe(expected);
  });

  test('is for requests of npm packages only', () => {
    expect(of(new URL('https://npm.example/team/x'))).toBeUndefined();
  });

  test('is named and not shown if it cannot be a header', () => {
    const npm = npmOf({ 'npm_config_//npm.example/:_authToken': 'top\nsecret' });

    expect(() => readOwnCredentials({ npm })).toThrow(
      "//npm.example in npm's configuration: expected a credential of printable characters",
    );
  });
});

describe('a token service', () => {
  const credentials = (env: Record<string, string>) => readOwnCredentials({ env });
  const realm = (host: string) => new URL(`https://${host}/token`);
  const given = { RELEASE_INDEX_AUTH_GITLAB_CORP_EXAMPLE: 'Bearer gitlab' };

  test.each([
    ['registry.corp.example', 'gitlab.corp.example', 'Bearer gitlab'],
    ['gitlab.corp.example:5050', 'gitlab.corp.example', 'Bearer gitlab'],
    ['registry.gitlab.corp.example', 'gitlab.corp.example', 'Bearer gitlab'],
    ['registry.evil.example', 'gitlab.corp.example', undefined],
    ['registry.evil.example', 'gitlab-corp.example', undefined],
    ['registry.corp.example', 'other.corp.example', undefined],
  ])('that %s names at %s gets %s', (registry, at, expected) => {
    expect(credentials(given).ofRealm(realm(at), new URL(`https://${registry}/v2/`))).toBe(expected);
  });

  test('on another host is trusted if the registry has a credential itself', () => {
    const env = { ...given, RELEASE_INDEX_AUTH_REGISTRY_OTHER: 'Bearer registry' };

    expect(credentials(env).ofRealm(realm('gitlab.corp.example'), new URL('https://registry.other/'))).toBe(
      'Bearer gitlab',
    );
  });

  test('gets its own credential, and its token goes to the registry', async () => {
    const scope = 'repository:example/server:pull';
    const service = await serve((request, response) =>
      request.headers.authorization === basic('somebody:top-secret')
        ? json(response, { token: 'granted' })
        : status(response, 401),
    );
    const registry = await serve((request, response) =>
      request.headers.authorization === 'Bearer granted'
        ? json(response, { tags: [] })
        : status(response, 401, { 'www-authenticate': `Bearer realm="${service.origin}/token"` }),
    );
    const env = { [variableOf(new URL(service.origin))]: basic('somebody:top-secret') };
    const request = { url: `${registry.origin}/v2/`, accept: JSON_ONLY, authenticate: { scope } };

    const response = await client({ env }).fetch(request);
    const refused = await failureOf(client().fetch(request));

    expect(response.json()).toEqual({ tags: [] });
    expect(registry.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer granted',
      undefined,
    ]);
    expect(refused.message).toContain(`answered 401. `);
  });

  test('in a local network is asked if it has a credential: a person has named it', async () => {
    const service = await serve((_request, response) => json(response, { token: 'granted' }));
    const realm = `http://localhost:${service.port}/token`;
    const registry = await serve((request, response) =>
      request.headers.authorization === 'Bearer granted'
        ? json(response, {})
        : status(response, 401, { 'www-authenticate': `Bearer realm="${realm}"` }),
    );
    const url = `${registry.origin}/v2/`;
    const request = { url, accept: JSON_ONLY, authenticate: { scope: 'x' } };
    const env = {
      [variableOf(new URL(realm))]: 'Bearer realm',
      [variableOf(new URL(url))]: 'Bearer registry',
    };

    const refused = await failureOf(client().fetch(request));
    const answered = await client({ env }).fetch(request);

    expect(refused.message).toBe(`GET ${url} leads to ${realm}, an address in a local network`);
    expect(answered.json()).toEqual({});
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer realm']);
  });
});

test('a host in a local network is asked if a person names it, not if an answer leads to it', async () => {
  const server = await serve((request, response) =>
    request.url === '/there' ? json(response, {}) : status(response, 302, { location: 'https://10.1.2.3/' }),
  );
  const http = client({ addresses: { isPublic: () => false } });

  expect((await http.fetch({ url: `${server.origin}/there`, accept: JSON_ONLY })).json()).toEqual({});
  expect((await failureOf(http.fetch({ url: `${server.origin}/away`, accept: JSON_ONLY }))).kind).toBe(
    'forbidden',
  );
});

test('a host that repeats a credential does not make it public', async () => {
  const server = await serve((request, response) => {
    const sent = String(request.headers.authorization);
    if (request.url === '/away')
      return status(response, 302, { location: `/${encodeURIComponent('pass word')}/x` });
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ error: `${sent} ${Buffer.from(sent.slice(6), 'base64').toString()} is not enough` }),
      );
  });
  const env = { [variableOf(new URL(server.origin))]: basic('somebody:pass word') };

  for (const path of ['/', '/away']) {
    const error = await failureOf(
      client({ env }).fetch({ url: `${server.origin}${path}`, accept: JSON_ONLY }),
    );

    expect(error).toBeInstanceOf(HttpError);
    expect(inspect(error, { depth: 9 })).not.toMatch(/pass.?(?:word|20word)|c29tZWJvZHk6/);
  }
});

test.each([
  [{}, "If it is private, set RELEASE_INDEX_AUTH_127_0_0_1_PORT or a token in npm's configuration."],
  [{ RELEASE_INDEX_AUTH_127_0_0_1_PORT: 'Bearer top-secret' }, 'The credential does not give access.'],
])('a 401 names the remedy, with %j', async (given, advice) => {
  const server = await serve((_request, response) => status(response, 401));
  const here = (text: string) => text.replace('PORT', String(server.port));
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [here(name), value]));

  const { message } = await failureOf(
    client({ env }).fetch({ url: `${server.origin}/x`, accept: JSON_ONLY, asNpm: true }),
  );

  expect(message).toBe(`GET ${server.origin}/x answered 401. ${here(advice)}`);
});
