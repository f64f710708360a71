import { expect, test } from 'vitest';
import { checkReadingKey, readHostKeys } from '../../../src/deliver/publish/host-keys.ts';
import { nameVariable } from '../../../src/io/http/credentials.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { accessTo, keyOf, opaqueIssuer, recorded } from '../../ask/server/access/private-index.ts';
import { checkout } from '../../harness/checkout.ts';
import { createRoot } from '../../harness/root.ts';
import { covers } from '../../harness/covers.ts';

test.each<[expires: string, level: string | undefined]>([
  ['2026-11-30', 'notice'],
  ['2026-12-01', 'warning'],
  ['2026-12-14', 'warning'],
  ['2026-12-15', undefined],
])('a key that expires after %s causes a %s on 2026-12-01', (expires, level) => {
  covers(
    'An access key is long-lived, created by the user in the account settings',
    'There are no accounts: the operator makes it for a user with key new.',
    'Keys expire',
  );
  const keys = [recorded(keyOf('a'), 'jane', expires), recorded(keyOf('b'))];
  const env = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };

  const found = readHostKeys(
    openRoot(createRoot().dir, checkout),
    env,
    accessTo('mcp'),
    '2026-12-01',
  );

  expect(found.keys).toHaveLength(level === 'notice' ? 1 : 2);
  expect(found.findings.map((finding) => finding.level)).toEqual(
    level === undefined ? [] : [level],
  );
  if (level === 'warning') {
    expect(found.findings[0]!.message).toMatch(
      new RegExp(
        `^key-aaa \\(jane\\) expires after ${expires}\\. To replace it: .+ key new --user jane --expires <day>$`,
      ),
    );
  }
});

const secret = keyOf('a');
const listWith = (more: object) => JSON.stringify([{ ...recorded(secret), ...more }]);
test.each<[what: string, document: string, message: string]>([
  ['its digest', listWith({ sha256: secret }), '[0].sha256: expected a SHA-256'],
  ['a field', listWith({ [secret]: true }), '[0]: unknown key; known are name, user'],
  ['a permission', listWith({ permissions: [secret] }), '[0].permissions[0]: expected'],
  ['the list', JSON.stringify(secret), 'expected array'],
  ['the whole text', secret, 'not JSON'],
  ['a key twice', `[{"${secret}": 1, "${secret}": 2}]`, 'line 1: has a key a second time'],
])('no message quotes a key in the place of %s', (_, document, message) => {
  const env = { RELEASE_INDEX_ACCESS_KEYS: document };

  const { findings } = readHostKeys(
    openRoot(createRoot().dir, checkout),
    env,
    accessTo('mcp'),
    '2026-12-01',
  );

  expect(findings[0]!.message).toContain(message);
  expect(JSON.stringify(findings)).not.toContain(secret.slice(14, 24));
});

const url = 'https://releases.example.com';
const mine = { RELEASE_INDEX_KEY: keyOf('a') };
const noReadingKey =
  'has no valid access key with the permission "read". To make a key: npx release-index key new';

test.each<[string, ReturnType<typeof accessTo>, object, object, string | undefined]>([
  ['of an index that protects only /mcp', accessTo('mcp'), {}, {}, undefined],
  [
    'of the host, in its own variable',
    accessTo('everything'),
    { [nameVariable(new URL(url))]: 'x' },
    {},
    undefined,
  ],
  ['that may read', accessTo('everything'), mine, {}, undefined],
  ['that is a token', accessTo('everything'), { RELEASE_INDEX_KEY: 'ey.J.x' }, {}, undefined],
  [
    'that is missing',
    accessTo('everything'),
    {},
    {},
    'is missing: comparing with the live site and reading it back need an access key. To make a key: npx release-index key new',
  ],
  ['that nobody has', accessTo('everything'), { RELEASE_INDEX_KEY: keyOf('b') }, {}, noReadingKey],
  [
    'that lost a character',
    accessTo('everything'),
    { RELEASE_INDEX_KEY: keyOf('a').slice(0, -1) },
    {},
    noReadingKey,
  ],
  ['that may not read', accessTo('everything'), mine, { permissions: ['mcp'] }, noReadingKey],
])('the key that reads an index back, %s', (_, access, env, more, message) => {
  const keys = [{ ...recorded(keyOf('a')), ...more }];

  expect(
    checkReadingKey({ keys, findings: [] }, access, env as NodeJS.ProcessEnv, url).map(
      (finding) => finding.message,
    ),
  ).toEqual(message === undefined ? [] : [message]);
});

