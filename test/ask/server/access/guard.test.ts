import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { deadUrl } from '../../../harness/upstream.ts';
import { createGuard } from '../../../../src/ask/server/access/guard.ts';
import {
  discovery,
  failed,
  handlers,
  json,
  missing,
  noEmail,
  noUser,
  openGuard,
  people,
  refusalBy,
  served,
  startIssuer,
  userInfo,
  wrongDomain,
} from './guarding.ts';
import {
  accessTo,
  baseUrl,
  jwtIssuer,
  keyOf,
  opaqueIssuer,
  recorded,
  resource,
} from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

let jwt: AuthorizationServer;
let opaque: AuthorizationServer;

beforeAll(async () => {
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
});

afterAll(async () => {
  await Promise.all([jwt.close(), opaque.close()]);
});

const key = keyOf('a');

test.each([
  ['http://releases.example.com/mcp', 400],
  ['http://127.0.0.1.example.com/mcp', 400],
  ['https://releases.example.com/mcp', 'in'],
  ['http://127.0.0.1:8787/mcp', 'in'],
  ['http://[::1]:8787/mcp', 'in'],
  ['http://localhost:8787/mcp', 'in'],
])('an access key at %s is answered with %s', async (url, expected) => {
  covers('All answers use HTTPS', 'Plain HTTP exposes credentials');
  const refusal = await refusalBy(accessTo('mcp'), `Bearer ${key}`, { keys: [recorded(key)], url });

  expect(refusal?.status ?? 'in').toBe(expected);
});

test('a request without a credential is asked for one, also over http', async () => {
  const guard = createGuard({ access: accessTo('mcp'), keys: [], baseUrl, ...handlers });
  const answer = await guard(new Request('http://releases.example.com/mcp'));

  expect(answer).toMatchObject({ status: 401 });
  expect(await (answer as Response).json()).toMatchObject({
    detail: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
  });
});

test('a failure of the program is no warning about an issuer, and is answered with 500', async () => {
  const failure = new Error('no users');
  const reported: unknown[] = [];
  const access = {
    ...accessTo('mcp'),
    get users(): never {
      throw failure;
    },
  };
  const guard = createGuard({
    access,
    keys: [recorded(key)],
    baseUrl,
    onOutage: (message) => void reported.push(`outage: ${message}`),
    onError: (error) => void reported.push(error),
  });
  const answer = await guard(
    new Request(resource, { headers: { authorization: `Bearer ${key}` } }),
  );

  expect([(answer as Response).status, reported]).toEqual([500, [failure]]);
});

test('an access key is accepted up to the end of its last day, UTC', async () => {
  covers('Keys expire');
  const time = { now: Date.parse('2026-11-20T23:59:59.999Z') };
  const ask = openGuard(accessTo('mcp'), [recorded(key, 'jane', '2026-11-20')], time);

  expect(await ask(key)).toBe('in');
  time.now++;
  expect(await ask(key)).toBe(failed);
});

test('an access key is rejected where keys are not enabled', async () => {
  covers(
    'mcpServer.accessKeys.enabled',
    'accessKeys.enabled false: OAuth for all; refused without issuer',
  );
  const access = accessTo('mcp', [opaqueIssuer(opaque)], { accessKeys: { enabled: false } });

  expect(await openGuard(access, [recorded(key)])(key)).toBe(failed);
});

test('an access key that is unknown or cut off is rejected, and sent to no issuer', async () => {
  const before = opaque.requests.length;
  const ask = openGuard(accessTo('mcp', [opaqueIssuer(opaque)]), [recorded(key)]);

  for (const wrong of [keyOf('d'), key.slice(0, -1), `${key}a`, key.toUpperCase()]) {
    expect(await ask(wrong), wrong).toBe(failed);
  }
  expect(opaque.requests.slice(before)).toEqual([]);
});

test('an access key of a removed user is rejected', async () => {
  expect(await openGuard(accessTo('mcp'), [recorded(key, 'gone')])(key)).toBe(noUser);
});

const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const sound = () => ({ sub: 'jane', email: 'jane@example.com', aud: resource, exp: inAnHour() });
const withClaims = (claims: object) => () => jwt.sign({ ...sound(), ...claims });
const withHeader = (header: object) => () => jwt.sign(sound(), header);
const withPart = (index: number, part: unknown, signature?: string) => async () => {
  const parts = (await jwt.sign(sound())).split('.');
  parts[index] = typeof part === 'string' ? part : encoded(part);
  parts[2] = signature ?? parts[2]!;
  return parts.join('.');
};

