import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/errors.ts';
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
const withoutKeys = { mcpServer: { accessKeys: { enabled: false } } };

test('a configuration is completed by what holds where nothing is said', () => {
  expect(AccessConfig.parse({ users })).toEqual({
    users,
    mcpServer: { accessKeys: { enabled: true } },
    accessControl: { externalOauth: { issuers: [], opaqueTokenFanOut: false } },
  });
  expect(AccessConfig.parse(byIssuers([jwt])).accessControl.externalOauth.issuers).toEqual([
    { ...jwt, restrictByDomain: true, claimMapping: 'email', requireEmailVerified: false },
  ]);
});

test.each<[name: string, config: object]>([
  ['an issuer alone', { ...byIssuers([jwt]), ...withoutKeys }],
  ['keys of the issuer', byIssuers([{ ...keyless, jwkSet: { keys: [key] } }])],
  ['keys as JSON', byIssuers([{ ...keyless, jwkSet: JSON.stringify({ keys: [key] }) }])],
  ['one opaque issuer', byIssuers([jwt, opaque])],
  [
    'opaque issuers that may see all tokens',
    byIssuers([opaque, other], { opaqueTokenFanOut: true }),
  ],
  [
    'an issuer on loopback',
    byIssuers([{ ...jwt, uri: 'http://127.0.0.1:9/', jwksUri: 'http://[::1]/k' }]),
  ],
  [
    'neither audience nor domain, in so many words',
    byIssuers([
      {
        ...jwt,
        allowedJwtAudiences: [],
        restrictByJwtAudience: false,
        allowedDomains: [],
        restrictByDomain: false,
      },
    ]),
  ],
])('a configuration with %s is accepted', (_name, config) => {
  expect(describeProblems(config, AccessConfig)).toEqual([]);
});

const place = 'accessControl.externalOauth.issuers[0]';
const onlyForJwt =
  'is only for accessTokenFormat jwt: nobody but its issuer can read an opaque token';
const https = 'expected https: (plain http: only of this machine)';
const byJwt = (change: object, problem: string): [object, string] => [
  byIssuers([{ ...jwt, ...change }]),
  `${place}.${problem}`,
];
const byOpaque = (change: object, problem: string): [object, string] => [
  byIssuers([{ ...opaque, ...change }]),
  `${place}.${problem}`,
];

test.each<[config: object, problem: string]>([
  [{ users: [] }, 'users: expected at least 1'],
  [
    { users, issuers: [jwt] },
    'unknown key "issuers"; known are $schema, users, mcpServer, accessControl',
  ],
  [
    { users, mcpServer: { accessKeys: { enabled: true }, issuers: [jwt] } },
    'mcpServer: unknown key "issuers"; known are accessKeys',
  ],
  [
    { users, ...withoutKeys },
    'mcpServer.accessKeys.enabled: without keys and issuers nobody could use /mcp: name an issuer in accessControl.externalOauth; got false',
  ],
  [{ users: [...users, { username: 'Jane' }] }, 'users: expected each "username" once'],
  [
    { users: [...users, { username: 'joe', email: 'JANE@example.com' }] },
    'users: expected each "email" once',
  ],
  [
    { users: [{ username: 'jane', permissions: ['write'] }] },
    'users[0].permissions[0]: expected one of read, export, mcp, scan, accessDataWithoutAssociatedProject; got "write"',
  ],
  [byIssuers([keyless]), `${place}.jwksUri: configure jwkSet or jwksUri`],
  byJwt(
    { jwkSet: { keys: [key] } },
    `jwksUri: configure jwkSet or jwksUri, not both; got "${jwt.jwksUri}"`,
  ),
  byJwt(
    { allowedJwtAudiences: [] },
    'allowedJwtAudiences: expected either at least one audience, or "restrictByJwtAudience": false',
  ),
  byJwt(
    { allowedDomains: [] },
    'allowedDomains: expected either at least one domain, or "restrictByDomain": false',
  ),
  byJwt(
    { allowedDomains: ['@example.com'] },
    'allowedDomains[0]: expected a domain such as example.com, without @ and *; got "@example.com"',
  ),
  byJwt({ uri: 'http://login.example.com' }, `uri: ${https}; got "http://login.example.com"`),
  byJwt({ accessTokenFormat: 'JWT' }, 'accessTokenFormat: expected one of jwt, opaque; got "JWT"'),
  byJwt(
    { claimMapping: 'mail' },
    'claimMapping: expected one of email, sub, preferredUsername; got "mail"',
  ),
  [
    byIssuers([jwt, { ...jwt, uri: 'https://login.example.com' }]),
    'accessControl.externalOauth.issuers: expected each "uri" once',
  ],
  byOpaque({ jwksUri: jwt.jwksUri }, `jwksUri: ${onlyForJwt}; got "${jwt.jwksUri}"`),
  byOpaque({ jwkSet: { keys: [key] } }, `jwkSet: ${onlyForJwt}`),
  byOpaque({ allowedJwtAudiences: ['x'] }, `allowedJwtAudiences: ${onlyForJwt}`),
  byOpaque({ allowedJwtTypes: ['x'] }, `allowedJwtTypes: ${onlyForJwt}`),
  [
    byIssuers([opaque, other]),
    'accessControl.externalOauth.opaqueTokenFanOut: expected true with several opaque issuers: each of them receives the tokens of the others',
  ],
  [byIssuers([{ ...keyless, jwkSet: '{"keys":' }]), `${place}.jwkSet: expected {"keys": […]}`],
  [
    byIssuers([{ ...keyless, jwkSet: { keys: [{ ...key, d: 'SECRET' }] } }]),
    `${place}.jwkSet: holds a secret key. Remove it here, and replace the key at the issuer`,
  ],
])('a configuration is refused with a sentence about its problem: %#', (config, problem) => {
  const problems = describeProblems(config, AccessConfig);

  expect(problems).toEqual([problem]);
  expect(problems.join()).not.toContain('SECRET');
});

test('all limits of permissions hold, and one permission everybody has', () => {
  const everybody = 'accessDataWithoutAssociatedProject';

  expect(intersectPermissions({}, {})).toEqual(['read', 'export', 'mcp', 'scan', everybody]);
  expect(
    intersectPermissions({ permissions: ['read', 'mcp'] }, { permissions: ['mcp', 'scan'] }, {}),
  ).toEqual(['mcp', everybody]);
  expect(intersectPermissions({ permissions: [] })).toEqual([everybody]);
});
