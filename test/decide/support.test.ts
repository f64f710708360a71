import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, toDay } from '../../src/core/dates.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';
import type { Judgement } from '../../src/decide/judge.ts';
import { covers } from '../harness/covers.ts';
import { deprecated, judgeOn, reasonsOf, release } from '../harness/judging.ts';

describe('none', () => {
  test.each([undefined, { policy: 'none' }])('%j deprecates nothing, however old', (support) => {
    const judgement = judgeOn('2099-01-01', [release('1.0', '2001-01-01'), release('2.0')], {
      ...(support && { support }),
    });

    expect(deprecated(judgement)).toEqual([]);
    expect(judgement.latest?.version).toBe('2.0');
    expect(judgement.nextChangeOn).toBeUndefined();
  });
});

describe('ended', () => {
  test.each([
    [{ reason: 'Move to the edge node.' }, 'Move to the edge node.'],
    [{}, 'End of support of this component: 2026-12-31. Every release is deprecated.'],
  ])('with %j, deprecates every version now, whatever the day of the end', (more, reason) => {
    const support = { policy: 'ended', since: '2026-12-31', ...more };
    const judgement = judgeOn('2026-10-08', [release('1.0'), release('2.0', '2026-10-01')], { support });

    expect(deprecated(judgement)).toEqual(['1.0', '2.0']);
    expect(judgement.latest).toBeUndefined();
    expect(reasonsOf(judgement, '2.0')).toEqual([reason]);
  });

  test.each([
    // Deprecated from one day, supported until another.
    ['2026-05-31', { deprecatedFrom: '2026-06-01', since: '2026-12-31' }, false, true, '2026-06-01'],
    ['2026-06-01', { deprecatedFrom: '2026-06-01', since: '2026-12-31' }, true, true, '2026-12-31'],
    ['2026-12-30', { deprecatedFrom: '2026-06-01', since: '2026-12-31' }, true, true, '2026-12-31'],
    ['2026-12-31', { deprecatedFrom: '2026-06-01', since: '2026-12-31' }, true, false, undefined],
    // Without a first day, from the beginning.
    ['2026-06-01', { since: '2026-12-31' }, true, true, '2026-12-31'],
    ['2027-06-01', { since: '2026-12-31' }, true, false, undefined],
    ['2026-06-01', {}, true, false, undefined],
    // Without a last day, support ends with the deprecation.
    ['2026-05-31', { deprecatedFrom: '2026-06-01' }, false, true, '2026-06-01'],
    ['2026-06-01', { deprecatedFrom: '2026-06-01' }, true, false, undefined],
  ])('on %s, %j: deprecated %s, supported %s, next %s', (day, days, isDeprecated, isSupported, next) => {
    const judgement = judgeOn(day, [release('1.0', '2020-01-01')], { support: { policy: 'ended', ...days } });

    expect(judgement.releases[0]).toMatchObject({ isDeprecated, isSupported });
    expect(judgement.nextChangeOn).toBe(next);
  });
});

