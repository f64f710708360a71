import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { readNpmConfig } from '../../../src/io/http/npm-config.ts';
import { readOwnCredentials, nameVariable } from '../../../src/io/http/credentials.ts';
import { client, failureOf, get, json, serve, serveJson, serveStatus, status } from './harness.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

function npmOf(env: Record<string, string>) {
  return readNpmConfig({ HOME: '/nowhere', ...env }, '/nowhere');
}

test.each([
  ['https://npm.example.com/x', 'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM'],
  ['https://npm.example.com:443/x', 'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM'],
  ['https://my-npm.example.com:8443/x', 'RELEASE_INDEX_AUTH_MY__NPM_EXAMPLE_COM_8443'],
  ['https://my_npm.example.com/x', 'RELEASE_INDEX_AUTH_MY___NPM_EXAMPLE_COM'],
  ['http://127.0.0.1:4873/', 'RELEASE_INDEX_AUTH_127_0_0_1_4873'],
  ['https://[::1]:1/', 'RELEASE_INDEX_AUTH______1____1'],
])('the credential for %s is in %s', (url, name) => {
  expect(nameVariable(new URL(url))).toBe(name);
  expect(readOwnCredentials({ env: { [name]: ' Bearer abc\n' } }).find(new URL(url))).toBe(
    'Bearer abc',
  );
});

test.each([
  'top-secret',
  'Bearer top secret',
  'Bearer top\nsecret',
  'Basic user:top-secret',
  `Basic ${Buffer.from('top-secret').toString('base64')}`,
  'Token top-secret',
])('a malformed credential is named and not shown: %j', (given) => {
  expect(() => readOwnCredentials({ env: { RELEASE_INDEX_AUTH_A_EXAMPLE: given } })).toThrow(
    /^RELEASE_INDEX_AUTH_A_EXAMPLE: expected "Bearer " and a token, or "Basic " and the base64 of user:password$/,
  );
});

test('a credential whose name is not in capitals is rejected with the right name', () => {
  expect(() => readOwnCredentials({ env: { 'RELEASE_INDEX_AUTH_a.example': 'Bearer x' } })).toThrow(
    'RELEASE_INDEX_AUTH_a.example: expected capitals, digits and _ only: RELEASE_INDEX_AUTH_A_EXAMPLE',
  );
});

test.each([
  ['', 'Bearer other'],
  ['Bearer own', 'Bearer own'],
])(
  'a credential of the environment, %j, takes precedence over that of the program: %s',
  (own, expected) => {
    const { find } = readOwnCredentials({
      env: { RELEASE_INDEX_AUTH_API_EXAMPLE: own },
      tokens: new Map([['https://api.example', 'other']]),
    });

    expect(find(new URL('https://api.example/x'))).toBe(expected);
  },
);

const { find } = readOwnCredentials({
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
])("npm's credential for %s is %s, and for packages of npm only", (url, expected) => {
  expect(find(new URL(url), { asNpm: true })).toBe(expected);
  expect(find(new URL(url))).toBeUndefined();
});

test("npm's credential is named and not shown if it cannot be a header", () => {
  const npm = npmOf({ 'npm_config_//npm.example/:_authToken': 'top\nsecret' });

  expect(() => readOwnCredentials({ npm })).toThrow(
    "//npm.example in npm's configuration: expected a credential of printable characters",
  );
});

test.each(['a+b/(c)==', 'a%2Bb%2F(c)%3D%3D', 'a%2bb%2f%28c%29%3d%3d', 'a+b%2F(c)=='])(
  'a secret is hidden as an address spells it: %s',
  (spelling) => {
    const env = { RELEASE_INDEX_AUTH_A_EXAMPLE: 'Bearer a+b/(c)==' };

    expect(readOwnCredentials({ env }).redact(`at /?token=${spelling}&x`)).toBe('at /?token=…&x');
  },
);

