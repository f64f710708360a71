import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from '../../../harness/authorization-server.ts';
import { answer, deadUrl, endless, redirects, type Handler } from '../../../harness/upstream.ts';
import {
  discovery,
  failed,
  json,
  missing,
  noAnswer,
  openGuard,
  people,
  refusalBy,
  served,
  startIssuer,
  userInfo,
  warnings,
} from './guarding.ts';
import { accessTo, jwtIssuer, keyOf, opaqueIssuer, recorded, resource } from './private-index.ts';
import { covers } from '../../../harness/covers.ts';

let jwt: AuthorizationServer;
let opaque: AuthorizationServer;

beforeAll(async () => {
  [jwt, opaque] = await Promise.all([
    startAuthorizationServer('jwt', people),
    startAuthorizationServer('opaque', people),
  ]);
});

beforeEach(() => void warnings.splice(0));

afterAll(async () => {
  await Promise.all([jwt.close(), opaque.close()]);
});

test('an access key is accepted while no issuer can be reached', async () => {
  covers('An issuer does not disable keys');
  const issuer = (await deadUrl()).slice(0, -1);

  expect(
    await openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]), [recorded(keyOf('a'))])(
      keyOf('a'),
    ),
  ).toBe('in');
  expect(warnings).toEqual([]);
});

test('forged key ids do not make the guard request keys again and again', async () => {
  const before = jwt.requests.length;
  const ask = openGuard(accessTo('mcp', [jwtIssuer(jwt)]));
  const claims = { email: 'jane@example.com', aud: resource, exp: Date.now() / 1000 + 60 };

  for (let count = 0; count < 5; count++) {
    expect(await ask(await jwt.sign(claims, { kid: `forged-${count}` }))).toBe(failed);
  }

  expect(jwt.requests.slice(before)).toEqual(['/jwks']);
});

test('a JWT is answered with 503 where its issuer publishes no keys, and the owner of the index is warned', async () => {
  for (const handler of [
    json([]),
    json({ keys: 'none' }),
    json({}),
    missing,
    redirects(() => jwt.jwksUri),
  ]) {
    const { issuer } = await startIssuer(() => served({ '/jwks': handler }));
    const ask = openGuard(accessTo('mcp', [jwtIssuer({ issuer, jwksUri: `${issuer}/jwks` })]));
    const claims = {
      iss: issuer,
      email: 'jane@example.com',
      aud: resource,
      exp: Date.now() / 1000 + 60,
    };

    expect(await ask(await jwt.sign(claims))).toBe(noAnswer);
    expect(warnings.splice(0)).toEqual([expect.stringContaining(`${issuer}/jwks `)]);
  }
});

test.each<[string, object]>([
  [
    'a key that is too short',
    generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
  ],
  ['a key without its number', { kty: 'RSA', e: 'AQAB' }],
  [
    'a private key',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  ],
])('%s at an issuer is 503, and the owner of the index is warned', async (_, key) => {
  const keys = [{ ...key, kid: 'first', alg: 'RS256', use: 'sig' }];
  const { issuer } = await startIssuer(() => served({ '/jwks': json({ keys }) }));
  const ask = openGuard(accessTo('mcp', [jwtIssuer({ issuer, jwksUri: `${issuer}/jwks` })]));

  const claims = { iss: issuer, aud: resource, exp: Date.now() / 1000 + 60 };

  expect(await ask(await jwt.sign(claims))).toBe(noAnswer);
  expect(warnings.splice(0)).toEqual([
    `${issuer} has a key that cannot be used. Tokens that need it are answered with 503.`,
  ]);
  expect(await ask(await jwt.sign({ ...claims, iss: jwt.issuer }))).toBe(failed);
  expect(warnings).toEqual([]);
});

test('an opaque token that was revoked is accepted for the rest of a minute, and no longer', async () => {
  covers('Opaque: UserInfo on each request, reused briefly');
  const time = { now: Date.now() };
  const ask = openGuard(accessTo('mcp', [opaqueIssuer(opaque)]), [], time);
  const token = await opaque.grant('jane');
  expect(await ask(token)).toBe('in');

  await opaque.revoke(token);

  time.now += 59_999;
  expect(await ask(token)).toBe('in');
  time.now += 1;
  expect(await ask(token)).toBe(failed);
});

