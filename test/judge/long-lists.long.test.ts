/** Components of a hundred thousand release lines. Judging takes some seconds; comparing each line with all others would exceed the limit of time. */
import { expect, test } from 'vitest';
import { judgeOn, release } from '../harness/judging.ts';

const firstSeen = { timestampKind: 'observed', notBefore: '2026-01-01' } as const;

test.each([
  ['without a day', () => release('1.0'), undefined],
  [
    'that were first seen between two days',
    () => release('1.0', '2026-02-01', firstSeen),
    '2026-01-01',
  ],
  [
    'of which each second one has a stated day',
    (index: number) => (index % 2 ? release('1.0') : release('1.0', '2026-01-15')),
    '2026-01-15',
  ],
])('judges a hundred thousand release lines %s', (_, create, since) => {
  const releases = Array.from({ length: 100_000 }, (_release, index) => {
    return { ...create(index), version: `1.${index}` };
  });
  const { lines } = judgeOn('2026-06-01', releases, { support: { policy: 'term', months: 18 } });

  expect(lines).toHaveLength(100_000);
  expect(lines[1]?.since).toBe(since);
});