test('a JWT is verified with the keys of the configuration, without a request', async () => {
  covers(
    'jwkSet: string (inline JWKS JSON)',
    'jwkSet needs no network; message configure jwkSet or jwksUri',
  );
  const before = jwt.requests.length;
  const issuer = jwtIssuer(jwt, { jwksUri: undefined, jwkSet: jwt.jwkSet });

  const ask = openGuard(accessTo('mcp', [issuer]));

  expect(await ask(await jwt.grant('jane', resource))).toBe('in');
  expect(await ask(await jwt.grant('jane', 'https://else.example'))).toBe(failed);
  expect(jwt.requests.slice(before)).toEqual([]);
});

test('a JWT may have any audience and any type where the configuration permits it', async () => {
  covers('restrictByJwtAudience false accepts any service (unsafe)', 'Audience rules');
  const any = {
    restrictByJwtAudience: false,
    allowedJwtAudiences: undefined,
    allowedJwtTypes: undefined,
  };
  const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt, any)]));

  expect(
    await ask(await jwt.sign({ ...sound(), aud: undefined as never }, { typ: 'whatever' })),
  ).toBe('in');
});

test.each(['at+jwt', 'AT+JWT', 'application/at+jwt'])(
  'a JWT of the type "%s" is accepted',
  async (typ) => {
    covers('allowedJwtTypes; others rejected', 'JWT: signature, iss, aud, typ');
    const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt)]));

    expect(await ask(await jwt.sign(sound(), { typ }))).toBe('in');
  },
);

test.each<[string, () => Promise<string> | string]>([
  ['for another audience', () => jwt.grant('jane', 'https://else.example/mcp')],
  ['for no audience', withClaims({ aud: undefined })],
  ['of another type', withHeader({ typ: 'application/jwt' })],
  ['of no type', withHeader({ typ: undefined })],
  ['of a type that is no text', withHeader({ typ: 5 })],
  [
    'with an extension that is not known',
    withPart(0, { alg: 'RS256', kid: 'first', crit: ['x'], x: 1 }),
  ],
  ['that has expired', withClaims({ exp: inAnHour() - 3700 })],
  ['that never expires', withClaims({ exp: undefined })],
  ['that is not valid yet', withClaims({ nbf: inAnHour() })],
  ['of an unknown issuer', withClaims({ iss: 'https://evil.example' })],
  ['of an issuer that differs by a slash', () => jwt.sign({ ...sound(), iss: `${jwt.issuer}/` })],
  ['of no issuer', withClaims({ iss: undefined })],
  ['in the name of the opaque issuer', () => jwt.sign({ ...sound(), iss: opaque.issuer })],
  ['signed with an unknown key', withHeader({ kid: 'second' })],
  ['without its signature', withPart(2, '')],
  ['with another signature', withPart(2, 'A'.repeat(342))],
  ['with other claims', () => withPart(1, { iss: jwt.issuer, ...sound(), sub: 'x' })()],
  ['signed by nobody', withPart(0, { alg: 'none' }, '')],
  ['signed with the public key', withPart(0, { alg: 'HS256', kid: 'first', typ: 'at+jwt' })],
  [
    'that brings a key',
    () => withPart(0, { alg: 'RS256', typ: 'at+jwt', jwk: jwt.jwkSet.keys[0] })(),
  ],
  ['of three words', () => 'a.b.c'],
  ['that is padded', async () => `${await jwt.sign(sound())}==`],
  ['with nothing behind its header', () => `${btoa('{"alg":"RS256"}')}..`],
])('a JWT %s fails', async (_, mint) => {
  covers(
    'uri, required, equals iss',
    'JWT: signature, iss, aud, typ',
    'Audience rules',
    '401 invalid\\token, Token validation failed',
  );
  const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt), opaqueIssuer(opaque)]));

  expect(await ask(await mint())).toBe(failed);
});

test('an encrypted JWT and three words are opaque to all but their issuer', async () => {
  const { issuer } = await startIssuer((url) =>
    served(userInfo(url, json({ email: 'jane@example.com' }))),
  );
  const header = encoded({ alg: 'dir', enc: 'A256GCM', iss: 'https://else.example' });
  const ask = openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]));

  expect(await ask(`${header}..AAAA.AAAA.AAAA`)).toBe('in');
  expect(await ask('a.b.c')).toBe('in');
});