/** An issuer that knows the tokens of some people. */
const withPeople = async (people: string[]) => {
  const time = { now: Date.parse('2026-11-20T12:00:00Z') };
  const asked = await startIssuer((url) =>
    served(
      userInfo(url, ({ headers }, response) => {
        const isKnown = people.includes(headers.authorization!.replace('Bearer ', ''));
        const body = JSON.stringify({ email: 'jane@example.com' });
        answer(response, isKnown ? 200 : 401, 'application/json', body);
      }),
    ),
  );
  return { time, asked, ask: openGuard(accessTo('mcp', [opaqueIssuer(asked)]), [], time) };
};

test('an opaque token that was rejected is verified again after a minute, and not before', async () => {
  const people: string[] = [];
  const { time, asked, ask } = await withPeople(people);
  expect(await ask('new')).toBe(failed);

  people.push('new');

  time.now += 59_999;
  expect(await ask('new')).toBe(failed);
  expect(asked.paths).toEqual([discovery, '/me']);
  time.now += 1;
  expect(await ask('new')).toBe('in');
});

test('300 forged tokens cost the issuer 10 requests a second, and no accepted user the access', async () => {
  const { time, asked, ask } = await withPeople(['jane']);
  expect(await ask('jane')).toBe('in');

  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, count) => ask(`forged-${count}`)),
  );

  expect(asked.paths.filter((path) => path === '/me')).toHaveLength(10);
  expect(answers.filter((each) => each === failed)).toHaveLength(9);
  expect(answers.filter((each) => each === noAnswer)).toHaveLength(291);
  expect(await ask('jane')).toBe('in');
  time.now += 999;
  expect(await ask('forged-299')).toBe(noAnswer);
  time.now += 1;
  expect(await ask('forged-299')).toBe(failed);
});

test('an opaque token of five users is accepted while strangers send twelve forged tokens a second', async () => {
  const people = ['a', 'b', 'c', 'd', 'e'];
  const { time, ask } = await withPeople(people);
  for (const person of people) {
    expect(await ask(person)).toBe('in');
  }

  const answers = new Set<string>();
  // Each is verified again after a minute.
  for (let second = 0; second < 65; second += 1, time.now += 1000) {
    for (let count = 0; count < 12; count += 1) {
      await ask(`forged-${second}-${count}`);
    }
    for (const person of people) {
      answers.add(await ask(person));
    }
  }

  expect([...answers]).toEqual(['in']);
});

test('an opaque token is accepted for up to ten minutes while requests to its issuer are limited', async () => {
  const people = Array.from({ length: 30 }, (_, number) => `person-${number}`);
  const { time, ask } = await withPeople(people);
  for (const person of people) {
    expect(await ask(person)).toBe('in');
    time.now += 1000;
  }
  const inOneSecond = async () => Promise.all(people.map(ask));

  time.now += 9 * 60_000 - 30_000;
  expect(new Set(await inOneSecond())).toEqual(new Set(['in']));
  time.now += 11 * 60_000;
  expect((await inOneSecond()).filter((each) => each === noAnswer)).toHaveLength(20);
});

test('an opaque token that was revoked is not accepted again while requests are limited', async () => {
  const people = ['jane'];
  const { time, ask } = await withPeople(people);
  const flood = () => Promise.all(Array.from({ length: 12 }, (_, count) => ask(`forged-${count}`)));
  expect(await ask('jane')).toBe('in');

  people.pop();
  time.now += 60_000;
  expect(await ask('jane')).toBe(failed);
  time.now += 60_000;
  await flood();

  expect(await ask('jane')).toBe(noAnswer);
});

test('an opaque token that was accepted within a day precedes unknown ones', async () => {
  const { time, ask } = await withPeople(['jane', 'mike']);
  const flood = () =>
    Promise.all(Array.from({ length: 12 }, (_, count) => ask(`forged-${time.now}-${count}`)));
  await ask('jane');

  time.now += 86_399_999;
  await flood();
  expect([await ask('jane'), await ask('mike')]).toEqual(['in', noAnswer]);
  time.now += 86_400_000;
  await flood();
  expect(await ask('jane')).toBe(noAnswer);
});

test('an opaque token that was rejected is remembered for a minute, up to 600 tokens', async () => {
  const { time, asked, ask } = await withPeople([]);
  const first = time.now;
  for (let count = 0; count <= 600; count++, time.now += 100) {
    await ask(`token-${count}`);
  }
  const before = asked.paths.length;

  await ask('token-600');
  await ask('token-100');
  expect(asked.paths.length).toBe(before);
  time.now = first;
  await ask('token-0');
  expect(asked.paths.length).toBe(before + 1);
});

