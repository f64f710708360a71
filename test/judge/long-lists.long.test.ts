/**
 * Judges components with as many release lines, releases or advisories as a list of several megabytes contains. This takes some seconds.
 * Comparing each pair, such as each release with each advisory, would exceed the time limit of the tests.
 */
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
])('a build judges a hundred thousand release lines %s without a timeout', (_, create, since) => {
  const releases = Array.from({ length: 100_000 }, (_release, index) => {
    return { ...create(index), version: `1.${index}` };
  });
  const { lines } = judgeOn('2026-06-01', releases, { support: { policy: 'term', months: 18 } });

  expect(lines).toHaveLength(100_000);
  expect(lines[1]?.since).toBe(since);
});

/** Each advisory affects 25 releases. Each affected release is fixed by the next release: 1.0.0 is fixed by 1.0.1. */
test.each([
  ['', (index: number) => `1.0.${index}`],
  [' that differ only in their suffixes', (index: number) => `1.0-build.${index}`],
])('compares forty thousand releases%s with a thousand advisories', (_, name) => {
  const releases = Array.from({ length: 40_000 }, (_release, index) => release(name(index)));
  const advisories = Array.from({ length: 1000 }, (_advisory, index) => {
    const starts = Array.from(
      { length: 25 },
      (_span, span) => (2 * (span * 1000 + index)) % 40_000,
    );
    return {
      id: `A-${String(index).padStart(3, '0')}`,
      affected: starts.map((start) => `>=${name(start)} <${name(start + 1)}`).join(' || '),
      fixed: starts.map((start) => name(start + 1)),
    };
  });
  const judged = judgeOn('2026-06-01', releases, { advisories });

  expect(judged.releases.slice(-4)).toMatchObject([
    { version: name(39_996), advisories: ['A-998'], fixes: [] },
    { version: name(39_997), advisories: [], fixes: ['A-998'] },
    { version: name(39_998), advisories: ['A-999'], fixes: [] },
    { version: name(39_999), advisories: [], fixes: ['A-999'] },
  ]);
  expect(judged.releases.filter(({ advisories: ids }) => ids?.length === 0)).toHaveLength(20_000);
});