describe('term', () => {
  const support = { policy: 'term', months: 18 };

  test('deprecates a line the given number of months after its first release', () => {
    const recorded = [
      release('2025.1', '2025-04-08'),
      release('2025.1.1', '2026-09-01'),
      release('2025.2', '2025-07-15'),
    ];

    const before = judgeOn('2026-10-07', recorded, { support });
    const then = judgeOn('2026-10-08', recorded, { support });

    expect(deprecated(before)).toEqual([]);
    expect(before.nextChangeOn).toBe('2026-10-08');
    expect(deprecated(then)).toEqual(['2025.1', '2025.1.1']);
    expect(then.latest?.version).toBe('2025.2');
    expect(then.nextChangeOn).toBe('2027-01-15');
    expect(reasonsOf(then, '2025.1.1')).toEqual([
      '2026-10-08: 2025.1 was first released on 2025-04-08; a release line is supported for 18 months.',
    ]);
  });

  test('uses only the first digit group as the line if the definition says so', () => {
    const recorded = [
      release('1.0', '2020-01-01'),
      release('1.9', '2026-01-01'),
      release('2.0', '2026-01-01'),
    ];

    const byOne = judgeOn('2026-06-01', recorded, { support: { ...support, line: 1 } });
    const byTwo = judgeOn('2026-06-01', recorded, { support });

    expect(byOne.lines.map(({ name }) => name)).toEqual(['1', '2']);
    expect(deprecated(byOne)).toEqual(['1.0', '1.9']);
    expect(deprecated(byTwo)).toEqual(['1.0']);
  });

  test('treats a line without a day as no younger than any newer line', () => {
    const recorded = [
      release('1.0'),
      release('1.1'),
      release('1.2', '2024-06-01'),
      release('1.3', '2020-01-01'),
      release('1.4'),
    ];

    const judgement = judgeOn('2021-07-01', recorded, { support });

    expect(deprecated(judgement)).toEqual(['1.0', '1.1', '1.3']);
    expect(reasonsOf(judgement, '1.0')).toEqual([
      '2021-07-01: 1.0 was first released no later than 2020-01-01; a release line is supported for 18 months.',
    ]);
  });

  test('may have ended until its latest possible end if only a newer line bounds the day', () => {
    const recorded = [release('1.0'), release('1.1', '2020-01-01')];
    const [before, after] = ['2021-06-30', '2021-07-01'].map((day) => judgeOn(day, recorded, { support }));

    expect(before!.lines[0]).toMatchObject({ state: 'may-have-ended', isSupported: undefined });
    expect(before!.lines[0]!.phases).toMatchObject([{ name: 'support', untilAtMost: '2021-07-01' }]);
    expect(before!.lines[0]!.phases[0]).not.toHaveProperty('until');
    expect(after!.lines[0]).toMatchObject({ state: 'ended', isSupported: false });
  });

  test.each<[string, object, object]>([
    ['without a lower bound', {}, { untilAtMost: '2028-05-22' }],
    [
      'since the last answer that lacked it',
      { notListedOn: '2026-11-01' },
      { until: '2028-05-01', untilAtMost: '2028-05-22' },
    ],
  ])('of a line first seen on a day is bounded by it, %s', (_, more, phase) => {
    const recorded = [release('1.0', '2026-11-22', { timestampKind: 'observed', ...more })];

    expect(judgeOn('2026-11-22', recorded, { support }).lines[0]!.phases).toMatchObject([phase]);
  });

  test('of an observed line ends no earlier than the line before it', () => {
    const observed = { timestampKind: 'observed', firstSeen: '2026-11-20' } as const;
    const recorded = [
      release('2026.2', '2026-06-30'),
      release('2026.2.1', '2026-07-19', observed),
      release('2026.3', '2026-11-20', observed),
    ];
    const { lines, releases } = judgeOn('2026-11-22', recorded, { support });

    expect(lines.map(({ began }) => began)).toEqual([
      { from: '2026-06-30' },
      { from: '2026-06-30', atMost: '2026-11-20' },
    ]);
    expect(lines[1]!.phases).toMatchObject([{ until: '2027-12-30', untilAtMost: '2028-05-20' }]);
    expect(releases.map(({ state }) => state)).toEqual(['supported', 'supported', 'supported']);
    const stateOn = (day: string) => judgeOn(day, recorded, { support }).lines[1]!.state;
    expect(['2027-12-29', '2027-12-30', '2028-05-19', '2028-05-20'].map(stateOn)).toEqual([
      'ends-soon',
      'may-have-ended',
      'may-have-ended',
      'ended',
    ]);
  });

  test('ignores an old release that was only seen recently', () => {
    const recorded = [
      release('2016.0', '2026-11-01', { timestampKind: 'observed' }),
      release('2022.1', '2022-03-16'),
      release('2026.3', '2026-10-01', { timestampKind: 'observed' }),
    ];

    const judgement = judgeOn('2026-11-20', recorded, { support });

    expect(deprecated(judgement)).toEqual(['2016.0', '2022.1']);
    expect(judgement.lines.map(({ state }) => state)).toEqual(['ended', 'ended', 'may-have-ended']);
  });

  test("accepts upstream's statement that an older line began later", () => {
    const recorded = [release('1.0', '2026-01-01'), release('2.0', '2024-01-01')];

    expect(deprecated(judgeOn('2026-06-01', recorded, { support }))).toEqual(['2.0']);
  });

  test('does not let a prerelease open a line', () => {
    const recorded = [release('1.0-rc1', '2025-01-01'), release('1.0', '2025-06-01')];

    expect(judgeOn('2026-07-01', recorded, { support }).lines[0]!.phases).toMatchObject([
      { until: '2026-12-01' },
    ]);
  });

  test('promises nothing for a line without a known day', () => {
    const { lines } = judgeOn('2099-01-01', [release('1.0'), release('1.1')], { support });

    expect(lines.map(({ state }) => state)).toEqual(['no-promise', 'no-promise']);
  });
});

