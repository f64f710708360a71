import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGuard } from '../../../src/ask/access/guard.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../../harness/authorization-server.ts';
import { deadUrl } from '../../harness/upstream.ts';
import {
  discovery,
  failed,
  json,
  missing,
  noEmail,
  noUser,
  openGuard,
  people,
  served,
  startIssuer,
  userInfo,
  wrongDomain,
} from './guarding.ts';
import { accessTo, baseUrl, jwtIssuer, keyOf, opaqueIssuer, recorded, resource } from './private-index.ts';
import { covers } from '../../harness/covers.ts';

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

describe('an access key', () => {
  const key = keyOf('a');

  test.each([
    ['http://releases.example.com/mcp', 400],
    ['http://127.0.0.1.example.com/mcp', 400],
    ['https://releases.example.com/mcp', 'in'],
    ['http://127.0.0.1:8787/mcp', 'in'],
    ['http://[::1]:8787/mcp', 'in'],
    ['http://localhost:8787/mcp', 'in'],
  ])('at %s is answered with %s', async (url, expected) => {
    covers(118, 185);
    const guard = createGuard({
      access: accessTo('mcp'),
      keys: [recorded(key)],
      baseUrl,
      onTrouble: () => undefined,
    });
    const refusal = await guard(new Request(url, { headers: { authorization: `Bearer ${key}` } }));

    expect(refusal instanceof Response ? refusal.status : 'in').toBe(expected);
  });

  test('is accepted up to the end of its last day, UTC', async () => {
    covers(190);
    const time = { now: Date.parse('2026-11-20T23:59:59.999Z') };
    const ask = openGuard(accessTo('mcp'), [recorded(key, 'jane', '2026-11-20')], time);

    expect(await ask(key)).toBe('in');
    time.now++;
    expect(await ask(key)).toBe(failed);
  });

  test('is rejected where keys are not enabled', async () => {
    covers(51, 171);
    const access = accessTo('mcp', [opaqueIssuer(opaque)], { accessKeys: { enabled: false } });

    expect(await openGuard(access, [recorded(key)])(key)).toBe(failed);
  });
});

describe('a JWT', () => {
  test('is verified with the keys of the configuration, without a request', async () => {
    covers(45, 177);
    const before = jwt.requests.length;
    const issuer = jwtIssuer(jwt, { jwksUri: undefined, jwkSet: jwt.jwkSet });

    const ask = openGuard(accessTo('mcp', [issuer]));

    expect(await ask(await jwt.grant('jane', resource))).toBe('in');
    expect(await ask(await jwt.grant('jane', 'https://else.example'))).toBe(failed);
    expect(jwt.requests.slice(before)).toEqual([]);
  });

  test('may have any audience and any type where the configuration permits it', async () => {
    covers(43, 176);
    const any = {
      restrictByJwtAudience: false,
      allowedJwtAudiences: undefined,
      allowedJwtTypes: undefined,
    };
    const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt, any)]));
    const exp = Date.now() / 1000 + 60;

    expect(await ask(await jwt.sign({ email: 'jane@example.com', exp }, { typ: 'whatever' }))).toBe('in');
  });

  test.each([
    ['AT+JWT', 'in'],
    ['application/at+jwt', 'in'],
    ['application/jwt', failed],
  ])('of the type "%s" is answered with %s', async (typ, expected) => {
    covers(49, 172);
    const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt)]));
    const claims = { email: 'jane@example.com', aud: resource, exp: Date.now() / 1000 + 60 };

    expect(await ask(await jwt.sign(claims, { typ }))).toBe(expected);
  });
});

describe('an opaque token', () => {
  test('is verified at the endpoint in oauth-authorization-server metadata', async () => {
    const path = '/.well-known/oauth-authorization-server/tenant';
    const { issuer } = await startIssuer((url) =>
      served({
        [path]: json({ issuer: `${url}/tenant`, userinfo_endpoint: `${url}/me` }),
        '/me': json({ email: 'jane@example.com' }),
      }),
    );

    expect(await openGuard(accessTo('mcp', [opaqueIssuer({ issuer: `${issuer}/tenant` })]))('token')).toBe(
      'in',
    );
  });
});

