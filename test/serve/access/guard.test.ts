/** Checks access keys, and tokens made from them, at every endpoint. */
import { afterAll, expect, test, vi } from 'vitest';
import { openSiteApi } from '../../harness/api.ts';
import {
  basic,
  bearer,
  endpoints,
  describeAnswer,
  keyOf,
  askEndpoint,
  recordedKey,
  words,
  type Endpoint,
} from '../../harness/endpoints.ts';
import { baseUrl } from '../../harness/index-folder.ts';
import { buildExample } from '../../harness/site.ts';

const full = keyOf('a');
const reading = keyOf('b');
const scanning = keyOf('c');
const expired = keyOf('d');
const last = keyOf('e');
const gone = keyOf('f');

vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-27T23:00:00.500Z') });
const log = vi.spyOn(console, 'error');
afterAll(() => {
  vi.useRealTimers();
  log.mockRestore();
});

const access = {
  users: [{ username: 'jane' }, { username: 'ci', permissions: ['scan', 'export'] }],
};
const keys = [
  recordedKey(full),
  recordedKey(reading, { name: 'reading', permissions: ['read'] }),
  recordedKey(scanning, { name: 'scanning', user: 'ci', permissions: ['scan', 'read'] }),
  recordedKey(expired, { name: 'expired', expires: '2026-01-31' }),
  recordedKey(last, { name: 'last-day', expires: '2026-11-27' }),
  recordedKey(gone, { name: 'gone', user: 'removed' }),
];
const ask = openSiteApi(buildExample(), { access, keys });
const everyEndpoint = Object.keys(endpoints) as Endpoint[];

const makeToken = async (secret: string, query = '') =>
  (await askEndpoint(ask, 'token', bearer(secret), { query })).text();
const token = await makeToken(full);
const exportToken = await makeToken(full, '?permissions=export');
const readingToken = await makeToken(reading);
const otherHost = openSiteApi(buildExample(), {
  access,
  keys,
  baseUrl: 'https://other.example.com',
});
const foreignToken = await (await askEndpoint(otherHost, 'token', bearer(full))).text();

const { none, failed, noPermission } = words;
const everywhere = (answer: string) =>
  Object.fromEntries(everyEndpoint.map((endpoint) => [endpoint, answer]));

test.each<[name: string, authorization: string | undefined, answers: object]>([
  ['nothing', undefined, everywhere(none)],
  ['a key', bearer(full), everywhere('in')],
  [
    'a key after any white space, in any case of the scheme',
    `bEARER \t ${full} `,
    everywhere('in'),
  ],
  [
    'a key as password, which agents never send',
    basic(`any name:${full}`),
    { ...everywhere('in'), mcp: none },
  ],
  [
    'a key that may only read',
    bearer(reading),
    { ...everywhere(noPermission), read: 'in', token: 'in' },
  ],
  [
    'a key with more permissions than its user',
    bearer(scanning),
    { ...everywhere(noPermission), scan: 'in', token: 'in' },
  ],
  ['a key on its last day', bearer(last), everywhere('in')],
  ['a key after its last day', bearer(expired), everywhere(failed)],
  ['a key of a user who was removed', bearer(gone), everywhere(words.noUser)],
  ['a key that nobody made', bearer(keyOf('z')), everywhere(failed)],
  ['a header of 64 KiB of white space', `Bearer a${' '.repeat(65_536)}b`, everywhere(failed)],
  ['a password that is not a key', basic('jane:secret'), { ...everywhere(failed), mcp: none }],
  ['a key as user name, without a password', basic(full), { ...everywhere(failed), mcp: none }],
  ['a token', bearer(token), everywhere('in')],
  [
    'a token with fewer permissions than its key',
    bearer(exportToken),
    { ...everywhere(noPermission), export: 'in', token: 'in' },
  ],
  [
    'a token of a key that may only read',
    bearer(readingToken),
    { ...everywhere(noPermission), read: 'in', token: 'in' },
  ],
  ['a token that another site issued', bearer(foreignToken), everywhere(failed)],
  ['a token that was changed', bearer(`${token.slice(0, -2)}xx`), everywhere(failed)],
])(
  'every endpoint accepts or rejects %s, according to the permissions',
  async (_name, authorization, answers) => {
    const rows = await Promise.all(
      everyEndpoint.map(async (endpoint) => [
        endpoint,
        await describeAnswer(await askEndpoint(ask, endpoint, authorization)),
      ]),
    );

    expect(Object.fromEntries(rows)).toEqual(answers);
    expect(log).not.toHaveBeenCalled();
  },
);

