import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { expect, test } from 'vitest';
import { AccessConfig } from '../../../../src/core/schemas/access/access-config.ts';
import { readAccessConfig } from '../../../../src/io/files/settings-files.ts';
import { openRoot } from '../../../../src/io/files/root.ts';
import { checkout } from '../../../harness/checkout.ts';
import { makeRoot } from '../../../harness/root.ts';
import { covers } from '../../../harness/covers.ts';

const users = [{ username: 'jane', email: 'jane@example.com' }];
const exampleKey = {
  kty: 'OKP',
  kid: '2026',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
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

const read = (config: unknown) =>
  readAccessConfig(openRoot(makeRoot({ 'site/access.json': config }), checkout));

/** The problems of `site/access.json`. */
const problemsOf = (config: unknown) =>
  read(config).findings.map(({ subject, message }) => `${subject}: ${message}`);

const withIssuers = (issuers: unknown[], more = {}) => ({
  protect: 'everything',
  users,
  externalOauth: { issuers, ...more },
});
const { jwksUri: _, ...jwtWithoutKeys } = jwt;
const withKeys = (...keys: unknown[]) => withIssuers([{ ...jwtWithoutKeys, jwkSet: { keys } }]);
const anotherOpaque = { ...opaque, uri: 'https://another.example.com' };

test('an access configuration is completed by what holds where nothing is said', () => {
  covers(
    'claimMapping, default email',
    'opaqueTokenFanOut, default false',
    'mcpServer.accessKeys.enabled',
    'Here it is accessKeys.enabled in site/access.json.',
  );
  expect(AccessConfig.parse({ protect: 'mcp', users })).toEqual({
    protect: 'mcp',
    users,
    accessKeys: { enabled: true },
    externalOauth: { issuers: [], opaqueTokenFanOut: false },
  });
  expect(AccessConfig.parse(withIssuers([jwt])).externalOauth.issuers).toEqual([
    { ...jwt, restrictByDomain: true, claimMapping: 'email', requireEmailVerified: false },
  ]);
});

test.each<[what: string, config: object]>([
  ['keys alone', { protect: 'mcp', users, accessKeys: { enabled: true } }],
  ['an issuer alone', { ...withIssuers([jwt]), accessKeys: { enabled: false } }],
  ['a user of one issuer', { ...withIssuers([jwt]), users: [{ ...users[0], issuer: jwt.uri }] }],
  [
    'one address at two issuers',
    {
      ...withIssuers([jwt, opaque]),
      users: [
        { ...users[0], issuer: jwt.uri },
        { username: 'other', email: 'JANE@example.com', issuer: opaque.uri },
      ],
    },
  ],
  ['keys of the issuer in the file', withKeys(exampleKey)],
  ['one opaque issuer', withIssuers([jwt, opaque])],
  [
    'an opaque issuer that states no audience',
    withIssuers([{ ...opaque, restrictByJwtAudience: false }]),
  ],
  [
    'two opaque issuers that may see the tokens of each other',
    withIssuers([opaque, anotherOpaque], { opaqueTokenFanOut: true }),
  ],
  [
    'an issuer on loopback',
    withIssuers([{ ...jwt, uri: 'http://127.0.0.1:9/', jwksUri: 'http://127.0.0.1:9/k' }]),
  ],
  [
    'neither audience nor domain, in so many words',
    withIssuers([
      {
        ...jwt,
        ...{ allowedJwtAudiences: [], restrictByJwtAudience: false },
        ...{ allowedDomains: [], restrictByDomain: false },
      },
    ]),
  ],
])('an access configuration with %s is accepted', (_name, config) => {
  covers('OAuth only with an issuer');
  expect(problemsOf(config)).toEqual([]);
});

const { externalOauth } = withIssuers([jwt]);
/** The layout of other servers. */
const elsewhere = (more: object = {}, keys: object = { accessKeys: { enabled: false } }) => ({
  protect: 'mcp',
  users,
  accessControl: { externalOauth },
  mcpServer: keys,
  ...more,
});

test('the layout of other servers is read as that of the file, and key sets as text as well', () => {
  covers(
    'Under accessControl.externalOauth in the values file',
    'The file is site/access.json, where externalOauth may also stand alone.',
    'jwkSet: string (inline JWKS JSON)',
    'An object is read as well.',
  );
  const asText = { ...jwtWithoutKeys, jwkSet: JSON.stringify({ keys: [exampleKey] }) };

  expect(read(elsewhere()).value).toEqual(
    AccessConfig.parse({ protect: 'mcp', users, externalOauth, accessKeys: { enabled: false } }),
  );
  expect(read(withIssuers([asText])).value).toEqual(AccessConfig.parse(withKeys(exampleKey)));
});

test.each([
  [elsewhere({}, { externalOauth }), 'mcpServer: unknown key'],
  [elsewhere({}, { accessKeys: { enabled: true }, issuers: [] }), 'mcpServer: unknown key'],
  [elsewhere({ protect: 'all' }, { issuers: [] }), 'protect: expected one of mcp, everything'],
  [elsewhere({ accessControl: {} }), 'accessControl: unknown key'],
  [elsewhere({}, { accessKeys: { enabled: true }, port: 1 }), 'mcpServer: unknown key'],
  [
    elsewhere(
      { accessControl: { externalOauth: { issuers: [{ ...jwt, claimMapping: 'upn' }] } } },
      { accessKeys: { enabled: 'no' } },
    ),
    'accessKeys.enabled: expected boolean; got "no"\nsite/access.json: externalOauth.issuers[0].claimMapping: expected one of email, sub, preferredUsername; got "upn"',
  ],
  [
    elsewhere({ accessControl: undefined }, { accessKeys: { enabled: false } }),
    'accessKeys.enabled: without keys and issuers the index has no readers: enable access keys, or name an issuer in externalOauth; got false',
  ],
  [elsewhere({ externalOauth }), 'accessControl: unknown key'],
  [elsewhere({ accessControl: 'all' }), 'accessControl: unknown key'],
  [
    withIssuers([{ ...jwtWithoutKeys, jwkSet: '{"keys":' }]),
    'externalOauth.issuers[0].jwkSet: expected {"keys": […]}',
  ],
  [
    withIssuers([{ ...jwtWithoutKeys, jwkSet: '{"keys":[]}' }]),
    'externalOauth.issuers[0].jwkSet.keys: expected {"keys"',
  ],
])('the layout of other servers is no way around what is rejected: %#', (config, problem) => {
  if (problem.startsWith('mcpServer')) {
    covers('Issuers under mcpServer are rejected', 'Five startup refusals');
  }
  expect(problemsOf(config).join('\n')).toContain(`site/access.json: ${problem}`);
});

/** The sentences of the specification by words of the message. */
const shownBy: readonly [words: string, ...sentences: string[]][] = [
  ['accessTokenFormat: expected', 'accessTokenFormat jwt|opaque, no default'],
  ['allowedDomains', 'allowedDomains required unless restrictByDomain false'],
  [
    'allowedJwtAudiences',
    'allowedJwtAudiences required for jwt unless restrictByJwtAudience false',
  ],
  ['configure jwkSet or jwksUri, not both', 'jwt: exactly one of jwksUri, jwkSet'],
  ['is only for accessTokenFormat jwt', 'opaque: neither, and no audiences'],
  [
    'without keys and issuers',
    'accessKeys.enabled false: OAuth for all; refused without issuer',
    'Five startup refusals',
  ],
  [
    '2 opaque issuers',
    'Several JWT issuers cost nothing; one opaque without fan-out',
    'One opaque issuer',
  ],
  [
    'configure jwkSet or jwksUri; got neither',
    'jwkSet needs no network; message configure jwkSet or jwksUri',
    'Five startup refusals',
  ],
];

const issuer = 'externalOauth.issuers[0]';
const form = 'expected {"keys": […]} with 1 to 50 keys {"kty": …}, "kid" being a text';
const notAKey =
  'expected a public key for signatures: RSA with at least 2048 bits, EC on P-256, P-384 or P-521, or Ed25519';
const aSecretKey = (field: string) =>
  `expected a public key; got a secret one ("${field}"). Remove it here, and replace the key at the issuer`;
const onlyForJwt = 'is only for accessTokenFormat jwt: the index cannot read an opaque token';
const httpsUri = 'expected an https: address (plain http: for loopback only)';

/** A configuration whose only issuer, for JWTs, is changed; its problem, less the path of the issuer. */
const ofIssuer = (change: object, problem: string): [object, string] => [
  withIssuers([{ ...jwt, ...change }]),
  `${issuer}${problem}`,
];
const ofOpaque = (change: object, problem: string): [object, string] => [
  withIssuers([{ ...opaque, ...change }]),
  `${issuer}.${problem}`,
];
const ofKey = (key: object, problem: string): [object, string] => [
  withKeys(key),
  `${issuer}.jwkSet.keys[0]: ${problem}`,
];
const toJwk = ({ publicKey }: KeyPairKeyObjectResult) => publicKey.export({ format: 'jwk' });
const ofUsers = (more: object[], problem: string): [object, string] => [
  { protect: 'mcp', users: more },
  `users${problem}`,
];

test.each<[config: object, problem: string]>([
  [
    { ...withIssuers([jwt]), issuers: [jwt] },
    'issuers: unknown key; known are $schema, protect, users, accessKeys, externalOauth; remove or correct it',
  ],
  [
    { protect: 'mcp', users, accessKeys: { enabled: true, issuers: [] } },
    'accessKeys.issuers: unknown key; known are enabled; remove or correct it',
  ],
  [
    { protect: 'everything', users, accessKeys: { enabled: false } },
    'accessKeys.enabled: without keys and issuers the index has no readers: enable access keys, or name an issuer in externalOauth; got false',
  ],
  [{ protect: 'all', users }, 'protect: expected one of mcp, everything; got "all"'],
  ofUsers([], ': expected at least 1 element; got []'),
  ofUsers(
    [...users, { username: 'Jane', email: 'other@example.com' }],
    '[1].username: expected each username once; got "Jane"',
  ),
  ofUsers(
    [...users, { username: 'other', email: 'JANE@example.com' }],
    '[1].email: expected each email once; got "…@example.com"',
  ),
  ofUsers(
    [
      { username: 'a', domain: 'example.com' },
      { username: 'b', domain: 'Example.com' },
    ],
    '[1].domain: expected each domain once; got "Example.com"',
  ),
  ofUsers(
    [
      { username: 'a', claim: { name: 'groups', value: 'x' } },
      { username: 'b', claim: { value: 'x', name: 'groups' } },
    ],
    '[1].claim: expected each claim once; got {"value":"x","name":"groups"}',
  ),
  ofUsers(
    [{ username: 'jane:x', email: 'jane@example.com' }],
    '[0].username: expected a user name without white space, colon, quotes and backslash; got "jane:x"',
  ),
  ofUsers(
    [{ username: 'jane', email: 'jane' }],
    '[0].email: expected an e-mail address such as jane@example.com; got "jane"',
  ),
  ofUsers(
    [{ ...users[0], username: { toString: 1 } }],
    '[0].username: expected string; got {"toString":1}',
  ),
  ofIssuer({ uri: { toString: 1 } }, '.uri: expected string; got {"toString":1}'),
  [
    { ...withIssuers([jwt]), users: [{ ...users[0], issuer: 'https://login.example.com' }] },
    'users[0].issuer: expected the "uri" of an issuer in externalOauth; got "https://login.example.com"',
  ],
  ofUsers([{ ...users[0], program: true }], '[0].program: expected it only beside claim; got true'),
  [withIssuers([jwtWithoutKeys]), `${issuer}: configure jwkSet or jwksUri; got neither`],
  ofIssuer({ jwkSet: { keys: [exampleKey] } }, ': configure jwkSet or jwksUri, not both; got both'),
  ofIssuer(
    { allowedJwtAudiences: [] },
    '.allowedJwtAudiences: expected at least one audience, or "restrictByJwtAudience": false; got none',
  ),
  ofIssuer(
    { restrictByJwtAudience: false },
    '.allowedJwtAudiences: expected none beside "restrictByJwtAudience": false, which lets in every audience; got 1',
  ),
  ofIssuer(
    { allowedDomains: [] },
    '.allowedDomains: expected at least one domain, or "restrictByDomain": false; got none',
  ),
  ofIssuer(
    { restrictByDomain: false },
    '.allowedDomains: expected none beside "restrictByDomain": false, which lets in every domain; got 1',
  ),
  ofIssuer(
    { allowedDomains: ['@example.com'] },
    '.allowedDomains[0]: expected a domain such as example.com, without @ and *; got "@example.com"',
  ),
  ofIssuer(
    { uri: 'http://login.example.com/' },
    `.uri: ${httpsUri}; got "http://login.example.com/"`,
  ),
  ofIssuer(
    { jwksUri: 'http://login.example.com/k' },
    `.jwksUri: ${httpsUri}; got "http://login.example.com/k"`,
  ),
  ofIssuer(
    { uri: 'https://login.example.com/?tenant=x' },
    '.uri: expected an address without ? and #; got "https://login.example.com/?…"',
  ),
  ofIssuer(
    { accessTokenFormat: 'JWT' },
    '.accessTokenFormat: expected one of jwt, opaque; got "JWT". Did you mean "jwt"?',
  ),
  ofIssuer(
    { claimMapping: 'mail' },
    '.claimMapping: expected one of email, sub, preferredUsername; got "mail". Did you mean "email"?',
  ),
  [
    withIssuers([jwt, { ...jwt, uri: 'https://login.example.com' }]),
    'externalOauth.issuers[1].uri: expected each uri once; got "https://login.example.com"',
  ],
  ofOpaque({ jwksUri: jwt.jwksUri }, `jwksUri: ${onlyForJwt}; got "${jwt.jwksUri}"`),
  ofOpaque({ jwkSet: { keys: [exampleKey] } }, `jwkSet: ${onlyForJwt}`),
  ofOpaque({ allowedJwtAudiences: ['x'] }, `allowedJwtAudiences: ${onlyForJwt}; got ["x"]`),
  ofOpaque({ allowedJwtTypes: ['x'] }, `allowedJwtTypes: ${onlyForJwt}; got ["x"]`),
  ofOpaque({ restrictByJwtAudience: true }, `restrictByJwtAudience: ${onlyForJwt}; got true`),
  [
    withIssuers([opaque, anotherOpaque]),
    'externalOauth.opaqueTokenFanOut: expected true with 2 opaque issuers: an opaque token does not name its issuer, so each of them receives it; got false',
  ],
  [withKeys(), `${issuer}.jwkSet.keys: ${form}`],
  ofKey({ kty: 'oct', k: 'GEHEIM' }, aSecretKey('k')),
  ofKey({ ...exampleKey, d: 'GEHEIM' }, aSecretKey('d')),
  ofKey({ kty: 'EC', crv: 'P-256', x: 'x' }, notAKey),
  ofKey(toJwk(generateKeyPairSync('x25519')), notAKey),
  ofKey(toJwk(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })), notAKey),
  ofKey({ kty: 'RSA', n: Buffer.alloc(128, 255).toString('base64url'), e: 'AQAB' }, notAKey),
  ofKey({ ...exampleKey, use: 'enc' }, notAKey),
  ofKey({ ...exampleKey, key_ops: ['sign'] }, notAKey),
  ofKey({ ...exampleKey, key_ops: ['encrypt', 'verify'] }, notAKey),
  ...[exampleKey, { ...exampleKey, kid: undefined }].map((second): [object, string] => [
    withKeys(exampleKey, second),
    `${issuer}.jwkSet.keys: expected a "kid" of its own for each of several keys`,
  ]),
  [
    withIssuers([{ ...jwtWithoutKeys, jwkSet: [{ ...exampleKey, d: 'GEHEIM' }] }]),
    `${issuer}.jwkSet: ${form}`,
  ],
])(
  'an access configuration is rejected with a sentence about its problem: %#',
  (config, problem) => {
    covers(
      ...shownBy.flatMap(([words, ...sentences]) => (problem.includes(words) ? sentences : [])),
    );
    const problems = problemsOf(config);

    expect(problems).toEqual([`site/access.json: ${problem}`]);
    expect(problems.join()).not.toContain('GEHEIM');
  },
);

test('a secret key is called one, whatever else is wrong with it', () => {
  const problems = problemsOf(withKeys({ ...exampleKey, kty: undefined, d: 'GEHEIM' }));

  expect(problems).toEqual([
    `site/access.json: ${issuer}.jwkSet.keys[0].kty: ${form}`,
    `site/access.json: ${issuer}.jwkSet.keys[0]: ${aSecretKey('d')}`,
  ]);
});

test('all problems of an access configuration are reported at once', () => {
  const twoOpaque = [opaque, { ...opaque, uri: 'ftp://another.example.com' }];

  expect(
    problemsOf({ ...withIssuers([jwtWithoutKeys, ...twoOpaque]), protect: 'nothing', users: [{}] }),
  ).toHaveLength(6);
});
