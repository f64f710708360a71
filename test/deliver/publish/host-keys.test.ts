import { expect, test } from 'vitest';
import { checkReadingKey, readHostKeys } from '../../../src/deliver/publish/host-keys.ts';
import { nameVariable } from '../../../src/io/http/credentials.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { accessTo, keyOf, recorded } from '../../ask/server/access/private-index.ts';
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
  ['its digest', listWith({ sha256: secret }), '[0].sha256: expected 64 hex digits'],
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
const needs = 'Comparing with the live site and reading it back need the permission "read"';

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
  [
    'that nobody has',
    accessTo('everything'),
    { RELEASE_INDEX_KEY: keyOf('b') },
    {},
    'has no valid access key. To replace an expired one: npx release-index key new. To make a key: npx release-index key new',
  ],
  [
    'that may not read',
    accessTo('everything'),
    mine,
    { permissions: ['mcp'] },
    `is the key key-aaa, which may not read. ${needs}. To make a key: npx release-index key new`,
  ],
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
