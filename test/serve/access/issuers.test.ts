/** Checks tokens from external authorization servers. */
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openSiteApi } from '../../harness/api.ts';
import { startAuthorizationServer } from '../../harness/authorization-server.ts';
import {
  basic,
  bearer,
  describeAnswer,
  keyOf,
  askEndpoint,
  recordedKey,
  words,
  type Endpoint,
} from '../../harness/endpoints.ts';
import { listen } from '../../harness/listen.ts';
import { buildExample } from '../../harness/site.ts';

const people = {
  jane: { email: 'jane@example.com', preferred_username: 'jane.doe' },
  unverified: { email: 'jane@example.com', email_verified: false },
  verified: { email: 'jane@example.com', email_verified: true },
  spelled: { email: 'jane@example.com', email_verified: 'true' },
  silent: { email: 'jane@example.com', email_verified: null },
  several: { email: ['jane@example.com'] },
  capital: { email: 'Jane@Example.COM' },
  stranger: { email: 'stranger@example.com' },
  elsewhere: { email: 'jane@else.example' },
  nameless: {},
};
const users = [
  { username: 'jane', email: 'jane@example.com', permissions: ['read', 'mcp'] },
  { username: 'jane.doe', email: 'doe@example.com' },
  { username: 'nameless' },
];
const resource = 'https://releases.example.com/mcp';
const log = vi.spyOn(console, 'error').mockReturnValue();
vi.spyOn(console, 'warn').mockReturnValue();
const jwt = await startAuthorizationServer('jwt', people);
const opaque = await startAuthorizationServer('opaque', people);
afterEach(() => void log.mockClear());
afterAll(() => void vi.restoreAllMocks());

const allowedDomains = ['example.com'];
const signedBy = (more: object = {}) => ({
  uri: jwt.issuer,
  accessTokenFormat: 'jwt',
  jwksUri: jwt.jwksUri,
  allowedDomains,
  allowedJwtAudiences: [resource],
  allowedJwtTypes: ['at+jwt'],
  ...more,
});
const opaqueBy = (uri: string, more: object = {}) => ({
  uri,
  accessTokenFormat: 'opaque',
  allowedDomains,
  ...more,
});

function openTrusting(issuers: object[], more: object = {}) {
  const access = { users, accessControl: { externalOauth: { issuers, ...more } } };
  return openSiteApi(buildExample(), { access, keys: [recordedKey(keyOf('a'))] });
}

/** Opens the API with trusted issuers. Returns a function that describes the answer to a credential. */
function trust(issuers: object[], more: object = {}) {
  const ask = openTrusting(issuers, more);
  return async (authorization: string, endpoint: Endpoint = 'mcp') =>
    describeAnswer(await askEndpoint(ask, endpoint, authorization));
}

/**
 * Starts an issuer with a userinfo endpoint and additional metadata, and returns its origin. The issuer's address may be the origin with
 * any path, because the metadata repeats the path of the request.
 */
async function serveIssuer(userInfo: RequestListener, more: object = {}): Promise<string> {
  const origin: string = await listen((request, response) => {
    if (request.url === '/me') {
      userInfo(request, response);
      return;
    }
    const issuer = origin + request.url!.replace('/.well-known/openid-configuration', '');
    response.end(JSON.stringify({ issuer, userinfo_endpoint: `${origin}/me`, ...more }));
  });
  return origin;
}

const { failed, noAnswer, noEmail, noUser, noPermission, wrongDomain } = words;
const claims = (more: object = {}) => ({
  sub: 'jane',
  email: 'jane@example.com',
  aud: resource,
  exp: Math.floor(Date.now() / 1000) + 3600,
  ...more,
});

