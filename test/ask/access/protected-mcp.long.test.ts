import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAuthorizationServer, type AuthorizationServer } from '../../harness/authorization-server.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { deadUrl } from '../../harness/upstream.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';
import {
  accessTo,
  baseUrl,
  jwtIssuer,
  keyOf,
  opaqueIssuer,
  recorded,
  refusalOf,
  resource,
} from './private-index.ts';
import { covers } from '../../harness/covers.ts';

const people = {
  jane: { email: 'Jane@Example.com', email_verified: true },
  nobody: {},
  listed: { email: ['jane@example.com'] },
  foreigner: { email: 'jane@example.org' },
  sub: { email: 'jane@sub.example.com' },
  stranger: { email: 'stranger@example.com' },
  kelvin: { email: 'mi\u212ae@example.com' },
};
const users = [
  { username: 'jane', email: 'jane@example.com' },
  { username: 'mike', email: 'mike@example.com' },
];

const key = keyOf('a');
const expired = keyOf('b');
const ofSomebodyElse = keyOf('c');
const keys = [recorded(key), recorded(expired, 'jane', '2026-01-31'), recorded(ofSomebodyElse, 'gone')];

let jwt: AuthorizationServer;
let opaque: AuthorizationServer;
let unreachable: string;
let site: ServedSite;

beforeAll(async () => {
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
  unreachable = (await deadUrl()).slice(0, -1);
  const issuers = [
    jwtIssuer({ issuer: unreachable, jwksUri: `${unreachable}/jwks` }),
    jwtIssuer(jwt),
    opaqueIssuer(opaque),
  ];
  const access = accessTo('mcp', issuers, { users });
  const vars = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };
  site = await serveSite(siteOfFixtureIndex(), baseUrl, vars, access);
});

afterAll(async () => {
  await site?.close();
  await Promise.all([jwt?.close(), opaque?.close()]);
});

const asking = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/list',
};
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

function ask(authorization?: string, url = resource): Promise<Response> {
  const headers = { ...asking, ...(authorization !== undefined && { authorization }) };
  return site.fetch(url, { method: 'POST', body, headers });
}

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;

const invalid = (text: string) => ({
  status: 401,
  detail: text,
  challenge: `Bearer realm="mcp", error="invalid_token", error_description="${text}", ${metadata}`,
});
const failed = invalid('Token validation failed');
const noEmail = invalid('Token does not contain an email claim');
const wrongDomain = invalid('Email domain is not allowed');
const noUser = {
  status: 403,
  detail: 'No user matches your identity.',
  challenge: `Bearer realm="mcp", error_description="No user matches your identity.", ${metadata}`,
};

describe('a request for /mcp', () => {
  test.each([undefined, '', 'Digest username="jane"', `Basic ${btoa(`jane:${key}`)}`])(
    'with %j for a credential is told where to get one, and of no error',
    async (authorization) => {
      covers(120, 165, 198);
      const response = await ask(authorization);

      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate');
      expect(await refusalOf(response)).toEqual({
        status: 401,
        detail: 'Full authentication is required. Send Authorization: Bearer <access key or token>.',
        challenge: `Bearer realm="mcp", ${metadata}`,
      });
    },
  );

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('by %s needs a credential, too', async (method) => {
    expect((await site.fetch(resource, { method })).status).toBe(401);
    const headers = { authorization: `Bearer ${key}` };
    expect((await site.fetch(resource, { method, headers })).status).toBe(405);
  });

  test('that is a preflight needs no credential', async () => {
    const response = await site.fetch(resource, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('Authorization');
  });

  test('with the credential in its address or body is rejected', async () => {
    const inAddress = await ask(undefined, `${resource}?access_token=${key}&key=${key}`);
    const form = await site.fetch(resource, {
      method: 'POST',
      body: new URLSearchParams({ access_token: key }),
    });

    expect([inAddress.status, form.status]).toEqual([401, 401]);
    expect(inAddress.headers.get('www-authenticate')).toBe(`Bearer realm="mcp", ${metadata}`);
  });
});

test('paths other than /mcp are public', async () => {
  const paths = ['/index.json', '/', '/api/components', '/nothing', '/mcp/', '/%6dcp'];
  const statuses = await Promise.all(paths.map(async (path) => (await site.fetch(baseUrl + path)).status));

  expect(statuses).toEqual([200, 200, 200, 404, 404, 404]);
});

describe('an access key', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'Bearer  '])('is accepted after "%s"', async (scheme) => {
    covers(6, 162, 183);
    const response = await ask(`${scheme} ${key}`);

    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"latest_version"');
  });

  test('that has expired, is unknown or is cut off is rejected', async () => {
    for (const wrong of [expired, keyOf('d'), key.slice(0, -1), `${key}a`, key.toUpperCase()])
      expect(await refusalOf(await ask(`Bearer ${wrong}`)), wrong).toEqual(failed);
    expect(opaque.requests.filter((path) => path === '/me')).toEqual([]);
  });

  test('of a removed user is rejected', async () => {
    expect(await refusalOf(await ask(`Bearer ${ofSomebodyElse}`))).toEqual(noUser);
  });
});