test('an opaque token is verified at the endpoint in oauth-authorization-server metadata', async () => {
  const { issuer } = await startIssuer((url) =>
    served({
      '/.well-known/oauth-authorization-server/tenant': json({
        issuer: `${url}/tenant`,
        userinfo_endpoint: `${url}/me`,
      }),
      '/me': json({ email: 'jane@example.com' }),
    }),
  );
  const ask = openGuard(accessTo('mcp', [opaqueIssuer({ issuer: `${issuer}/tenant` })]));

  expect(await ask('token')).toBe('in');
});

test('each issuer receives an opaque token in turn, only with fan-out and until one accepts it', async () => {
  covers(
    'opaqueTokenFanOut, default false',
    'Fan-out queries each opaque issuer until one succeeds',
    'Left out: no service stands behind the Worker that could take another token; only the issuer is asked about what a client sends.',
  );
  const unknowing = await startIssuer((url) =>
    served({ [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }) }),
  );
  const dead = (await deadUrl()).slice(0, -1);
  const last = await startIssuer(() => missing);
  const issuers = [unknowing, { issuer: dead }, opaque, last].map((issuer) => opaqueIssuer(issuer));
  const access = accessTo('mcp', issuers, { opaqueTokenFanOut: true });
  const token = await opaque.grant('jane');
  const off = { ...access, externalOauth: { ...access.externalOauth, opaqueTokenFanOut: false } };

  expect(await openGuard(off)(token)).toBe(failed);
  expect(unknowing.paths).toEqual([]);
  expect(await openGuard(access)(token)).toBe('in');
  expect(unknowing.paths).toEqual([discovery, '/me']);
  expect(last.paths).toEqual([]);
});

test('no issuer receives a JWT of an issuer that is not configured', async () => {
  const asked = await startIssuer(() => missing);
  const token = await jwt.sign({ iss: 'https://else.example', exp: Date.now() / 1000 + 60 });

  for (const opaqueTokenFanOut of [false, true]) {
    expect(
      await openGuard(accessTo('mcp', [opaqueIssuer(asked)], { opaqueTokenFanOut }))(token),
    ).toBe(failed);
  }
  expect(asked.paths).toEqual([]);
});

test('the issuer of opaque tokens may be named in them', async () => {
  const token = await jwt.sign({ exp: Date.now() / 1000 + 60 });
  const { issuer } = await startIssuer((url) =>
    served(userInfo(url, json({ email: 'jane@example.com' }))),
  );
  const named = await jwt.sign({ iss: issuer, exp: Date.now() / 1000 + 60 });
  const ask = openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]));

  expect([await ask(named), await ask(token)]).toEqual(['in', failed]);
});

test('the opaque issuer never receives a token that names another issuer', async () => {
  const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt), opaqueIssuer(opaque)]));
  const before = opaque.requests.length;

  expect(await ask(await jwt.grant('jane', 'https://else.example'))).toBe(failed);
  expect(opaque.requests.slice(before)).toEqual([]);
});