describe('latest-lines', () => {
  const support = { policy: 'latest-lines', count: 2 };

  test('deprecates all but the newest lines, from the first days of the newer lines', () => {
    const recorded = [
      release('1.0', '2024-01-01'),
      release('1.0.1', '2025-06-01'),
      release('1.1', '2024-06-01'),
      release('1.2', '2025-01-01'),
    ];

    expect(deprecated(judgeOn('2024-12-31', recorded, { support }))).toEqual([]);
    const then = judgeOn('2025-06-01', recorded, { support });
    expect(deprecated(then)).toEqual(['1.0', '1.0.1']);
    expect(reasonsOf(then, '1.0')).toEqual([
      '2025-01-01: Only the newest 2 release lines of this component are supported.',
    ]);
  });

  test('counts lines without a day', () => {
    const recorded = [release('1.0'), release('1.1'), release('1.2'), release('1.3')];

    expect(deprecated(judgeOn('2025-01-01', recorded, { support }))).toEqual(['1.0', '1.1']);
  });

  test('ignores prereleases and withdrawn lines when counting newer lines', () => {
    const recorded = [
      release('1.0', '2024-01-01'),
      release('2.0', '2025-01-01', { withdrawnSince: '2025-03-01', source: 'npm:x' }),
      release('3.0-rc1', '2025-02-01'),
    ];
    const one = { support: { policy: 'latest-lines', count: 1 } };

    expect(judgeOn('2025-03-01', recorded, one).latest?.version).toBe('1.0');
    expect(judgeOn('2025-02-28', recorded, one).latest?.version).toBe('2.0');
  });

  test.each([
    ['a lower bound', '2025-01-01', { until: '2025-01-01', untilAtMost: '2025-02-01' }],
    ['no lower bound', undefined, { untilAtMost: '2025-02-01' }],
  ])('bounds an end by the observed day of a newer line with %s', (_, notListedOn, phase) => {
    const observed = { timestampKind: 'observed', ...(notListedOn && { notListedOn }) } as const;
    const recorded = [release('1.0'), release('1.1'), release('1.2', '2025-02-01', observed)];

    expect(judgeOn('2025-03-01', recorded, { support }).lines[0]!.phases).toMatchObject([phase]);
  });
});