describe('a malformed credential', () => {
  test.each([
    ['nothing', 'Bearer'],
    ['two of them', `Bearer ${key}, Bearer ${key}`],
    ['two words', `Bearer ${key} ${key}`],
    ['letters that are not ASCII', 'Bearer sch\u00fcssel'],
    ['quotes', `Bearer "${key}"`],
    ['a length beyond measure', `Bearer ${'a'.repeat(9_000)}`],
    ['dots', 'Bearer ...'],
    ['parts of a token that are none', 'Bearer a.b.c'],
    ['a header without a rest', `Bearer ${btoa('{"alg":"RS256"}')}..`],
  ])('fails: %s', async (_, authorization) => {
    expect(await refusalOf(await ask(authorization))).toEqual(failed);
  });
});

describe('a JWT', () => {
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
  const sound = () => ({ sub: 'jane', email: 'jane@example.com', aud: resource, exp: inAnHour() });

  test('of a user is accepted, in any case of the email address', async () => {
    covers(6, 44, 166);
    expect((await ask(`Bearer ${await jwt.grant('jane', resource)}`)).status).toBe(200);
    expect((await ask(`Bearer ${await jwt.sign(sound())}`)).status).toBe(200);
  });

  test.each([
    ['for another audience', () => jwt.grant('jane', 'https://else.example/mcp')],
    ['for no audience', () => jwt.sign({ ...sound(), aud: undefined as never })],
    ['of another type', () => jwt.sign(sound(), { typ: 'JWT' })],
    ['of no type', () => jwt.sign(sound(), { typ: undefined as never })],
    ['that has expired', () => jwt.sign({ ...sound(), exp: inAnHour() - 3700 })],
    ['that never expires', () => jwt.sign({ ...sound(), exp: undefined as never })],
    ['that is not valid yet', () => jwt.sign({ ...sound(), nbf: inAnHour() })],
    ['of an unknown issuer', () => jwt.sign({ ...sound(), iss: 'https://evil.example' })],
    ['of an issuer that differs by a slash', () => jwt.sign({ ...sound(), iss: `${jwt.issuer}/` })],
    ['of no issuer', () => jwt.sign({ ...sound(), iss: undefined as never })],
    ['in the name of the opaque issuer', () => jwt.sign({ ...sound(), iss: opaque.issuer })],
    ['signed with an unknown key', () => jwt.sign(sound(), { kid: 'second' })],
    ['without its signature', async () => (await jwt.sign(sound())).replace(/[^.]+$/, '')],
    ['with another signature', async () => withPart(await jwt.sign(sound()), 2, 'A'.repeat(342))],
    [
      'with other claims',
      async () => withPart(await jwt.sign(sound()), 1, encoded({ iss: jwt.issuer, ...sound(), sub: 'x' })),
    ],
    ['signed by nobody', async () => withPart(await jwt.sign(sound()), 0, encoded({ alg: 'none' }), '')],
    [
      'signed with what is public',
      async () =>
        withPart(await jwt.sign(sound()), 0, encoded({ alg: 'HS256', kid: 'first', typ: 'at+jwt' })),
    ],
    [
      'that brings a key',
      async () =>
        withPart(
          await jwt.sign(sound()),
          0,
          encoded({ alg: 'RS256', typ: 'at+jwt', jwk: jwt.jwkSet.keys[0] }),
        ),
    ],
  ])('%s fails', async (_, mint) => {
    covers(38, 172, 176, 199);
    expect(await refusalOf(await ask(`Bearer ${await mint()}`))).toEqual(failed);
  });

  test('of an unreachable issuer gets 503', async () => {
    covers(178);
    const response = await ask(`Bearer ${await jwt.sign({ ...sound(), iss: unreachable })}`);

    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  });

  test.each([
    ['nobody', noEmail],
    ['listed', noEmail],
    ['foreigner', wrongDomain],
    ['sub', wrongDomain],
    ['stranger', noUser],
    ['kelvin', noUser],
  ])('of "%s" is refused with the reason', async (person, refusal) => {
    covers(57, 168, 197, 200, 201, 202);
    expect(await refusalOf(await ask(`Bearer ${await jwt.grant(person, resource)}`))).toEqual(refusal);
  });
});