const person = json({ sub: '1', email: 'jane@example.com' });
const answering = (status: number, type: string, body: string) => (url: string) =>
  userInfo(url, (_, response) => answer(response, status, type, body));
const stating = (metadata: object) => (url: string) => ({
  [discovery]: json({ issuer: url, ...metadata }),
  '/me': person,
});
test.each<[string, (url: string) => Readonly<Record<string, Handler>>, RegExp]>([
  ['has no metadata', () => ({}), /publishes no metadata/],
  [
    'has the metadata of another issuer',
    (url) => stating({ issuer: jwt.issuer, userinfo_endpoint: `${url}/me` })(url),
    /belongs to another issuer/,
  ],
  ['names no endpoint', stating({}), /names no https: userinfo_endpoint/],
  [
    'names an endpoint over plain http',
    stating({ userinfo_endpoint: 'http://example.com/me' }),
    /names no https: userinfo_endpoint/,
  ],
  [
    'answers with a word',
    (url) => userInfo(url, json('jane')),
    /did not answer with a JSON object/,
  ],
  ['answers with null', (url) => userInfo(url, json(null)), /did not answer with a JSON object/],
  ['answers with a list', (url) => userInfo(url, json([])), /did not answer with a JSON object/],
  [
    'answers with a page',
    answering(200, 'text/html', '<html>'),
    /did not answer with a JSON object/,
  ],
  [
    'answers without end',
    (url) => userInfo(url, endless(new Map([['/me', { type: 'application/json', body: '' }]]))),
    /answered with more than/,
  ],
  ['limits the requests of this index', answering(429, 'text/plain', 'later'), /answered 429/],
  ['was too slow for itself', answering(408, 'text/plain', 'later'), /answered 408/],
  ['answers with an error', answering(500, 'text/plain', 'later'), /answered 500/],
])(
  'an opaque token is answered with 503 where the issuer %s, and the owner of the index is warned',
  async (_, handlers, warning) => {
    covers('An unreachable server stops nothing; its tokens are rejected');
    const { issuer } = await startIssuer((url) => served(handlers(url)));

    expect(await openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]))('a-secret')).toBe(noAnswer);

    expect(warnings).toEqual([expect.stringMatching(warning)]);
    expect(warnings[0]).not.toContain('a-secret');
  },
);

test.each([400, 401, 404, 499])(
  'an opaque token is rejected where the issuer says %i',
  async (status) => {
    const { issuer } = await startIssuer((url) => served(answering(status, 'text/plain', '')(url)));

    expect(await openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]))('token')).toBe(failed);
  },
);

test('an issuer may say 262,144 characters about a user', async () => {
  const claims = JSON.stringify({ email: 'jane@example.com' }).padEnd(262_144);
  const { issuer } = await startIssuer((url) =>
    served(answering(200, 'application/json', claims)(url)),
  );

  expect(await openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]))('token')).toBe('in');
});

test('an issuer is asked for its metadata again after ten minutes', async () => {
  const { time, asked, ask } = await withPeople([]);
  for (const minutes of [0, 9, 1]) {
    time.now += minutes * 60_000;
    await ask('token');
  }

  expect(asked.paths).toEqual([discovery, '/me', '/me', discovery, '/me']);
});

test('an opaque token is not sent to the target of a redirect', async () => {
  const thief = await startIssuer(() => json({ sub: '1', email: 'jane@example.com' }));
  const redirect = redirects(() => `${thief.issuer}/me`);
  const { issuer } = await startIssuer((url) => served(userInfo(url, redirect)));

  expect(await openGuard(accessTo('mcp', [opaqueIssuer({ issuer })]))('token')).toBe(noAnswer);
  expect(thief.paths).toEqual([]);
});

test('a client keeps its token during an outage, and learns when to try again', async () => {
  const issuer = (await deadUrl()).slice(0, -1);
  const { status, headers } = (await refusalBy(
    accessTo('mcp', [opaqueIssuer({ issuer })]),
    'Bearer token',
  ))!;

  expect(status).toBe(503);
  expect(headers.get('retry-after')).toBe('10');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('www-authenticate')).toBeNull();
});
