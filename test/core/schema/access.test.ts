import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { AccessConfig, intersectPermissions } from '../../../src/core/schema/access.ts';

const users = [{ username: 'jane', email: 'jane@example.com' }];
const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
const jwt = {
  uri: 'https://login.example.com/',
  accessTokenFormat: 'jwt',
  jwksUri: 'https://login.example.com/jwks.json',
  allowedJwtAudiences: ['https://releases.example.com/mcp'],
  allowedDomains: ['example.com'],
};
const opaque = {
  uri: 'https://opaque.example.com',
  accessTokenFormat: 'opaque',
  restrictByDomain: false,
};
const other = { ...opaque, uri: 'https://other.example.com' };
const { jwksUri: _, ...keyless } = jwt;

const byIssuers = (issuers: object[], more: object = {}) => ({
  users,
  accessControl: { externalOauth: { issuers, ...more } },
});

test('fills in the defaults of an access configuration', () => {
  expect(AccessConfig.parse({ users })).toEqual({
    users,
    mcpServer: { accessKeys: { enabled: true } },
    accessControl: { externalOauth: { issuers: [], opaqueTokenFanOut: false } },
  });
  expect(AccessConfig.parse(byIssuers([jwt])).accessControl.externalOauth.issuers).toEqual([
    { ...jwt, restrictByDomain: true, claimMapping: 'email', requireEmailVerified: false },
  ]);
});

test.each<object>([
  { ...byIssuers([jwt]), mcpServer: { accessKeys: { enabled: false } } },
  byIssuers([{ ...keyless, jwkSet: { keys: [key] } }]),
  byIssuers([{ ...keyless, jwkSet: JSON.stringify({ keys: [key] }) }]),
  byIssuers([jwt, opaque]),
  byIssuers([opaque, other], { opaqueTokenFanOut: true }),
  byIssuers([{ ...jwt, uri: 'http://127.0.0.1:9/', jwksUri: 'http://[::1]/k' }]),
  byIssuers([
    {
      ...{ ...jwt, allowedJwtAudiences: [], restrictByJwtAudience: false },
      ...{ allowedDomains: [], restrictByDomain: false },
    },
  ]),
])('accepts the access configuration %j', (config) => {
  expect(describeProblems(config, AccessConfig)).toEqual([]);
});

/**
 * More rejected configurations are in the table "Refused configurations" of
 * test/specification/README.md.
 */
test.each<[config: object, problem: string]>([
  [{ users: [] }, 'users: expected at least 1'],
  [{ users: [{ username: 'a b' }] }, expect.stringContaining('users[0].username: ')],
  [{ users: [...users, { username: 'Jane' }] }, 'users: expected each "username" once'],
  [
    { users: [...users, { username: 'joe', email: 'JANE@example.com' }] },
    'users: expected each "email" once',
  ],
  [
    byIssuers([jwt, { ...jwt, uri: 'https://login.example.com' }]),
    'accessControl.externalOauth.issuers: expected each "uri" once',
  ],
  [
    byIssuers([opaque, other]),
    'accessControl.externalOauth.opaqueTokenFanOut: expected true with several opaque issuers: each of them receives the tokens of the others',
  ],
])('rejects an access configuration and names its problem: %#', (config, problem) => {
  expect(describeProblems(config, AccessConfig)).toEqual([problem]);
});

test.each<[issuer: object, change: object, problem: string]>([
  [
    jwt,
    { jwkSet: { keys: [key] } },
    `jwksUri: configure jwkSet or jwksUri, not both; got "${jwt.jwksUri}"`,
  ],
  [
    jwt,
    { allowedDomains: ['@example.com'] },
    'allowedDomains[0]: expected a domain such as example.com, without @ and *; got "@example.com"',
  ],
  [keyless, { jwkSet: '{"keys":' }, 'jwkSet: expected {"keys": […]}'],
  [
    keyless,
    { jwkSet: { keys: [{ ...key, d: 'SECRET' }] } },
    'jwkSet: holds a secret key. Remove it here, and replace the key at the issuer',
  ],
  ...Object.entries({ jwkSet: { keys: [key] }, allowedJwtTypes: ['x'] }).map(
    ([name, value]): [object, object, string] => [
      opaque,
      { [name]: value },
      `${name} is only for accessTokenFormat jwt: nobody but its issuer can read an opaque token`,
    ],
  ),
])('rejects an issuer and names its problem: %#', (issuer, change, problem) => {
  expect(describeProblems(byIssuers([{ ...issuer, ...change }]), AccessConfig)).toEqual([
    `accessControl.externalOauth.issuers[0].${problem}`,
  ]);
});

test('intersectPermissions keeps the permissions in all lists, and the permission that everybody has', () => {
  const everybody = 'accessDataWithoutAssociatedProject';

  expect(intersectPermissions({}, {})).toEqual(['read', 'export', 'mcp', 'scan', everybody]);
  expect(
    intersectPermissions({ permissions: ['read', 'mcp'] }, { permissions: ['mcp', 'scan'] }, {}),
  ).toEqual(['mcp', everybody]);
  expect(intersectPermissions({ permissions: [] })).toEqual([everybody]);
});