test('a credential over plain http is rejected, except on this computer', async () => {
  for (const [origin, answer] of [
    ['http://releases.example.com', words.http],
    ['http://127.0.0.1:8787', 'in'],
  ] as const) {
    expect(await describeAnswer(await askEndpoint(ask, 'read', bearer(full), { origin }))).toBe(
      answer,
    );
    expect(await describeAnswer(await askEndpoint(ask, 'read', undefined, { origin }))).toBe(none);
  }
});

test('a token is rejected after the removal of its key or user, or after the key has expired', async () => {
  const answer = async (changed: object) => {
    const later = openSiteApi(buildExample(), { access, keys, ...changed });
    return describeAnswer(await askEndpoint(later, 'read', bearer(token)));
  };

  expect(await answer({})).toBe('in');
  expect(await answer({ keys: keys.slice(1) })).toBe(failed);
  expect(await answer({ keys: [recordedKey(keyOf('y')), ...keys.slice(1)] })).toBe(failed);
  expect(await answer({ access: { users: [{ username: 'ci' }] } })).toBe(words.noUser);
  const shortened = recordedKey(full, { expires: '2026-11-26' });
  expect(await answer({ keys: [shortened, ...keys.slice(1)] })).toBe(failed);
});

test('a token loses a permission that its key has lost', async () => {
  const reduced = [recordedKey(full, { permissions: ['read'] }), ...keys.slice(1)];
  const later = openSiteApi(buildExample(), { access, keys: reduced });
  const answer = async (endpoint: Endpoint) =>
    describeAnswer(await askEndpoint(later, endpoint, bearer(token)));

  expect(await answer('read')).toBe('in');
  expect(await answer('export')).toBe(noPermission);
});

test('if the settings turn off access keys for MCP, only /mcp rejects keys and tokens made from keys', async () => {
  const uri = 'https://login.example.com';
  const issuers = [{ uri, accessTokenFormat: 'opaque', restrictByDomain: false }];
  const accessControl = { externalOauth: { issuers } };
  const mcpServer = { accessKeys: { enabled: false } };
  const closed = openSiteApi(buildExample(), {
    keys,
    access: { ...access, mcpServer, accessControl },
  });

  for (const secret of [full, token]) {
    expect(await describeAnswer(await askEndpoint(closed, 'mcp', bearer(secret)))).toBe(failed);
    expect(await describeAnswer(await askEndpoint(closed, 'read', bearer(secret)))).toBe('in');
  }
});

test.each([
  ['no credential', undefined, ''],
  [
    'a wrong credential',
    bearer('nonsense'),
    'error="invalid_token", error_description="Token validation failed", ',
  ],
  [
    'a credential without the permission',
    bearer(reading),
    'error="insufficient_scope", error_description="The credential has no permission for this operation.", ',
  ],
  [
    'a credential of an unknown user',
    bearer(gone),
    'error_description="No user matches your identity.", ',
  ],
])(
  'the answer to %s has a WWW-Authenticate header that names the problem and the metadata',
  async (_name, authorization, error) => {
    const answer = await askEndpoint(ask, 'mcp', authorization);

    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer realm="mcp", ${error}resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect(answer.headers.get('access-control-expose-headers')).toBe('*');
    expect(answer.headers.get('vary')).toContain('Authorization');
  },
);

test('the answer to a request with a credential is not cached, and scripts of any origin may read the answer', async () => {
  const { headers } = await askEndpoint(ask, 'read', bearer(full));

  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('vary')).toContain('Authorization');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test('the OAuth metadata needs no credential, and lists no authorization server if only keys are accepted', async () => {
  const answer = await ask('/.well-known/oauth-protected-resource/mcp');

  expect(await answer.json()).toEqual({
    resource: `${baseUrl}/mcp`,
    authorization_servers: [],
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email'],
  });
});