describe('an opaque token', () => {
  test('of a user is accepted', async () => {
    covers(6);
    expect((await ask(`Bearer ${await opaque.grant('jane')}`)).status).toBe(200);
  });

  test('that the issuer does not know fails', async () => {
    expect(await refusalOf(await ask('Bearer unknown'))).toEqual(failed);
  });

  test('that was revoked fails', async () => {
    const token = await opaque.grant('jane');
    await opaque.revoke(token);

    expect(await refusalOf(await ask(`Bearer ${token}`))).toEqual(failed);
  });

  test('is verified once a minute', async () => {
    covers(173);
    const token = await opaque.grant('jane');
    const before = opaque.requests.length;

    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await ask(`Bearer ${token}`)).status);

    expect(statuses).toEqual([200, 200, 200]);
    expect(opaque.requests.slice(before)).toEqual(['/me']);
  });

  test.each([
    ['nobody', noEmail],
    ['foreigner', wrongDomain],
    ['stranger', noUser],
  ])('of "%s" is refused with the reason', async (person, refusal) => {
    expect(await refusalOf(await ask(`Bearer ${await opaque.grant(person)}`))).toEqual(refusal);
  });
});

describe('the metadata', () => {
  const url = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;

  test('name the issuers in their order', async () => {
    covers(31, 32, 33, 35, 36, 165);
    const response = await site.fetch(url);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource,
      authorization_servers: [unreachable, jwt.issuer, opaque.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email'],
    });
  });

  test('may be read by pages of any origin', async () => {
    covers(31, 121);
    const response = await site.fetch(url, { method: 'OPTIONS' });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
  });

  test('are read-only', async () => {
    expect((await site.fetch(url, { method: 'POST', body: '{}' })).status).toBe(405);
    const head = await site.fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

test('logs of the Worker and its host contain no secret', () => {
  const folder = process.env['WRANGLER_LOG_PATH']!;
  const files = globSync('**/*.log', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  const said = [site.logs(), ...files].join('\n');

  expect(said).toContain(`${unreachable}/jwks `);
  expect(said).toContain('Tokens that need it are answered with 503.');
  expect(said).not.toMatch(/release_index_[a-z]|eyJ|Bearer \w/i);
});

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function withPart(token: string, index: number, part: string, signature?: string): string {
  const parts = token.split('.');
  parts[index] = part;
  if (signature !== undefined) parts[2] = signature;
  return parts.join('.');
}
