import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createGuard } from '../../../src/ask/access/guard.ts';
import type { AccessConfig } from '../../../src/core/schemas/access-config.ts';
import type { AccessKey } from '../../../src/core/schemas/access-keys.ts';
import { startAuthorizationServer, type AuthorizationServer } from '../../harness/authorization-server.ts';
import { answer, deadUrl, endless, redirects, startUpstream, type Handler } from '../../harness/upstream.ts';
import { accessTo, baseUrl, jwtIssuer, keyOf, opaqueIssuer, recorded, resource } from './private-index.ts';

const people = {
  jane: { email: 'jane@example.com', email_verified: true, preferred_username: 'jane' },
  unverified: { email: 'jane@example.com', email_verified: false },
  saidUnverified: { email: 'jane@example.com', email_verified: 'false' },
  unsaid: { email: 'jane@example.com' },
  mailless: { preferred_username: 'jane' },
  foreign: { email: 'jane@example.org', preferred_username: 'jane' },
};

let jwt: AuthorizationServer;
let opaque: AuthorizationServer;
const said: string[] = [];

beforeAll(async () => {
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
});

afterEach(() => void said.splice(0));

afterAll(async () => {
  await Promise.all([jwt.close(), opaque.close()]);
});

interface Time {
  now: number;
}

/** Asks a guard of its own: `in`, or the status and the reason. */
function guarding(access: AccessConfig, keys: readonly AccessKey[] = [], time: Time = { now: Date.now() }) {
  const onTrouble = (message: string) => void said.push(message);
  const guard = createGuard({ access, keys: [...keys], baseUrl, onTrouble, now: () => time.now });
  return async (secret: string): Promise<string> => {
    const headers = { authorization: `Bearer ${secret}` };
    const refusal = await guard(new Request(resource, { method: 'POST', headers }));
    if (!refusal) return 'in';
    const { status, detail } = (await refusal.json()) as { status: number; detail: string };
    return `${status} ${detail}`;
  };
}

/** An issuer that serves what it likes. */
async function startIssuer(
  handlerAt: (url: string) => Handler,
): Promise<{ issuer: string; paths: string[] }> {
  const upstream = await startUpstream((url) => handlerAt(url.slice(0, -1)));
  onTestFinished(() => upstream.close());
  return {
    issuer: upstream.url.slice(0, -1),
    get paths() {
      return upstream.requests.map(({ path }) => path);
    },
  };
}

const json =
  (value: unknown): Handler =>
  (_, response) =>
    answer(response, 200, 'application/json', JSON.stringify(value));

const missing: Handler = (_, response) => answer(response, 404, 'text/plain', 'no');

const discovery = '/.well-known/openid-configuration';
const served =
  (handlers: Readonly<Record<string, Handler>>): Handler =>
  (request, response) =>
    (handlers[request.url!] ?? missing)(request, response);

const failed = '401 Token validation failed';
const noAnswer = '503 The issuer of the token gives no answer. Try again later.';
const noEmail = '401 Token does not contain an email claim';
const wrongDomain = '401 Email domain is not allowed';
const noUser = '403 No user matches your identity.';