test('the keys of the host fit into its secrets, and an unused secret is an empty list', () => {
  const one = JSON.stringify([recorded(keyOf('a'))]).length - 2;
  const most = Math.floor(4_999 / (one + 1));
  const splitOf = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => ({
      ...recorded(keyOf('a')),
      name: `key-${String(index).padStart(3, '0')}`,
    }));
    const env = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };
    const { secrets = {} } = readHostKeys(
      openRoot(createRoot().dir, checkout),
      env,
      accessTo('mcp'),
      '2026-12-01',
    );
    return Object.values(secrets).map((text) => (JSON.parse(text) as unknown[]).length);
  };

  expect(splitOf(2).filter((length) => length > 0)).toEqual([2]);
  expect(splitOf(most + 1).filter((length) => length > 0)).toEqual([most, 1]);
});

/** What the host gets from the list of a variable, and from that of a file. */
function readKeys({
  ofVariable,
  ofFile,
  access = accessTo('everything'),
}: {
  ofVariable?: string | object[];
  ofFile?: object[];
  access?: ReturnType<typeof accessTo>;
}) {
  const root = createRoot();
  if (ofFile) {
    root.write('.access/keys.json', ofFile);
  }
  const text = typeof ofVariable === 'string' ? ofVariable : JSON.stringify(ofVariable);
  const env = ofVariable && { RELEASE_INDEX_ACCESS_KEYS: text };
  const read = readHostKeys(openRoot(root.dir, checkout), { ...env }, access, '2026-12-01');
  const texts = read.findings.map(
    ({ level, subject, message }) => `${level}: ${subject}: ${message}`,
  );
  return { ...read, texts, names: read.keys?.map(({ name }) => name) };
}

const [first, second] = [recorded(keyOf('a')), recorded(keyOf('b'))];
const issuer = opaqueIssuer({ issuer: 'https://login.example.com' });
const disabled = accessTo('everything', [issuer], { accessKeys: { enabled: false } });
const expired = recorded(keyOf('a'), 'jane', '2026-11-30');
const file = '.access/keys.json';

test('where access keys are not enabled, the host gets none', () => {
  expect(readKeys({ ofVariable: 'no list', access: disabled })).toEqual({
    ...{ findings: [], texts: [], names: undefined },
  });
});

test('without a list, the host keeps its own', () => {
  const { texts, keys, secrets } = readKeys({ ofVariable: ' ' });

  expect([keys, secrets]).toEqual([undefined, undefined]);
  expect(texts).toEqual([
    `warning: RELEASE_INDEX_ACCESS_KEYS: is not set, and there is no ${file}. The host keeps the keys of an earlier publication, including revoked ones; without an earlier publication, it accepts no key`,
  ]);
});

test('a list that cannot be read gives no secrets', () => {
  const { texts, secrets } = readKeys({ ofVariable: '{', ofFile: [first] });

  expect(texts).toEqual([expect.stringMatching(/^error: RELEASE_INDEX_ACCESS_KEYS: not JSON/)]);
  expect(secrets).toBeUndefined();
});

test('the list of the file is taken where there is no other', () => {
  expect(readKeys({ ofFile: [first] })).toMatchObject({
    ...{ names: [first.name], texts: [] },
    secrets: {
      RELEASE_INDEX_ACCESS_KEYS: JSON.stringify([first]),
      RELEASE_INDEX_ACCESS_KEYS_2: '[]',
    },
  });
});

test('the list of the variable is taken before that of the file, which should be the same', () => {
  const text = `warning: RELEASE_INDEX_ACCESS_KEYS: is used instead of ${file}, which differs`;

  expect(readKeys({ ofVariable: [first], ofFile: [second] })).toMatchObject({
    ...{ names: [first.name], texts: [text] },
  });
  expect(readKeys({ ofVariable: [first], ofFile: [first] }).texts).toEqual([]);
});

test('keys that are not accepted are named, and a list without a valid key', () => {
  const unknown = recorded(keyOf('b'), 'john');

  expect(readKeys({ ofFile: [expired, unknown] })).toMatchObject({
    names: [],
    texts: [
      `notice: ${file}: ${expired.name} (jane) is not accepted: expired`,
      `notice: ${file}: ${unknown.name} (john) is not accepted: unknown user`,
      `warning: ${file}: has no valid key. To make one: npx release-index key new`,
    ],
  });
});