test.each<[person: keyof typeof people, mapping: object, answer: string]>([
  ['jane', {}, 'in'],
  ['capital', {}, 'in'],
  ['unverified', {}, noEmail],
  ['nameless', {}, noEmail],
  ['elsewhere', {}, wrongDomain],
  ['stranger', {}, noUser],
  ['jane', { requireEmailVerified: true }, noEmail],
  ['verified', { requireEmailVerified: true }, 'in'],
  ['spelled', { requireEmailVerified: true }, 'in'],
  ['silent', {}, 'in'],
  ['several', {}, noEmail],
  ['jane', { claimMapping: 'sub' }, 'in'],
  ['verified', { claimMapping: 'sub' }, noUser],
  ['nameless', { claimMapping: 'sub' }, noEmail],
  ['nameless', { claimMapping: 'sub', restrictByDomain: false, allowedDomains: [] }, 'in'],
  ['jane', { claimMapping: 'preferredUsername' }, 'in'],
  ['verified', { claimMapping: 'preferredUsername' }, noUser],
  ['jane', { allowedDomains: ['mail.example.com'] }, wrongDomain],
  ['jane', { allowedDomains: ['mail.example.com', 'Example.com'] }, 'in'],
])(
  'the person "%s" signs in with the issuer settings %j: the answer is %s',
  async (person, mapping, answer) => {
    const signed = bearer(await jwt.grant(person, resource));
    const unsigned = bearer(await opaque.grant(person));

    expect(await trust([signedBy(mapping)])(signed)).toBe(answer);
    expect(await trust([opaqueBy(opaque.issuer, mapping)])(unsigned)).toBe(answer);
  },
);

test('a person who signs in at an OAuth issuer has the usual permissions, but cannot make tokens', async () => {
  const ask = trust([signedBy()]);
  const token = bearer(await jwt.grant('jane', resource));

  expect(await ask(token, 'read')).toBe('in');
  expect(await ask(token, 'export')).toBe(noPermission);
  expect(await ask(token, 'token')).toBe(
    '403 Tokens are made from access keys only: sign in at the issuer again.',
  );
  expect(await ask(bearer(keyOf('a')))).toBe('in');
});

test.each<[name: string, claims: object, header: object, answer: string]>([
  ['all required claims', {}, {}, 'in'],
  ['the long form of its type', {}, { typ: 'application/AT+JWT' }, 'in'],
  ['several audiences', { aud: ['https://else.example', resource] }, {}, 'in'],
  ['another audience', { aud: 'https://else.example' }, {}, failed],
  ['another type', {}, { typ: 'JWT' }, failed],
  ['an expiry in the past', { exp: 1_700_000_000 }, {}, failed],
  ['no expiry', { exp: undefined }, {}, failed],
  ['another issuer', { iss: 'https://evil.example' }, {}, failed],
  ['a slash after the issuer', { iss: `${jwt.issuer}/` }, {}, failed],
])(
  'a signed token with %s is accepted only if the claims match the settings',
  async (_name, more, header, answer) => {
    const token = await jwt.sign(claims(more), header);

    expect(await trust([signedBy()])(bearer(token))).toBe(answer);
  },
);

test("the settings may contain an issuer's keys, as an object or as text", async () => {
  const token = bearer(await jwt.grant('jane', resource));
  const before = jwt.requests.length;

  for (const jwkSet of [jwt.jwkSet, JSON.stringify(jwt.jwkSet)]) {
    expect(await trust([signedBy({ jwksUri: undefined, jwkSet })])(token)).toBe('in');
  }
  expect(jwt.requests.length).toBe(before);
});

test('a token without an audience is accepted if the settings do not restrict audiences', async () => {
  const token = bearer(await jwt.sign(claims({ aud: undefined })));
  const open = { restrictByJwtAudience: false, allowedJwtAudiences: undefined };

  expect(await trust([signedBy(open)])(token)).toBe('in');
});

test('an unsigned or malformed token is rejected', async () => {
  const [, payload, signature] = (await jwt.sign(claims())).split('.');
  const encode = (header: string) => Buffer.from(header).toString('base64url');
  const ask = trust([signedBy()]);

  for (const token of [
    `${encode('{"alg":"none"}')}.${payload}.`,
    `${encode('{"alg":"HS256","typ":"at+jwt"}')}.${payload}.${signature}`,
    `${encode('{"alg":"dir","enc":"A256GCM"}')}..AAAA.AAAA.AAAA`,
    `${await jwt.sign(claims())}==`,
  ]) {
    expect(await ask(bearer(token)), token).toBe(failed);
  }
});