describe('an access key', () => {
  const key = keyOf('a');

  test.each([
    ['http://releases.example.com/mcp', 400],
    ['http://127.0.0.1.example.com/mcp', 400],
    ['https://releases.example.com/mcp', 'in'],
    ['http://127.0.0.1:8787/mcp', 'in'],
    ['http://[::1]:8787/mcp', 'in'],
    ['http://localhost:8787/mcp', 'in'],
  ])('that arrives at %s is answered with %s', async (url, expected) => {
    const onTrouble = (message: string) => void said.push(message);
    const guard = createGuard({ access: accessTo('mcp'), keys: [recorded(key)], baseUrl, onTrouble });
    const refusal = await guard(new Request(url, { headers: { authorization: `Bearer ${key}` } }));

    expect(refusal?.status ?? 'in').toBe(expected);
  });

  test('counts up to the end of its last day, UTC', async () => {
    const time = { now: Date.parse('2026-11-20T23:59:59.999Z') };
    const ask = guarding(accessTo('mcp'), [recorded(key, 'jane', '2026-11-20')], time);

    expect(await ask(key)).toBe('in');
    time.now++;
    expect(await ask(key)).toBe(failed);
  });

  test('does not count where keys do not', async () => {
    const access = accessTo('mcp', [opaqueIssuer(opaque)], { accessKeys: { enabled: false } });

    expect(await guarding(access, [recorded(key)])(key)).toBe(failed);
  });

  test('counts while no issuer can be reached', async () => {
    const issuer = (await deadUrl()).slice(0, -1);

    expect(await guarding(accessTo('mcp', [opaqueIssuer({ issuer })]), [recorded(key)])(key)).toBe('in');
    expect(said).toEqual([]);
  });
});

describe('a JWT', () => {
  test('is judged by the keys in the configuration, without asking anyone', async () => {
    const before = jwt.requests.length;
    const issuer = jwtIssuer(jwt, { jwksUri: undefined, jwkSet: jwt.jwkSet });

    const ask = guarding(accessTo('mcp', [issuer]));

    expect(await ask(await jwt.grant('jane', resource))).toBe('in');
    expect(await ask(await jwt.grant('jane', 'https://else.example'))).toBe(failed);
    expect(jwt.requests.slice(before)).toEqual([]);
  });

  test('may be for whichever audience and of whichever type where that is said', async () => {
    const any = {
      restrictByJwtAudience: false,
      allowedJwtAudiences: undefined,
      allowedJwtTypes: undefined,
    };
    const ask = guarding(accessTo('mcp', [jwtIssuer(jwt, any)]));
    const exp = Date.now() / 1000 + 60;

    expect(await ask(await jwt.sign({ email: 'jane@example.com', exp }, { typ: 'whatever' }))).toBe('in');
  });

  test.each([
    ['AT+JWT', 'in'],
    ['application/at+jwt', 'in'],
    ['application/jwt', failed],
  ])('of the type "%s" is told by its media type: %s', async (typ, expected) => {
    const ask = guarding(accessTo('mcp', [jwtIssuer(jwt)]));
    const claims = { email: 'jane@example.com', aud: resource, exp: Date.now() / 1000 + 60 };

    expect(await ask(await jwt.sign(claims, { typ }))).toBe(expected);
  });

  test('does not make the guard ask for keys over and over', async () => {
    const before = jwt.requests.length;
    const ask = guarding(accessTo('mcp', [jwtIssuer(jwt)]));
    const claims = { email: 'jane@example.com', aud: resource, exp: Date.now() / 1000 + 60 };

    for (let count = 0; count < 5; count++)
      expect(await ask(await jwt.sign(claims, { kid: `forged-${count}` }))).toBe(failed);

    expect(jwt.requests.slice(before)).toEqual(['/jwks']);
  });

  test('whose issuer publishes something else than keys may be right, and who runs the index is told', async () => {
    for (const handler of [
      json([]),
      json({ keys: 'none' }),
      json({}),
      missing,
      redirects(() => jwt.jwksUri),
    ]) {
      const { issuer } = await startIssuer(() => served({ '/jwks': handler }));
      const ask = guarding(accessTo('mcp', [jwtIssuer({ issuer, jwksUri: `${issuer}/jwks` })]));
      const claims = { iss: issuer, email: 'jane@example.com', aud: resource, exp: Date.now() / 1000 + 60 };

      expect(await ask(await jwt.sign(claims))).toBe(noAnswer);
      expect(said.splice(0)).toEqual([expect.stringContaining(`${issuer}/jwks `)]);
    }
  });
});