describe('of several issuers', () => {
  test('each receives an opaque token in turn, only with fan-out and until one accepts it', async () => {
    covers(50, 175);
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

  test('none receives a JWT of an issuer that is not configured', async () => {
    const asked = await startIssuer(() => missing);
    const token = await jwt.sign({ iss: 'https://else.example', exp: Date.now() / 1000 + 60 });

    for (const opaqueTokenFanOut of [false, true])
      expect(await openGuard(accessTo('mcp', [opaqueIssuer(asked)], { opaqueTokenFanOut }))(token)).toBe(
        failed,
      );
    expect(asked.paths).toEqual([]);
  });

  test('the issuer of opaque tokens may be named in them', async () => {
    const token = await jwt.sign({ exp: Date.now() / 1000 + 60 });
    const { issuer } = await startIssuer((url) => served(userInfo(url, json({ email: 'jane@example.com' }))));
    const named = await jwt.sign({ iss: issuer, exp: Date.now() / 1000 + 60 });
    const ask = openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]));

    expect([await ask(named), await ask(token)]).toEqual(['in', failed]);
  });

  test('an issuer of JWTs never receives tokens that others signed in its name', async () => {
    const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt), opaqueIssuer(opaque)]));
    const before = opaque.requests.length;
    const token = await jwt.grant('jane', 'https://else.example');

    expect(await ask(token)).toBe(failed);
    expect(opaque.requests.slice(before)).toEqual([]);
  });
});

describe('the user of a token', () => {
  const anyDomain = { restrictByDomain: false, allowedDomains: [] };
  test.each<[string, object, keyof typeof people, string, ...sentences: number[]]>([
    ['by address', {}, 'jane', 'in', 47, 55],
    ['by an address without a statement whether it is verified', {}, 'unstated', 'in'],
    ['by an address that the issuer calls unverified', {}, 'unverified', noEmail],
    ['by an address that the issuer calls unverified in a text', {}, 'unverifiedText', noEmail],
    ['by a verified address', { requireEmailVerified: true }, 'jane', 'in'],
    [
      'by an address without that statement, where it is required',
      { requireEmailVerified: true },
      'unstated',
      noEmail,
      48,
    ],
    ['by an address of any domain', anyDomain, 'foreign', noUser, 41],
    ['by a domain in another case', { allowedDomains: ['EXAMPLE.com'] }, 'jane', 'in'],
    ['by the end of a domain', { allowedDomains: ['ample.com', 'com'] }, 'jane', wrongDomain, 40, 201],
    ['by subject', { claimMapping: 'sub' }, 'jane', 'in', 55, 56],
    ['by another subject', { claimMapping: 'sub' }, 'unstated', noUser],
    ['by subject, although the domain is another', { claimMapping: 'sub' }, 'foreign', wrongDomain, 57],
    ['by user name', { claimMapping: 'preferredUsername', ...anyDomain }, 'mailless', 'in', 55],
    ['by user name, but with a domain', { claimMapping: 'preferredUsername' }, 'mailless', noEmail, 57, 200],
    [
      'by a user name that is not stated',
      { claimMapping: 'preferredUsername', ...anyDomain },
      'unstated',
      noUser,
    ],
  ])('is found %s', async (_, mapping, person, expected, ...sentences) => {
    covers(...sentences);
    const token = await jwt.grant(person, resource);

    expect(await openGuard(accessTo('mcp', [jwtIssuer(jwt, mapping)]))(token)).toBe(expected);
  });
});

test('a user who is bound to one issuer is unknown to another', async () => {
  const issuers = [jwtIssuer(jwt), opaqueIssuer(opaque)];
  const bound = { username: 'jane', email: 'jane@example.com', issuer: jwt.issuer };
  const ask = openGuard(accessTo('mcp', issuers, { users: [bound] }));

  expect(await ask(await jwt.grant('jane', resource))).toBe('in');
  expect(await ask(await opaque.grant('jane'))).toBe(noUser);
});
