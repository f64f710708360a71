import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

test('npm asks for the full document, because the abbreviated document has no release times', async () => {
  const { upstream } = await askRegistry(
    { datasource: 'npm', packageName: '@example/agent' },
    { '/@example%2fagent': json({ versions: { '1.0.0': {} } }) },
  );

  expect(upstream.requests[0]?.headers.accept).toBe('application/json');
});

test.each([
  ['created', '2026-01-01T00:00:00Z'],
  ['modified', '2026-01-01T00:00:00Z'],
  // A mirror gives only its own times.
  [undefined, undefined],
])('npm uses the time of a release if its document has "%s"', async (key, expected) => {
  const time = { '1.0.0': '2026-01-01T00:00:00.000Z', ...(key && { [key]: '2026-02-01' }) };
  const { releases } = await askRegistry(
    { datasource: 'npm', packageName: 'agent' },
    { '/agent': json({ versions: { '1.0.0': {} }, time }) },
  );

  expect(releases.map(({ releaseTimestamp }) => releaseTimestamp)).toEqual([expected]);
});