describe('an opaque token', () => {
  test('that was revoked counts for the rest of a minute, and no longer', async () => {
    const time = { now: Date.now() };
    const ask = guarding(accessTo('mcp', [opaqueIssuer(opaque)]), [], time);
    const token = await opaque.grant('jane');
    expect(await ask(token)).toBe('in');

    await opaque.revoke(token);

    time.now += 59_999;
    expect(await ask(token)).toBe('in');
    time.now += 1;
    expect(await ask(token)).toBe(failed);
  });

  test('that did not count is asked about again after a minute, and not before', async () => {
    const time = { now: Date.now() };
    const accounts = new Map<string, object>();
    const asked = await startIssuer((url) =>
      served({
        [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': (request, response) => {
          const account = accounts.get(request.headers.authorization!);
          answer(response, account ? 200 : 401, 'application/json', JSON.stringify(account ?? {}));
        },
      }),
    );
    const ask = guarding(accessTo('mcp', [opaqueIssuer(asked)]), [], time);
    expect(await ask('new')).toBe(failed);

    accounts.set('Bearer new', { sub: '1', email: 'jane@example.com' });

    time.now += 59_999;
    expect(await ask('new')).toBe(failed);
    expect(asked.paths).toEqual([discovery, '/me']);
    time.now += 1;
    expect(await ask('new')).toBe('in');
  });

  test('that is one of 300 invented ones costs the issuer 10 questions a second, and nobody who was let in before', async () => {
    const time = { now: Date.parse('2026-11-20T12:00:00Z') };
    const asked = await startIssuer((url) =>
      served({
        [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': ({ headers }, response) => {
          const status = headers.authorization === 'Bearer jane' ? 200 : 401;
          answer(response, status, 'application/json', JSON.stringify({ email: 'jane@example.com' }));
        },
      }),
    );
    const ask = guarding(accessTo('mcp', [opaqueIssuer(asked)]), [], time);
    expect(await ask('jane')).toBe('in');

    const answers = await Promise.all(Array.from({ length: 300 }, (_, count) => ask(`invented-${count}`)));

    expect(asked.paths.filter((path) => path === '/me')).toHaveLength(10);
    expect(answers.filter((each) => each === failed)).toHaveLength(9);
    expect(answers.filter((each) => each === noAnswer)).toHaveLength(291);
    expect(await ask('jane')).toBe('in');
    time.now += 1_000;
    expect(await ask('invented-299')).toBe(failed);
  });

  test('is one of the answers of a minute, of which no more are kept', async () => {
    const time = { now: Date.now() };
    const asked = await startIssuer((url) =>
      served({
        [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': json({ sub: '1', email: 'jane@example.com' }),
      }),
    );
    const ask = guarding(accessTo('mcp', [opaqueIssuer(asked)]), [], time);
    const first = time.now;
    for (let count = 0; count <= 600; count++, time.now += 100) await ask(`token-${count}`);
    const before = asked.paths.length;

    await ask('token-600');
    expect(asked.paths.length).toBe(before);
    time.now = first;
    await ask('token-0');
    expect(asked.paths.length).toBe(before + 1);
  });

  test('is asked about where the older kind of metadata says', async () => {
    const path = '/.well-known/oauth-authorization-server/tenant';
    const { issuer } = await startIssuer((url) =>
      served({
        [path]: json({ issuer: `${url}/tenant`, userinfo_endpoint: `${url}/me` }),
        '/me': json({ email: 'jane@example.com' }),
      }),
    );

    expect(await guarding(accessTo('mcp', [opaqueIssuer({ issuer: `${issuer}/tenant` })]))('token')).toBe(
      'in',
    );
  });

  const person = json({ sub: '1', email: 'jane@example.com' });
  const naming = (metadata: object): Handler => json(metadata);
  test.each<[string, (url: string) => Readonly<Record<string, Handler>>, RegExp]>([
    ['has no metadata', () => ({}), /publishes no metadata/],
    [
      'has the metadata of another',
      (url) => ({
        [discovery]: naming({ issuer: jwt.issuer, userinfo_endpoint: `${url}/me` }),
        '/me': person,
      }),
      /belongs to another issuer/,
    ],
    [
      'names no endpoint',
      (url) => ({ [discovery]: naming({ issuer: url }) }),
      /names no https: userinfo_endpoint/,
    ],
    [
      'names an endpoint that anyone could read along',
      (url) => ({ [discovery]: naming({ issuer: url, userinfo_endpoint: 'http://example.com/me' }) }),
      /names no https: userinfo_endpoint/,
    ],
    [
      'answers with a list',
      (url) => ({ [discovery]: naming({ issuer: url, userinfo_endpoint: `${url}/me` }), '/me': json([]) }),
      /did not answer with a JSON object/,
    ],
    [
      'answers with a page',
      (url) => ({
        [discovery]: naming({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': (_, response) => answer(response, 200, 'text/html', '<html>'),
      }),
      /did not answer with a JSON object/,
    ],
    [
      'answers without end',
      (url) => ({
        [discovery]: naming({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': endless(new Map([['/me', { type: 'application/json', body: '' }]])),
      }),
      /answered with more than/,
    ],
    [
      'was asked too often by this index',
      (url) => ({
        [discovery]: naming({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': (_, response) => answer(response, 429, 'text/plain', 'later'),
      }),
      /answered 429/,
    ],
    [
      'is in trouble',
      (url) => ({
        [discovery]: naming({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': (_, response) => answer(response, 503, 'text/plain', 'later'),
      }),
      /answered 503/,
    ],
  ])(
    'is answered with 503 where the issuer %s, and who runs the index is told',
    async (_, handlers, told) => {
      const { issuer } = await startIssuer((url) => served(handlers(url)));

      expect(await guarding(accessTo('mcp', [opaqueIssuer({ issuer })]))('a-secret')).toBe(noAnswer);

      expect(said).toEqual([expect.stringMatching(told)]);
      expect(said[0]).not.toContain('a-secret');
    },
  );

  test('is not sent on to where an issuer redirects', async () => {
    const thief = await startIssuer(() => json({ sub: '1', email: 'jane@example.com' }));
    const { issuer } = await startIssuer((url) =>
      served({
        [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': redirects(() => `${thief.issuer}/me`),
      }),
    );

    expect(await guarding(accessTo('mcp', [opaqueIssuer({ issuer })]))('token')).toBe(noAnswer);
    expect(thief.paths).toEqual([]);
  });
});

describe('of several issuers', () => {
  test('each is shown an opaque token in turn, only with fan-out and until one knows it', async () => {
    const unknowing = await startIssuer((url) =>
      served({ [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }) }),
    );
    const dead = (await deadUrl()).slice(0, -1);
    const last = await startIssuer(() => missing);
    const issuers = [unknowing, { issuer: dead }, opaque, last].map((issuer) => opaqueIssuer(issuer));
    const access = accessTo('mcp', issuers, { opaqueTokenFanOut: true });
    const token = await opaque.grant('jane');
    const off = { ...access, externalOauth: { ...access.externalOauth, opaqueTokenFanOut: false } };

    expect(await guarding(off)(token)).toBe(failed);
    expect(unknowing.paths).toEqual([]);
    expect(await guarding(access)(token)).toBe('in');
    expect(unknowing.paths).toEqual([discovery, '/me']);
    expect(last.paths).toEqual([]);
  });

  test('none is shown a JWT of an issuer that is not configured', async () => {
    const asked = await startIssuer(() => missing);
    const token = await jwt.sign({ iss: 'https://else.example', exp: Date.now() / 1000 + 60 });

    for (const opaqueTokenFanOut of [false, true])
      expect(await guarding(accessTo('mcp', [opaqueIssuer(asked)], { opaqueTokenFanOut }))(token)).toBe(
        failed,
      );
    expect(asked.paths).toEqual([]);
  });

  test('an opaque one may name itself in its tokens', async () => {
    const token = await jwt.sign({ exp: Date.now() / 1000 + 60 });
    const { issuer } = await startIssuer((url) =>
      served({
        [discovery]: json({ issuer: url, userinfo_endpoint: `${url}/me` }),
        '/me': json({ email: 'jane@example.com' }),
      }),
    );
    const named = await jwt.sign({ iss: issuer, exp: Date.now() / 1000 + 60 });
    const ask = guarding(accessTo('mcp', [opaqueIssuer({ issuer })]));

    expect([await ask(named), await ask(token)]).toEqual(['in', failed]);
  });

  test('one that signs is not asked for what others signed in its name', async () => {
    const ask = guarding(accessTo('mcp', [jwtIssuer(jwt), opaqueIssuer(opaque)]));
    const before = opaque.requests.length;
    const token = await jwt.grant('jane', 'https://else.example');

    expect(await ask(token)).toBe(failed);
    expect(opaque.requests.slice(before)).toEqual([]);
  });
});

describe('whom a token is about', () => {
  const anyDomain = { restrictByDomain: false, allowedDomains: [] };
  test.each<[string, object, keyof typeof people, string]>([
    ['by address', {}, 'jane', 'in'],
    ['by an address of which the issuer does not say whether it is verified', {}, 'unsaid', 'in'],
    ['by an address that the issuer calls unverified', {}, 'unverified', noEmail],
    ['by an address that the issuer calls unverified in a text', {}, 'saidUnverified', noEmail],
    ['by a verified address', { requireEmailVerified: true }, 'jane', 'in'],
    ['by an address that is not called verified', { requireEmailVerified: true }, 'unsaid', noEmail],
    ['by an address of whichever domain', anyDomain, 'foreign', noUser],
    ['by a domain in another case', { allowedDomains: ['EXAMPLE.com'] }, 'jane', 'in'],
    ['by the end of a domain', { allowedDomains: ['ample.com', 'com'] }, 'jane', wrongDomain],
    ['by subject', { claimMapping: 'sub' }, 'jane', 'in'],
    ['by another subject', { claimMapping: 'sub' }, 'unsaid', noUser],
    ['by subject, though the domain is another', { claimMapping: 'sub' }, 'foreign', wrongDomain],
    ['by user name', { claimMapping: 'preferredUsername', ...anyDomain }, 'mailless', 'in'],
    ['by user name, but with a domain', { claimMapping: 'preferredUsername' }, 'mailless', noEmail],
    [
      'by a user name that is not stated',
      { claimMapping: 'preferredUsername', ...anyDomain },
      'unsaid',
      noUser,
    ],
  ])('is found %s', async (_, mapping, person, expected) => {
    const token = await jwt.grant(person, resource);

    expect(await guarding(accessTo('mcp', [jwtIssuer(jwt, mapping)]))(token)).toBe(expected);
  });
});

test('a user who is bound to an issuer is none to another', async () => {
  const issuers = [jwtIssuer(jwt), opaqueIssuer(opaque)];
  const bound = { username: 'jane', email: 'jane@example.com', issuer: jwt.issuer };
  const ask = guarding(accessTo('mcp', issuers, { users: [bound] }));

  expect(await ask(await jwt.grant('jane', resource))).toBe('in');
  expect(await ask(await opaque.grant('jane'))).toBe(noUser);
});

test('a client may keep its token while the issuer gives no answer, and is told when to come again', async () => {
  const issuer = (await deadUrl()).slice(0, -1);
  const access = accessTo('mcp', [opaqueIssuer({ issuer })]);
  const guard = createGuard({ access, keys: [], baseUrl, onTrouble: (message) => void said.push(message) });

  const refusal = await guard(new Request(resource, { headers: { authorization: 'Bearer token' } }));

  expect(refusal!.status).toBe(503);
  expect(refusal!.headers.get('retry-after')).toBe('10');
  expect(refusal!.headers.get('cache-control')).toBe('no-store');
  expect(refusal!.headers.get('www-authenticate')).toBeNull();
});