test('only opaque tokens are sent to an issuer, and each token only once', async () => {
  const ask = trust([
    signedBy({ jwksUri: undefined, jwkSet: jwt.jwkSet }),
    opaqueBy(opaque.issuer),
  ]);
  const token = await opaque.grant('jane');
  const before = opaque.requests.length;

  await ask(bearer(await jwt.sign(claims())));
  await ask(bearer(await jwt.sign(claims({ iss: 'https://evil.example' }))));
  await ask(bearer(keyOf('a')));
  await ask(bearer(keyOf('a').slice(0, 30)));
  await ask(bearer('eyJhbGciOiJSUzI1NiJ9.damaged.damaged'));
  await ask(basic(`jane:${token}`), 'read');
  expect(opaque.requests.slice(before)).toEqual([]);

  expect([await ask(bearer(token)), await ask(bearer(token))]).toEqual(['in', 'in']);
  expect(await ask(bearer('never-granted'))).toBe(failed);
  expect(opaque.requests.slice(before)).toEqual([
    '/.well-known/openid-configuration',
    '/me',
    '/me',
  ]);
});

test('a revoked token is rejected within a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const token = 'from-a-sign-in';
  let isRevoked = false;
  const origin = await serveIssuer((_, response) => {
    response.writeHead(isRevoked ? 401 : 200).end(JSON.stringify(claims()));
  });
  const ask = trust([opaqueBy(`${origin}/team`)]);
  expect(await ask(bearer(token))).toBe('in');

  isRevoked = true;
  vi.advanceTimersByTime(59_000);
  expect(await ask(bearer(token))).toBe('in');
  vi.advanceTimersByTime(1000);
  expect(await ask(bearer(token))).toBe(failed);
});

const nobody = 'http://127.0.0.1:1';

test.each<[name: string, userInfo: RequestListener]>([
  ['answers 500', (_, response) => void response.writeHead(500).end('{}')],
  ['answers 429', (_, response) => void response.writeHead(429).end('{}')],
  ['redirects', (_, response) => void response.writeHead(302, { location: '/' }).end()],
  ['closes the connection', (request) => void request.socket.destroy()],
])('the API answers 503 instead of rejecting a token if the issuer %s', async (_name, userInfo) => {
  const issuer = await serveIssuer(userInfo);
  const answer = await askEndpoint(openTrusting([opaqueBy(issuer)]), 'mcp', bearer('secret-token'));

  expect(answer.headers.get('retry-after')).toBe('10');
  expect(answer.headers.get('www-authenticate')).toBeNull();
  expect(await describeAnswer(answer)).toBe(noAnswer);
  expect(log.mock.calls.flat()).toEqual([expect.stringContaining(`${issuer}: `)]);
  expect(String(log.mock.calls)).not.toContain('secret-token');
});

test.each([
  [
    'the name of another issuer',
    { issuer: 'https://evil.example' },
    '"issuer" property does not match',
  ],
  ['no userinfo endpoint', { userinfo_endpoint: undefined }, 'does not contain a valid'],
])('an OAuth issuer with wrong metadata counts as unreachable: %s', async (_name, more, reason) => {
  const issuer = await serveIssuer(() => undefined, more);

  expect(await trust([opaqueBy(issuer)])(bearer('token'))).toBe(noAnswer);
  expect(log.mock.calls.flat()).toEqual([expect.stringContaining(`${issuer}: `)]);
  expect(log.mock.lastCall).toEqual([expect.stringContaining(reason)]);
});

test("the API answers 503 instead of rejecting a signed token if the issuer's keys cannot be read", async () => {
  const token = bearer(await jwt.sign(claims()));
  const broken = await listen((_, response) => void response.end('{"keys":"none"}'));

  for (const jwksUri of [`${nobody}/jwks`, `${broken}/jwks`, `${jwt.issuer}/nothing`]) {
    expect(await trust([signedBy({ jwksUri })])(token)).toBe(noAnswer);
    expect(log.mock.lastCall).toEqual([expect.stringContaining(`${jwksUri}: `)]);
  }
});

test('forged key names do not make the API request the keys of an issuer again and again', async () => {
  const ask = trust([signedBy()]);
  const before = jwt.requests.length;

  for (const kid of ['a', 'b', 'c']) {
    expect(await ask(bearer(await jwt.sign(claims(), { kid })))).toBe(failed);
  }
  expect(jwt.requests.slice(before)).toEqual(['/jwks']);
});

test('with the setting opaqueTokenFanOut, an opaque token is sent to one issuer after another until an issuer accepts the token', async () => {
  const issuers = [opaqueBy(nobody), opaqueBy(opaque.issuer)];
  const ask = trust(issuers, { opaqueTokenFanOut: true });

  expect(await ask(bearer(await opaque.grant('jane')))).toBe('in');
  // The answer is 503, because the unreachable issuer may know this token.
  expect(await ask(bearer('never-granted'))).toBe(noAnswer);
});
