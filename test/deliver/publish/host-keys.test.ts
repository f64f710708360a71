import { expect, test } from 'vitest';
import { readHostKeys } from '../../../src/deliver/publish/host-keys.ts';
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
