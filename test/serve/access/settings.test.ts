/** What `check`, `build` and `publish` refuse in `site/access.json`. */
import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { parseDocument, type InputError } from '../../../src/core/errors.ts';
import { AccessConfig } from '../../../src/core/schema/access.ts';

const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
const jwkSet = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first' }] };
const jwt = {
  uri: 'https://login.example.com',
  accessTokenFormat: 'jwt',
  jwkSet,
  allowedJwtAudiences: ['https://releases.example.com/mcp'],
  allowedDomains: ['example.com'],
};
const opaque = {
  uri: 'https://sso.example.com',
  accessTokenFormat: 'opaque',
  allowedDomains: ['example.com'],
};
const jwksUri = 'https://login.example.com/jwks';

function findProblems(settings: object): string[] {
  try {
    parseDocument(AccessConfig, { users: [{ username: 'jane' }], ...settings }, 'access');
    return [];
  } catch (error) {
    return (error as InputError).problems.map(({ message }) => message);
  }
}

const place = 'accessControl.externalOauth';
const first = `${place}.issuers[0]`;
const onlyJwt = 'is only for accessTokenFormat jwt: nobody but its issuer can read an opaque token';

test.each<[name: string, issuers: object[], problems: unknown[]]>([
  ['keys at an address', [{ ...jwt, jwkSet: undefined, jwksUri }], []],
  ['an opaque one', [opaque], []],
  ['one of each', [jwt, opaque], []],
  ['no keys', [{ ...jwt, jwkSet: undefined }], [`${first}.jwksUri: configure jwkSet or jwksUri`]],
  [
    'keys at both places',
    [{ ...jwt, jwksUri }],
    [`${first}.jwksUri: configure jwkSet or jwksUri, not both; got "${jwksUri}"`],
  ],
  ['opaque with keys', [{ ...opaque, jwkSet }], [`${first}.jwkSet: ${onlyJwt}`]],
  [
    'opaque with audiences',
    [{ ...opaque, allowedJwtAudiences: ['index'] }],
    [`${first}.allowedJwtAudiences: ${onlyJwt}`],
  ],
  [
    'no format',
    [{ ...opaque, accessTokenFormat: undefined }],
    [expect.stringContaining(`${first}.accessTokenFormat: expected one of jwt, opaque`)],
  ],
  [
    'no audience',
    [{ ...jwt, allowedJwtAudiences: [] }],
    [
      `${first}.allowedJwtAudiences: expected either at least one audience, or "restrictByJwtAudience": false`,
    ],
  ],
  [
    'no domain',
    [{ ...jwt, allowedDomains: undefined }],
    [`${first}.allowedDomains: expected either at least one domain, or "restrictByDomain": false`],
  ],
  [
    'one twice',
    [jwt, { ...jwt, uri: `${jwt.uri}/` }],
    [`${place}.issuers: expected each "uri" once`],
  ],
  [
    'two opaque ones',
    [opaque, { ...opaque, uri: 'https://other.example.com' }],
    [
      `${place}.opaqueTokenFanOut: expected true with several opaque issuers: each of them receives the tokens of the others`,
    ],
  ],
])('issuers: %s', (_name, issuers, problems) => {
  expect(findProblems({ accessControl: { externalOauth: { issuers } } })).toEqual(problems);
});

test('a secret key is refused, and not shown', async () => {
  const secret = { keys: [await exportJWK(privateKey)] };
  const issuers = [{ ...jwt, jwkSet: secret }];

  expect(findProblems({ accessControl: { externalOauth: { issuers } } })).toEqual([
    `${first}.jwkSet: holds a secret key. Remove it here, and replace the key at the issuer`,
  ]);
});

test('several opaque issuers need fan-out', () => {
  const issuers = [opaque, { ...opaque, uri: 'https://other.example.com' }];
  const externalOauth = { issuers, opaqueTokenFanOut: true };

  expect(findProblems({ accessControl: { externalOauth } })).toEqual([]);
});

test('keys can be refused to agents only where they can sign in', () => {
  const mcpServer = { accessKeys: { enabled: false } };
  const accessControl = { externalOauth: { issuers: [jwt] } };

  expect(findProblems({ mcpServer, accessControl })).toEqual([]);
  expect(findProblems({ mcpServer })).toEqual([
    'mcpServer.accessKeys.enabled: without keys and issuers nobody could use /mcp: name an issuer in accessControl.externalOauth; got false',
  ]);
});

test('issuers under mcpServer are refused', () => {
  expect(findProblems({ mcpServer: { issuers: [jwt] } })).toEqual([
    expect.stringContaining('mcpServer: unknown key "issuers"'),
  ]);
});

test.each([
  [[{ username: 'jane' }, { username: 'Jane' }], 'users: expected each "username" once'],
  [
    [{ username: 'jane', permissions: ['write'] }],
    'users[0].permissions[0]: expected one of read, export',
  ],
])('users %j are refused', (users, problem) => {
  expect(findProblems({ users })).toEqual([expect.stringContaining(problem)]);
});