test('a body that repeats a credential does not make it public', async () => {
  const token = `s3cret-${'x'.repeat(60)}`;
  const server = await serve((request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(`unknown ${request.headers.authorization}`),
  );
  const env = { [nameVariable(new URL(server.origin))]: `Bearer ${token}` };
  const answer = await get(server.url, client({ env }));

  const error = await failureOf((async () => answer.json())());

  expect(error.message).toContain('it begins with "unknown Bearer …"');
  expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
});

const ofGitlab = { RELEASE_INDEX_AUTH_GITLAB_CORP_EXAMPLE: 'Bearer gitlab' };
const ofBoth = { ...ofGitlab, RELEASE_INDEX_AUTH_REGISTRY_CORP_EXAMPLE: 'Bearer registry' };

test.each([
  ['gitlab.corp.example', 'gitlab.corp.example', ofGitlab, 'Bearer gitlab'],
  ['registry.corp.example', 'gitlab.corp.example', ofBoth, 'Bearer gitlab'],
  ['registry.corp.example', 'gitlab.corp.example', ofGitlab, undefined],
  ['registry.corp.example', 'other.corp.example', ofBoth, undefined],
  ['gitlab.corp.example:5050', 'gitlab.corp.example', ofGitlab, undefined],
  ['evil.gitlab.corp.example', 'gitlab.corp.example', ofBoth, undefined],
])('the token service that %s names at %s gets, of %j, %s', (registry, realm, env, expected) => {
  const { findForRealm } = readOwnCredentials({ env });

  expect(findForRealm(new URL(`https://${realm}/token`), new URL(`https://${registry}/v2/`))).toBe(
    expected,
  );
});

/** A registry that wants a token of the service at the realm. */
const registryFor = (realm: string) =>
  serve((request, response) =>
    request.headers.authorization === 'Bearer granted'
      ? json(response, {})
      : status(response, 401, { 'www-authenticate': `Bearer realm="${realm}"` }),
  );
const tokenScope = 'repository:example/server:pull';

test('a token service in a local network is asked if it and the registry have a variable each', async () => {
  const service = await serveJson({ token: 'granted' });
  const realm = `http://localhost:${service.port}/token`;
  const { url } = await registryFor(realm);
  const ofService = { [nameVariable(new URL(realm))]: 'Bearer realm' };
  const env = { ...ofService, [nameVariable(new URL(url))]: 'Bearer registry' };

  const refused = await failureOf(get(url, client({ env: ofService }), { tokenScope }));
  const answered = await get(url, client({ env }), { tokenScope });

  expect(refused.message).toBe(
    `GET ${url} leads to ${realm}, which is an address in a local network`,
  );
  expect(answered.json()).toEqual({});
  expect(service.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer realm']);
});

test('a token service whose address is not accepted does not become a trusted host', async () => {
  const service = await serveJson({ token: 'granted' });
  const realm = `http://somebody@localhost:${service.port}/token`;
  const { url } = await registryFor(realm);
  const leading = await serveStatus(302, {
    location: service.url.replace('127.0.0.1', 'localhost'),
  });
  const env = {
    [nameVariable(new URL(realm))]: 'Bearer realm',
    [nameVariable(new URL(url))]: 'Bearer registry',
  };
  const http = client({ env });

  const rejected = await failureOf(get(url, http, { tokenScope }));
  const redirected = await failureOf(get(leading.url, http));

  expect(rejected.message).toMatch(/which has credentials in the URL$/);
  expect(redirected.message).toMatch(/which is an address in a local network$/);
  expect(service.requests).toEqual([]);
});

test.each(['/', '/away'])(
  'a host that repeats a credential does not make it public: %s',
  async (path) => {
    const server = await serve((request, response) => {
      const sent = String(request.headers.authorization);
      const plain = Buffer.from(sent.slice(6), 'base64').toString();
      if (request.url === '/away') {
        status(response, 302, { location: `/${encodeURIComponent('pass word')}/x` });
      } else {
        response.writeHead(404).end(`${sent} ${plain} is not enough`);
      }
    });
    const env = { [nameVariable(new URL(server.origin))]: basic('somebody:pass word') };

    const error = await failureOf(get(`${server.origin}${path}`, client({ env })));

    expect(inspect(error, { depth: 9 })).not.toMatch(/pass.?(?:word|20word)|c29tZWJvZHk6/);
  },
);

test.each([
  [
    {},
    "If it is private, set RELEASE_INDEX_AUTH_127_0_0_1_PORT or a token in npm's configuration.",
  ],
  [
    { RELEASE_INDEX_AUTH_127_0_0_1_PORT: 'Bearer top-secret' },
    'The credential does not give access.',
  ],
])('a 401 names the remedy, with %j', async (given, advice) => {
  const server = await serveStatus(401);
  const here = (text: string) => text.replace('PORT', String(server.port));
  const env = Object.fromEntries(Object.entries(given).map(([name, value]) => [here(name), value]));

  const { message } = await failureOf(get(server.url, client({ env }), { asNpm: true }));

  expect(message).toBe(`GET ${server.url} answered 401. ${here(advice)}`);
});