describe('dated', () => {
  const support = { policy: 'dated', lines: { '2025.1': '2026-10-08', '2025.3': '2027-03-16' } };
  const recorded = [
    release('2024.3', '2024-12-12'),
    release('2025.1', '2025-04-08'),
    release('2025.1.1'),
    release('2025.2', '2025-07-15'),
    release('2025.3', '2025-09-16'),
    release('2026.1', '2026-03-25'),
  ];

  test('deprecates a line from its day on, and everything older than the oldest listed', () => {
    expect(deprecated(judgeOn('2026-10-07', recorded, { support }))).toEqual(['2024.3']);
    const then = judgeOn('2026-10-08', recorded, { support });
    expect(deprecated(then)).toEqual(['2024.3', '2025.1', '2025.1.1']);
    expect(reasonsOf(then, '2024.3')).toEqual([
      '2024.3 is older than 2025.1, the oldest release line whose end of support is stated.',
    ]);
    expect(reasonsOf(then, '2025.1.1')).toEqual(['2026-10-08: End of support of 2025.1: 2026-10-08.']);
  });

  test('ends a line between two listed lines with the next newer one', () => {
    expect(deprecated(judgeOn('2027-03-15', recorded, { support }))).not.toContain('2025.2');
    const then = judgeOn('2027-03-16', recorded, { support });
    expect(reasonsOf(then, '2025.2')).toEqual([
      '2027-03-16: 2025.2 is older than 2025.3. End of support of 2025.3: 2027-03-16.',
    ]);
  });

  test('promises nothing for a line newer than the newest listed', () => {
    const { lines } = judgeOn('2099-01-01', recorded, { support });
    expect(lines.at(-1)).toMatchObject({ name: '2026.1', state: 'no-promise', isSupported: undefined });
  });

  test('accepts lines of one digit group, and leading zeros', () => {
    const byYear = { policy: 'dated', line: 1, lines: { '2025': '2026-10-08' } };
    const padded = { policy: 'dated', lines: { '2025.01': '2026-10-08', '2025.3': '2027-03-16' } };

    expect(deprecated(judgeOn('2026-10-08', recorded, { support: byYear }))).toEqual([
      '2024.3',
      '2025.1',
      '2025.1.1',
      '2025.2',
      '2025.3',
    ]);
    expect(deprecated(judgeOn('2026-10-08', recorded, { support: padded }))).toContain('2025.1');
  });
});

describe('whatever the policy', () => {
  const day = fc
    .date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map(toDay);
  const recorded: fc.Arbitrary<RecordedRelease[]> = fc.uniqueArray(
    fc
      .record({
        groups: fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 3 }),
        at: fc.option(day, { nil: undefined }),
        isObserved: fc.boolean(),
      })
      .map(({ groups, at, isObserved }) =>
        release(groups.join('.'), at, at !== undefined && isObserved ? { timestampKind: 'observed' } : {}),
      ),
    { selector: ({ version }) => version, maxLength: 15 },
  );
  const support = fc.oneof(
    fc.constant({ policy: 'none' }),
    fc.constant({ policy: 'ended' }),
    fc.record({ policy: fc.constant('term'), months: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ policy: fc.constant('latest-lines'), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({
      policy: fc.constant('dated'),
      lines: fc.dictionary(fc.constantFrom('0.1', '1.0', '2.3', '3.3', '4'), day, { minKeys: 1 }),
    }),
  );
  const later = fc.nat({ max: 4000 });

  test('a release stays deprecated once a policy deprecates it', () => {
    fc.assert(
      fc.property(recorded, support, day, later, (releases, policy, on, days) => {
        const first = deprecated(judgeOn(on, releases, { support: policy }));
        const second = deprecated(judgeOn(addDays(on, days), releases, { support: policy }));
        expect(second).toEqual(expect.arrayContaining(first));
      }),
      { numRuns: 1000 },
    );
  });

  test('every release shares the verdict of its line, and the latest is the greatest stable one in use', () => {
    covers(114);
    fc.assert(
      fc.property(recorded, support, day, (releases, policy, on) => {
        const { releases: judged, lines, latest } = judgeOn(on, releases, { support: policy });
        expect(lines.flatMap((line) => line.releases)).toEqual(judged);
        for (const line of lines)
          for (const { isDeprecated } of line.releases) expect(isDeprecated).toBe(line.isSupported === false);
        const inUse = judged.filter(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease);
        expect(latest).toBe(inUse.at(-1));
      }),
    );
  });

  test('the state changes on the announced day and not before', () => {
    fc.assert(
      fc.property(recorded, support, day, (releases, policy, on) => {
        const now = judgeOn(on, releases, { support: policy });
        const next = now.nextChangeOn;
        if (next === undefined) return;
        const known = now.releases.map((release) => release.recorded);
        expect(next > on).toBe(true);
        const verdicts = ({ releases }: Judgement) =>
          releases.map(({ isDeprecated, isSupported }) => ({ isDeprecated, isSupported }));
        expect(verdicts(judgeOn(addDays(next, -1), known, { support: policy }))).toEqual(verdicts(now));
        expect(verdicts(judgeOn(next, known, { support: policy }))).not.toEqual(verdicts(now));
      }),
      { numRuns: 500 },
    );
  });
});