test('a key of one of several users is accepted', () => {
  const users = [
    { username: 'jane', email: 'jane@example.com' },
    { username: 'john', email: 'john@example.com' },
  ];

  const { names } = readKeys({ ofFile: [first], access: accessTo('mcp', [], { users }) });

  expect(names).toEqual([first.name]);
});

test('a secret has at most 5000 bytes', () => {
  const lengthsFor = (bytes: number) => {
    const keys = Array.from({ length: 23 }, (_, index) => ({
      ...first,
      name: `key-${index + 10}`,
    }));
    const missing = bytes - JSON.stringify(keys).length;
    const padded = keys.map((key, index) => ({
      ...key,
      name: key.name + 'x'.repeat(Math.floor(missing / 23) + (index < missing % 23 ? 1 : 0)),
    }));
    expect(JSON.stringify(padded)).toHaveLength(bytes);
    const { secrets = {} } = readKeys({ ofFile: padded });
    return Object.values(secrets).map((text) => (JSON.parse(text) as unknown[]).length);
  };

  expect([lengthsFor(5_000), lengthsFor(5_001)]).toEqual([
    [23, 0],
    [22, 1],
  ]);
});

test('the keys that end soon are told apart', () => {
  const soon = recorded(keyOf('a'), 'jane', '2026-12-02');

  const { findings } = readKeys({ ofFile: [soon, expired] });

  expect(findings.map(({ kind }) => kind)).toEqual(['ending key', undefined]);
});

test('the command that replaces a key names its user as one word', () => {
  const soon = recorded(keyOf('a'), "o'brien&co", '2026-12-02');
  const users = [{ username: soon.user, email: 'o@example.com' }];

  const { texts } = readKeys({ ofFile: [soon], access: accessTo('mcp', [], { users }) });

  expect(texts).toEqual([expect.stringContaining(String.raw`--user 'o'\''brien&co' --expires`)]);
});

test('more keys than the host can keep are a problem', () => {
  const many = Array.from({ length: 80 }, (_, index) => ({ ...first, name: `key-${index}` }));

  const { texts, secrets } = readKeys({ ofFile: many });

  expect(secrets).toBeUndefined();
  expect(texts).toEqual([
    `error: ${file}: has 80 keys, more than the host can keep. Remove unused ones`,
  ]);
});

test.each<[string, ReturnType<typeof accessTo>, object, object[] | undefined, string | undefined]>([
  [
    'without keys of its own, needs a token',
    disabled,
    {},
    undefined,
    'is missing: comparing with the live site and reading it back need a token, as access keys are not enabled. To publish: put a token of your authorization server into RELEASE_INDEX_KEY (ACCESS.md, "Publish without access keys")',
  ],
  [
    'whose keys are those of an earlier publication',
    accessTo('everything'),
    mine,
    undefined,
    undefined,
  ],
  [
    'with a key and a token, of which one may read',
    accessTo('everything'),
    { RELEASE_INDEX_KEY: `${keyOf('b')}, ey.J.x` },
    [first],
    undefined,
  ],
  [
    'with two keys, of which one may read',
    accessTo('everything'),
    { RELEASE_INDEX_KEY: `${keyOf('b')} ${keyOf('a')}` },
    [{ ...second, permissions: ['mcp'] }, first],
    undefined,
  ],
  [
    'of which another user may not read',
    accessTo('everything', [], {
      users: [
        { username: 'john', email: 'john@example.com', permissions: ['mcp'] },
        { username: 'jane', email: 'jane@example.com' },
      ],
    }),
    mine,
    [first],
    undefined,
  ],
  [
    'whose user may not read',
    accessTo('everything', [], {
      users: [
        { username: 'john', email: 'john@example.com' },
        { username: 'jane', email: 'jane@example.com', permissions: ['mcp'] },
      ],
    }),
    mine,
    [first],
    noReadingKey,
  ],
])('an index %s', (_, access, env, keys, message) => {
  const hostKeys = { ...(keys && { keys: keys as (typeof first)[] }), findings: [] };

  const findings = checkReadingKey(hostKeys, access, env as NodeJS.ProcessEnv, url);

  expect(findings).toEqual(
    message === undefined ? [] : [{ level: 'error', subject: 'RELEASE_INDEX_KEY', message }],
  );
});
