import { expect, test } from 'vitest';
import { readHostKeys } from '../../../src/deliver/publish/host-keys.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { accessTo, keyOf, recorded } from '../../ask/access/private-index.ts';
import { checkout } from '../../harness/checkout.ts';
import { createRoot } from '../../harness/root.ts';

test.each<[expires: string, level: string | undefined]>([
  ['2026-11-30', 'notice'],
  ['2026-12-01', 'warning'],
  ['2026-12-14', 'warning'],
  ['2026-12-15', undefined],
])('a key that expires after %s causes a %s on 2026-12-01', (expires, level) => {
  const keys = [recorded(keyOf('a'), 'jane', expires), recorded(keyOf('b'))];
  const env = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(keys) };

  const found = readHostKeys(openRoot(createRoot().dir, checkout), env, accessTo('mcp'), '2026-12-01');

  expect(found.keys).toHaveLength(level === 'notice' ? 1 : 2);
  expect(found.findings.map((finding) => finding.level)).toEqual(level === undefined ? [] : [level]);
  if (level === 'warning')
    expect(found.findings[0]!.message).toMatch(
      new RegExp(`^key-aaa \\(jane\\) expires after ${expires}\\. To make another: .+ key new$`),
    );
});