const anyDomain = { restrictByDomain: false, allowedDomains: [] };
test.each<[string, object, keyof typeof people, string, ...sentences: string[]]>([
  [
    'by address',
    {},
    'jane',
    'in',
    'claimMapping, default email',
    'email / sub / preferredUsername match address / username',
  ],
  ['by an address without a statement whether it is verified', {}, 'unstated', 'in'],
  ['by an address that the issuer calls unverified', {}, 'unverified', noEmail],
  ['by an address that the issuer calls unverified in a text', {}, 'unverifiedText', noEmail],
  ['by a verified address', { requireEmailVerified: true }, 'jane', 'in'],
  [
    'by an address that a text calls verified',
    { requireEmailVerified: true },
    'verifiedText',
    'in',
  ],
  ['by an address with null for verified', {}, 'unanswered', 'in'],
  [
    'by an address without that statement, where it is required',
    { requireEmailVerified: true },
    'unstated',
    noEmail,
    'requireEmailVerified',
  ],
  [
    'by an address of any domain',
    anyDomain,
    'foreign',
    noUser,
    'restrictByDomain false disables it',
  ],
  ['by a list of addresses where any domain may sign in', anyDomain, 'listed', noEmail],
  ['by one of two domains', { allowedDomains: ['example.org', 'example.com'] }, 'jane', 'in'],
  ['by a domain in another case', { allowedDomains: ['EXAMPLE.com'] }, 'jane', 'in'],
  [
    'by the end of a domain',
    { allowedDomains: ['ample.com', 'com'] },
    'jane',
    wrongDomain,
    'allowedDomains required unless restrictByDomain false',
    '401 Email domain is not allowed',
  ],
  [
    'by subject',
    { claimMapping: 'sub' },
    'jane',
    'in',
    'email / sub / preferredUsername match address / username',
    'Identity claims come from the access token, not the ID token',
  ],
  [
    'by an address in capitals',
    {},
    'capitals',
    'in',
    'Validates, matches the claim against an existing user',
  ],
  ['by a list of addresses', {}, 'listed', noEmail, '401 Token does not contain an email claim'],
  [
    'by an address of another domain',
    {},
    'foreign',
    wrongDomain,
    'email claim needed for the domain restriction even when mapped by sub',
    '401 Email domain is not allowed',
  ],
  ['by an address of a subdomain', {}, 'subdomain', wrongDomain],
  [
    'by an address of another person',
    {},
    'stranger',
    noUser,
    'No user: rejected',
    '403 No user matches your identity',
  ],
  ['by an address with a letter that looks alike', {}, 'kelvin', noUser],
  ['by another subject', { claimMapping: 'sub' }, 'unstated', noUser],
  [
    'by subject, although the domain is another',
    { claimMapping: 'sub' },
    'foreign',
    wrongDomain,
    'email claim needed for the domain restriction even when mapped by sub',
  ],
  [
    'by user name',
    { claimMapping: 'preferredUsername', ...anyDomain },
    'mailless',
    'in',
    'email / sub / preferredUsername match address / username',
  ],
  [
    'by user name, but with a domain',
    { claimMapping: 'preferredUsername' },
    'mailless',
    noEmail,
    'email claim needed for the domain restriction even when mapped by sub',
    '401 Token does not contain an email claim',
  ],
  [
    'by a user name that is not stated',
    { claimMapping: 'preferredUsername', ...anyDomain },
    'unstated',
    noUser,
  ],
])('the user of a token is found %s', async (_, mapping, person, expected, ...sentences) => {
  covers(...sentences);
  const token = await jwt.grant(person, resource);
  const users = ['jane', 'mike'].map((username) => ({
    username,
    email: `${username}@example.com`,
  }));

  expect(await openGuard(accessTo('mcp', [jwtIssuer(jwt, mapping)], { users }))(token)).toBe(
    expected,
  );
});

test('a user who is bound to one issuer is unknown to another', async () => {
  const issuers = [jwtIssuer(jwt), opaqueIssuer(opaque)];
  const bound = { username: 'jane', email: 'jane@example.com', issuer: jwt.issuer };
  const ask = openGuard(accessTo('mcp', issuers, { users: [bound] }));

  expect(await ask(await jwt.grant('jane', resource))).toBe('in');
  expect(await ask(await opaque.grant('jane'))).toBe(noUser);
});

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
const invalid = (text: string) => `error="invalid_token", error_description="${text}", `;

test.each<[keyof typeof people, string]>([
  ['listed', invalid('Token does not contain an email claim')],
  ['foreign', invalid('Email domain is not allowed')],
  // Without an error, so that clients do not ask the same person to sign in again.
  ['stranger', 'error_description="No user matches your identity.", '],
])('the challenge states why "%s" is rejected', async (person, reason) => {
  covers('The reason is in WWW-Authenticate');
  const access = accessTo('mcp', [opaqueIssuer(opaque)]);
  const refusal = await refusalBy(access, `Bearer ${await opaque.grant(person)}`);

  expect(refusal?.headers.get('www-authenticate')).toBe(`Bearer realm="mcp", ${reason}${metadata}`);
});

test('a password is never sent to an issuer, even if it is a token', async () => {
  const access = accessTo('everything', [opaqueIssuer(opaque)]);
  const authorization = `Basic ${btoa(`jane:${await opaque.grant('jane')}`)}`;
  const before = opaque.requests.length;
  const refusal = await refusalBy(access, authorization);

  expect(refusal?.status).toBe(401);
  expect(opaque.requests.slice(before)).toEqual([]);
});

test('a key is no password where only /mcp is protected', async () => {
  const keys = [recorded(key)];
  const authorization = `Basic ${btoa(`jane:${key}`)}`;

  expect(await refusalBy(accessTo('everything'), authorization, { keys })).toBeUndefined();
  expect(await refusalBy(accessTo('mcp'), authorization, { keys })).toMatchObject({ status: 401 });
});

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
