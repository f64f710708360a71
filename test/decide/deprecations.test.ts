import { describe, expect, test } from 'vitest';
import { deprecated, judgeOn, reasonsOf, release } from '../harness/judging.ts';

const day = '2026-06-01';

describe('the list of a definition', () => {
  const recorded = ['v3.4.0', '3.4.1', '3.4.1.1', '3.5.0-rc.1', '3.5.0'].map((version) =>
    release(version),
  );

  test("a definition's list of deprecations selects exact versions in any spelling", () => {
    const judgement = judgeOn(day, recorded, {
      deprecated: [
        { versions: ['3.4.0', '3.04.1'], reason: 'Loses data.', url: 'https://example.com/why' },
      ],
    });

    expect(deprecated(judgement)).toEqual(['v3.4.0', '3.4.1']);
    expect(judgement.releases[0]!.reasons).toEqual([
      { rule: 'definition', text: 'Loses data.', url: 'https://example.com/why' },
    ]);
  });

  test("a definition's list of deprecations selects a range in the order of versions", () => {
    const judgement = judgeOn(day, recorded, {
      deprecated: [{ versions: '<3.5.0 || >=4', reason: 'Too old.' }],
    });

    expect(deprecated(judgement)).toEqual(['v3.4.0', '3.4.1', '3.4.1.1', '3.5.0-rc.1']);
  });

  test("a definition's list of deprecations applies from its day", () => {
    const about = {
      deprecated: [{ versions: ['3.4.1'], reason: 'Superseded.', since: '2026-01-31' }],
    };

    const before = judgeOn('2026-01-30', recorded, about);

    expect(deprecated(before)).toEqual([]);
    expect(before.nextChangeOn).toBe('2026-01-31');
    expect(deprecated(judgeOn('2026-01-31', recorded, about))).toEqual(['3.4.1']);
  });
});

describe("upstream's deprecation", () => {
  const recorded = [
    release('1.0', '2024-01-01', { deprecated: 'use 2', source: 'npm:x', firstSeen: '2024-01-05' }),
    release('2.0', '2025-01-01', {
      deprecated: 'use 1',
      source: 'npm:x',
      firstSeen: '2025-01-01',
      deprecatedSince: '2025-03-01',
    }),
    release('3.0', '2026-01-01'),
  ];

  test("upstream's deprecation deprecates a release from the day it was first read", () => {
    expect(deprecated(judgeOn(day, recorded))).toEqual(['1.0', '2.0']);
    expect(deprecated(judgeOn('2025-02-28', recorded))).toEqual(['1.0']);
    expect(reasonsOf(judgeOn(day, recorded), '2.0')).toEqual([
      '2025-03-01: Deprecated upstream: use 1',
    ]);
  });

  test("upstream's deprecation is ignored if the definition says so", () => {
    expect(deprecated(judgeOn(day, recorded, { ignoreUpstreamDeprecation: true }))).toEqual([]);
  });
});

test('a withdrawal and a deprecation upstream are no facts before the day on which they were seen', () => {
  const recorded = [
    release('1.0', '2024-01-01', { deprecated: 'old', deprecatedSince: '2025-02-01' }),
    release('1.1', '2024-06-01', { withdrawnSince: '2025-02-01' }),
  ];

  const before = judgeOn('2025-01-31', recorded);
  const since = judgeOn('2025-02-01', recorded);

  expect(before.releases.map(({ reasons }) => reasons)).toEqual([[], []]);
  expect(before.releases[1]!.withdrawnSince).toBeUndefined();
  expect(before.nextChangeOn).toBeUndefined();
  expect(since.releases.map(({ state }) => state)).toEqual(['deprecated', 'withdrawn']);
});

test('a withdrawn release is deprecated from the day of its withdrawal, even if upstream is ignored', () => {
  const recorded = [
    release('1.0', '2024-01-01'),
    release('1.1', '2024-06-01', { source: 'npm:x', withdrawnSince: '2025-02-01' }),
  ];

  const judgement = judgeOn(day, recorded, { ignoreUpstreamDeprecation: true });

  expect(deprecated(judgement)).toEqual(['1.1']);
  expect(reasonsOf(judgement, '1.1')).toEqual([
    '2025-02-01: npm:x has not listed it since 2025-02-01.',
  ]);
  expect(judgement.latest?.version).toBe('1.0');
  expect(deprecated(judgeOn('2025-01-31', recorded))).toEqual([]);
});

test('a release lists all valid reasons for its deprecation, the oldest first', () => {
  const recorded = [
    release('1.0', '2024-01-01', { source: 'npm:x', firstSeen: '2024-02-01', deprecated: 'use 2' }),
    release('2.0', '2026-01-01'),
  ];

  const judgement = judgeOn(day, recorded, {
    support: { policy: 'term', months: 18 },
    deprecated: [
      { versions: ['1.0'], reason: 'Old.' },
      { versions: ['1.0'], reason: 'Very old.', since: '2030-01-01' },
    ],
  });

  expect(reasonsOf(judgement, '1.0')).toEqual([
    'Old.',
    '2024-02-01: Deprecated upstream: use 2',
    '2025-07-02: 2024-01-01, by the vendor; 18 months, by the definition',
  ]);
  expect(judgement.releases[0]!.reasons.map(({ from }) => from)).toEqual([
    undefined,
    '2024-02-01',
    '2030-01-01',
  ]);
});
