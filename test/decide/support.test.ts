import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/core/model/dates.ts';
import { sortVersions } from '../../src/core/model/version.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import type { Judgement } from '../../src/decide/judge.ts';
import { createSupportSourceId } from '../../src/core/schemas/definition/source-ids.ts';
import { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { describePolicy } from '../../src/decide/policy-sentences.ts';
import { covers } from '../harness/covers.ts';
import { openGatedIndex } from '../harness/gated-index.ts';
import { deprecated, judgeOn, reasonsOf, release } from '../harness/judging.ts';

describe('none', () => {
  test.each([undefined, { policy: 'none' }])(
    'the policy %j deprecates nothing, however old',
    (support) => {
      const judgement = judgeOn('2099-01-01', [release('1.0', '2001-01-01'), release('2.0')], {
        ...(support && { support }),
      });

      expect(deprecated(judgement)).toEqual([]);
      expect(judgement.latest?.version).toBe('2.0');
      expect(judgement.nextChangeOn).toBeUndefined();
    },
  );
});

describe('ended', () => {
  test.each([
    [{ reason: 'Move to the edge node.' }, 'Move to the edge node.'],
    [{ reason: 'Move on.', url: 'https://example.com/end' }, 'By example.com: Move on.'],
    [{ url: 'https://example.com/end' }, 'End of support: 2026-12-31, by example.com'],
  ])(
    'an ended component with %j deprecates every version now, whatever the day of the end',
    (more, reason) => {
      const support = { policy: 'ended', until: '2026-12-31', ...more };
      const judgement = judgeOn('2026-10-08', [release('1.0'), release('2.0', '2026-10-01')], {
        support,
      });

      expect(deprecated(judgement)).toEqual(['1.0', '2.0']);
      expect(judgement.latest).toBeUndefined();
      expect(reasonsOf(judgement, '2.0')).toEqual([reason]);
    },
  );

  test.each([
    // Deprecated from one day, supported until another.
    [
      '2026-05-31',
      { deprecatedFrom: '2026-06-01', until: '2026-12-31' },
      false,
      true,
      '2026-06-01',
    ],
    ['2026-06-01', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, true, '2027-01-01'],
    ['2026-12-30', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, true, '2027-01-01'],
    ['2026-12-31', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, true, '2027-01-01'],
    ['2027-01-01', { deprecatedFrom: '2026-06-01', until: '2026-12-31' }, true, false, undefined],
    // Without a first day, from the beginning.
    ['2026-06-01', { until: '2026-12-31' }, true, true, '2027-01-01'],
    ['2027-06-01', { until: '2026-12-31' }, true, false, undefined],
    ['2026-06-01', {}, true, false, undefined],
    // Without a last day, support has ended on a day that nobody states.
    ['2026-05-31', { deprecatedFrom: '2026-06-01' }, false, false, '2026-06-01'],
    ['2026-06-01', { deprecatedFrom: '2026-06-01' }, true, false, undefined],
  ])(
    'an ended component on %s, %j: deprecated %s, supported %s, next %s',
    (day, days, isDeprecated, isSupported, next) => {
      const judgement = judgeOn(day, [release('1.0', '2020-01-01')], {
        support: { policy: 'ended', ...days },
      });

      expect(judgement.releases[0]).toMatchObject({ isDeprecated, isSupported });
      expect(judgement.nextChangeOn).toBe(next);
      expect(judgement.lines[0]!.phases[0]!.isOver).toBe('until' in days ? undefined : true);
    },
  );
});

describe('term', () => {
  const support = { policy: 'term', months: 18 };

  test('a term deprecates a line the given number of months after its first release', () => {
    const recorded = [
      release('2025.1', '2025-04-08'),
      release('2025.1.1', '2026-09-01'),
      release('2025.2', '2025-07-15'),
    ];

    const before = judgeOn('2026-10-08', recorded, { support });
    const then = judgeOn('2026-10-09', recorded, { support });

    expect(deprecated(before)).toEqual([]);
    expect(before.nextChangeOn).toBe('2026-10-09');
    expect(deprecated(then)).toEqual(['2025.1', '2025.1.1']);
    expect(then.latest?.version).toBe('2025.2');
    expect(then.nextChangeOn).toBe('2027-01-16');
    expect(reasonsOf(then, '2025.1.1')).toEqual([
      '2026-10-09: 2025-04-08, by the vendor; 18 months, by the definition',
    ]);
  });

  test('a term uses only the first digit group as the line if the definition says so', () => {
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

  const observed = { timestampKind: 'observed', firstSeen: '2026-11-20' } as const;
  test.each<[string, Day, RecordedRelease[], object[]]>([
    [
      'of a line without a day is bounded by the earliest day of a newer line',
      '2021-07-02',
      [release('1.0'), release('1.1', '2021-01-01'), release('1.2', '2020-01-01'), release('1.3')],
      [
        { state: 'ended', phases: [{ name: 'support', untilAtMost: '2021-07-01' }] },
        { state: 'supported' },
        { state: 'ended', phases: [{ until: '2021-07-01' }] },
        { state: 'no-promise', isSupported: undefined },
      ],
    ],
    [
      'may have passed up to its latest possible day',
      '2021-07-01',
      [release('1.0'), release('1.2', '2020-01-01')],
      [{ state: 'may-have-ended', isSupported: undefined }, { state: 'ends-soon' }],
    ],
    [
      'of an observed line is bounded by the day it was seen',
      '2026-11-22',
      [release('1.0', '2026-11-22', { timestampKind: 'observed' })],
      [{ state: 'may-have-ended', phases: [{ untilAtMost: '2028-05-22', isOver: undefined }] }],
    ],
    [
      'of an observed line is also bounded by the last answer that lacked it',
      '2026-11-22',
      [release('1.0', '2026-11-22', { timestampKind: 'observed', notListedOn: '2026-11-01' })],
      [{ state: 'supported', phases: [{ until: '2028-05-01', untilAtMost: '2028-05-22' }] }],
    ],
    [
      'of an observed line is no earlier than that of the line before',
      '2027-12-31',
      [
        release('2026.2', '2026-06-30'),
        release('2026.2.1', '2026-07-19', observed),
        release('2026.3', '2026-11-20', observed),
      ],
      [
        { state: 'ended', began: { from: '2026-06-30' } },
        {
          state: 'may-have-ended',
          began: { from: '2026-06-30', atMost: '2026-11-20' },
          phases: [{ until: '2027-12-30', untilAtMost: '2028-05-20' }],
        },
      ],
    ],
    [
      'of a line that was only seen recently is that of a newer line',
      '2026-11-20',
      [
        release('2016.0', '2026-11-01', { timestampKind: 'observed' }),
        release('2022.1', '2022-03-16'),
      ],
      [{ state: 'ended' }, { state: 'ended' }],
    ],
    [
      'is later for an older line if upstream states that it began later',
      '2026-06-01',
      [release('1.0', '2026-01-01'), release('2.0', '2024-01-01')],
      [{ state: 'supported' }, { state: 'ended' }],
    ],
    [
      'counts from the first stable release',
      '2026-07-01',
      [release('1.0-rc1', '2025-01-01'), release('1.0', '2025-06-01')],
      [{ phases: [{ until: '2026-12-01', isOver: undefined }] }],
    ],
  ])('the end of a term %s', (_, day, recorded, lines) => {
    expect(judgeOn(day, recorded, { support }).lines).toMatchObject(lines);
  });

  test('a term says in its reason that only the latest possible first day is known', () => {
    const judgement = judgeOn('2021-07-02', [release('1.0'), release('1.1', '2020-01-01')], {
      support,
    });

    expect(reasonsOf(judgement, '1.0')).toEqual([
      '2021-07-02: on or before 2020-01-01, observed; 18 months, by the definition',
    ]);
  });
});

test('an end is exact where its bounds are one day, and its first day is observed', () => {
  const observed = { timestampKind: 'observed', notListedOn: '2026-01-30' } as const;
  const sameMonth = [release('1.0', '2026-01-31', observed)];
  const sameDay = [release('1.0', '2026-01-30'), release('1.1', '2026-01-30', observed)];
  const support = { policy: 'term', months: 1 };
  const endOf = (recorded: typeof sameDay) =>
    judgeOn('2026-02-01', recorded, { support }).lines.at(-1)!.phases[0];

  expect(endOf(sameMonth)).toMatchObject({ until: '2026-02-28', untilAtMost: undefined });
  expect(endOf(sameDay)).toMatchObject({
    until: '2026-02-28',
    untilAtMost: undefined,
    reason: { text: '2026-01-30, observed; one month, by the definition' },
  });
});

describe('latest-lines', () => {
  const support = { policy: 'latest-lines', count: 2 };

  test('a policy of newest lines deprecates all others from the first days of the newer lines', () => {
    const recorded = [
      release('1.0', '2024-01-01'),
      release('1.0.1', '2025-06-01'),
      release('1.1', '2024-06-01'),
      release('1.2', '2025-01-01'),
    ];

    expect(deprecated(judgeOn('2025-01-01', recorded, { support }))).toEqual([]);
    const then = judgeOn('2025-06-01', recorded, { support });
    expect(deprecated(then)).toEqual(['1.0', '1.0.1']);
    expect(then.lines[0]!.phases).toMatchObject([{ until: '2025-01-01', untilAtMost: undefined }]);
    expect(reasonsOf(then, '1.0')).toEqual([
      '2025-01-02: Only the newest 2 release lines are supported, by the definition',
    ]);
  });

  test('a policy of newest lines counts lines without a day', () => {
    const recorded = ['1.0', '1.1', '1.2', '1.3'].map((version) => release(version));

    expect(deprecated(judgeOn('2025-01-01', recorded, { support }))).toEqual(['1.0', '1.1']);
  });

  test('a policy of newest lines knows no end where one of the newer lines began on an unknown day', () => {
    const recorded = [release('1.0', '2024-01-01'), release('1.1', '2025-02-01'), release('1.2')];

    expect(judgeOn('2025-03-01', recorded, { support }).lines[0]!.phases).toMatchObject([
      { until: undefined, untilAtMost: undefined },
    ]);
  });

  test('a policy of newest lines knows nothing of an end some months after an unknown day', () => {
    const recorded = [release('1.0', '2024-01-01'), release('1.1', '2025-02-01'), release('1.2')];
    const [line] = judgeOn('2025-03-01', recorded, { support: { ...support, months: 3 } }).lines;

    expect(line).toMatchObject({ phases: [], state: 'no-promise' });
  });

  test('a policy of newest lines counts first days in their order, whatever the versions', () => {
    const recorded = [
      release('1.0', '2024-01-01'),
      release('1.1', '2025-03-01'),
      release('1.2', '2025-01-01'),
      release('1.3', '2025-02-01'),
    ];

    const { lines } = judgeOn('2026-01-01', recorded, { support });
    expect(lines.map(({ phases }) => phases.map(({ until }) => until))).toEqual([
      ['2025-02-01'],
      ['2025-02-01'],
      [undefined],
      [undefined],
    ]);
  });

  test('a policy of newest lines names the line that one more line would end', () => {
    const recorded = ['1.0', '1.1', '1.2'].map((version) => release(version, '2025-01-01'));
    const listUndated = (more: object) =>
      judgeOn('2026-01-01', recorded, { support: { ...support, ...more } }).lines.map(
        ({ undatedEnd }) => undatedEnd,
      );

    expect(listUndated({})).toEqual([undefined, 'ends with the next line', undefined]);
    expect(listUndated({ months: 1 })).toEqual([undefined, undefined, undefined]);
  });

  test('a policy of newest lines ignores prereleases and withdrawn lines', () => {
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
    ['no lower bound', undefined, { until: undefined, untilAtMost: '2025-02-01' }],
  ])(
    'a policy of newest lines bounds an end by the observed day of a newer line with %s',
    (_, notListedOn, phase) => {
      const observed = { timestampKind: 'observed', ...(notListedOn && { notListedOn }) } as const;
      const recorded = [release('1.0'), release('1.1'), release('1.2', '2025-02-01', observed)];

      expect(judgeOn('2025-03-01', recorded, { support }).lines[0]!.phases).toMatchObject([phase]);
    },
  );
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

  test('a policy of stated days deprecates a line after its day, and all that is older than the listed ones', () => {
    expect(deprecated(judgeOn('2026-10-08', recorded, { support }))).toEqual(['2024.3']);
    const then = judgeOn('2026-10-09', recorded, { support });
    expect(deprecated(then)).toEqual(['2024.3', '2025.1', '2025.1.1']);
    expect(reasonsOf(then, '2024.3')).toEqual([
      '2024.3 is older than 2025.1, the oldest release line whose support is stated.',
    ]);
    expect(reasonsOf(then, '2025.1.1')).toEqual([
      '2026-10-09: End of support of 2025.1: 2026-10-08, by the definition',
    ]);
  });

  test('a policy of stated days ends a line between two listed lines with the next newer one', () => {
    expect(deprecated(judgeOn('2027-03-16', recorded, { support }))).not.toContain('2025.2');
    const then = judgeOn('2027-03-17', recorded, { support });
    expect(reasonsOf(then, '2025.2')).toEqual([
      '2027-03-17: 2025.2 is older than 2025.3. End of support of 2025.3: 2027-03-16, by the definition',
    ]);
  });

  test('a policy of stated days promises nothing for a line newer than the newest listed', () => {
    const { lines } = judgeOn('2099-01-01', recorded, { support });
    expect(lines.at(-1)).toMatchObject({
      name: '2026.1',
      state: 'no-promise',
      isSupported: undefined,
    });
  });

  test('a policy of stated days accepts lines of one digit group, and leading zeros', () => {
    const byYear = { policy: 'dated', line: 1, lines: { '2025': '2026-10-08' } };
    const padded = { policy: 'dated', lines: { '2025.01': '2026-10-08', '2025.3': '2027-03-16' } };

    expect(deprecated(judgeOn('2026-10-09', recorded, { support: byYear }))).toEqual([
      '2024.3',
      '2025.1',
      '2025.1.1',
      '2025.2',
      '2025.3',
    ]);
    expect(deprecated(judgeOn('2026-10-09', recorded, { support: padded }))).toContain('2025.1');
  });
});

describe('stated', () => {
  test('a stated end that moves is an event with its source as the reason', () => {
    const index = openGatedIndex({
      support: { policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } },
    });
    const stating = (until: Day) => ({
      releases: ['1.0'],
      lines: [
        {
          line: '1.0',
          phases: [
            { name: 'active', until: '2026-12-31' },
            { name: 'security', until },
          ],
        },
      ],
    });
    index.run('2026-06-01', stating('2027-10-28'));

    const { events } = index.run('2026-06-02', stating('2028-10-28'));

    expect(events).toMatchObject([
      {
        ...{ type: 'support-moved', line: '1.0', from: '2027-10-28', to: '2028-10-28' },
        reason: 'End of phase security of 1.0: 2028-10-28, by endoflife.date',
      },
    ]);
  });
});

test.each<[what: string, support: object, releases: RecordedRelease[], reason: string]>([
  [
    'the first release of a definition',
    { policy: 'term', months: 12 },
    [
      release('1.0', '2025-01-01', { source: 'static' }),
      release('1.0.1', '2025-02-01', { source: 'npm:svc' }),
    ],
    '2026-01-02: 2025-01-01, by the definition; 12 months, by the definition',
  ],
  [
    'the first release of a vendor',
    { policy: 'term', months: 12 },
    [
      release('1.0', '2025-01-01', { source: 'npm:svc' }),
      release('1.0.1', '2025-02-01', { source: 'static' }),
    ],
    '2026-01-02: 2025-01-01, by the vendor; 12 months, by the definition',
  ],
  [
    'the release with the first day, whatever its version',
    { policy: 'term', months: 12 },
    [
      release('1.0', '2025-02-01', { source: 'static' }),
      release('1.0.1', '2025-01-01', { source: 'npm:svc' }),
    ],
    '2026-01-02: 2025-01-01, by the vendor; 12 months, by the definition',
  ],
  [
    'the first stable release, not a prerelease of its day',
    { policy: 'term', months: 12 },
    [
      release('1.0-rc1', '2025-01-01', { source: 'static' }),
      release('1.0', '2025-01-01', { source: 'npm:svc' }),
    ],
    '2026-01-02: 2025-01-01, by the vendor; 12 months, by the definition',
  ],
  ['an end without a day', { policy: 'ended' }, [release('1.0')], 'Support has ended'],
])('the reason of an end names %s', (_, support, releases, reason) => {
  expect(reasonsOf(judgeOn('2026-06-01', releases, { support }), '1.0')).toEqual([reason]);
});

test('a line is older than the oldest stated line, even if no end of that one is known', () => {
  const support = SupportPolicy.parse({
    ...{ policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } },
  });
  const source = createSupportSourceId(support)!;
  const lines = [{ line: '2.0', source, phases: [{ name: 'support' }] }];
  const judged = judgeOn('2026-06-01', [release('1.0'), release('2.0')], { support }, lines);

  expect(reasonsOf(judged, '1.0')).toEqual([
    '1.0 is older than 2.0, the oldest release line whose support is stated.',
  ]);
});

test('long-term support is of the line that a policy names in whatever spelling', () => {
  const support = SupportPolicy.parse({
    ...{ policy: 'dated', lines: { '24.04': '2029-04-30' }, lts: { lines: ['24.4'] } },
  });
  const { lines } = judgeOn('2026-06-01', [release('24.04.1'), release('24.10.1')], { support });

  expect(lines.map(({ name, isLts }) => [name, isLts])).toEqual([
    ['24.04', true],
    ['24.10', undefined],
  ]);
});

test('a source of ends states long-term support, and its page is linked where it is https', () => {
  const judgeFrom = (registryUrl: string) => {
    const support = SupportPolicy.parse({
      ...{ policy: 'stated', source: { datasource: 'endoflife-date', product: 'x', registryUrl } },
    });
    const source = createSupportSourceId(support)!;
    const phases = [{ name: 'support', until: '2027-12-31' }];
    const lts: Record<string, object> = { '1.1': { lts: true }, '1.2': { lts: '2026-10-01' } };
    return judgeOn(
      '2026-06-01',
      ['1.0', '1.1', '1.2'].map((version) => release(version)),
      { support },
      ['1.0', '1.1', '1.2'].map((line) => ({
        ...{ line, source, phases, ...lts[line] },
      })),
    ).lines;
  };
  const lines = judgeFrom('https://ends.example.com/api/');

  expect(lines.map(({ isLts, ltsFrom }) => [isLts, ltsFrom])).toEqual([
    [undefined, undefined],
    [true, undefined],
    [true, '2026-10-01'],
  ]);
  expect(lines[0]!.reason).toMatchObject({
    text: 'End of support of 1.0: 2027-12-31, by ends.example.com',
    url: 'https://ends.example.com/api/',
  });
  expect(judgeFrom('http://127.0.0.1/')[0]!.reason!.url).toBeUndefined();
});

test('the ends of a source count in version order, whatever its own, and may be bounds', () => {
  const source = 'support endoflife-date:x';
  const support = { policy: 'stated', source: { datasource: 'endoflife-date', product: 'x' } };
  const line = (name: string, days: object) => ({
    ...{ line: name, source, phases: [{ name: 'support', ...days }] },
  });
  const lines = [
    line('1.3', { until: '2028-01-01' }),
    line('1.1', { untilAtMost: '2026-05-31' }),
    line('1.2', {}),
    line('1.0', { isOver: true }),
  ];
  const releases = ['1.0', '1.1', '1.2', '1.3'].map((version) => release(version));
  const judgement = judgeOn('2026-06-01', releases, { support }, lines as never);

  expect(judgement.lines.map(({ name, state }) => [name, state])).toEqual([
    ['1.0', 'ended'],
    ['1.1', 'ended'],
    ['1.2', 'supported'],
    ['1.3', 'supported'],
  ]);
  expect(reasonsOf(judgement, '1.0')).toEqual([
    'End of support of 1.0: in the past, by endoflife.date',
  ]);
  expect(reasonsOf(judgement, '1.1')).toEqual([
    '2026-06-01: End of support of 1.1: on or before 2026-05-31, by endoflife.date',
  ]);
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
        release(
          groups.join('.'),
          at,
          at !== undefined && isObserved ? { timestampKind: 'observed' } : {},
        ),
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

  test('whatever the policy, a release stays deprecated once a policy deprecates it', () => {
    fc.assert(
      fc.property(recorded, support, day, later, (releases, policy, on, days) => {
        const first = deprecated(judgeOn(on, releases, { support: policy }));
        const second = deprecated(judgeOn(addDays(on, days), releases, { support: policy }));
        expect(second).toEqual(expect.arrayContaining(first));
      }),
      { numRuns: 1000 },
    );
  });

  test('whatever the policy, releases share the verdict of their line, and the latest is stable and in use', () => {
    covers('A newest release may be deprecated');
    fc.assert(
      fc.property(recorded, support, day, (releases, policy, on) => {
        const { releases: judged, lines, latest } = judgeOn(on, releases, { support: policy });
        // A line may be inside another, such as 1.0 in 1.
        expect(judged.map(({ version }) => version)).toEqual(
          sortVersions(lines.flatMap((line) => line.releases)).map(({ text }) => text),
        );
        for (const line of lines) {
          for (const { isDeprecated } of line.releases) {
            expect(isDeprecated).toBe(line.isSupported === false);
          }
        }
        const inUse = judged.filter(
          ({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease,
        );
        expect(latest).toBe(inUse.at(-1));
      }),
    );
  });

  test('whatever the policy, the state changes on the announced day and not before', () => {
    fc.assert(
      fc.property(recorded, support, day, (releases, policy, on) => {
        const now = judgeOn(on, releases, { support: policy });
        const next = now.nextChangeOn;
        if (next === undefined) {
          return;
        }
        const known = now.releases.map((release) => release.recorded);
        expect(next > on).toBe(true);
        const verdicts = ({ releases, lines }: Judgement) => [
          ...releases.map(({ isDeprecated, isSupported }) => ({ isDeprecated, isSupported })),
          ...lines.filter((line) => line.releases.length === 0).map((line) => line.isSupported),
        ];
        expect(verdicts(judgeOn(addDays(next, -1), known, { support: policy }))).toEqual(
          verdicts(now),
        );
        expect(verdicts(judgeOn(next, known, { support: policy }))).not.toEqual(verdicts(now));
      }),
      { numRuns: 500 },
    );
  });
});

const inPhases = (length: 'months' | 'count') => [
  { name: 'active', [length]: 1 },
  { name: 'security', [length]: 3 },
];

test.each<[object, string]>([
  [{ policy: 'none' }, 'No end of support is stated.'],
  [{ policy: 'ended' }, 'Support of this component has ended. Every release is deprecated.'],
  [
    { policy: 'ended', until: '2026-12-31' },
    'End of support of this component: 2026-12-31. Every release is deprecated.',
  ],
  [
    { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2027-01-01' },
    'End of support of this component: 2026-12-31.',
  ],
  [
    { policy: 'ended', until: '2026-12-31', deprecatedFrom: '2026-06-01' },
    'End of support of this component: 2026-12-31. Every release is deprecated from 2026-06-01 on.',
  ],
  [
    { policy: 'term', months: 18 },
    'A release line is supported for 18 months from its first release.',
  ],
  [
    { policy: 'term', months: 6, lts: { lines: ['1.4'], phases: inPhases('months') } },
    'A release line is supported for 6 months from its first release. With long-term support, in months: active until 1, security until 3.',
  ],
  [{ policy: 'latest-lines', count: 1 }, 'Only the newest release line is supported.'],
  [
    { policy: 'latest-lines', count: 2, months: 3 },
    'The newest 2 release lines are supported, and older ones for 3 months.',
  ],
  [
    { policy: 'latest-lines', phases: inPhases('count') },
    'The phases of the newest release lines: active for 1, security for 3.',
  ],
  [
    { policy: 'latest-lines', count: 1, lts: { lines: ['1.4'], phases: inPhases('count') } },
    'Only the newest release line is supported. Of those with long-term support: active for 1, security for 3.',
  ],
  [
    { policy: 'dated', lines: { '1.0': '2026-12-31' } },
    'The support of each release line ends on a stated day.',
  ],
  [
    { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } },
    'The support of each release line ends as endoflife.date states.',
  ],
])('the policy %j is told in words', (policy, words) => {
  expect(describePolicy(SupportPolicy.parse(policy))).toBe(words);
});

const five = ['1.0', '1.1', '1.2', '1.3', '1.4'].map((version) => release(version, '2025-01-01'));

test.each<[object, string, string]>([
  [
    { count: 1, months: 3 },
    '1.0',
    'Only the newest release line is supported, older ones for 3 months, by the definition.',
  ],
  [
    { phases: inPhases('count') },
    '1.0',
    'Only the newest 3 release lines have phase security, by the definition.',
  ],
  [
    {
      phases: [
        { name: 'active', count: 1 },
        { name: 'security', count: 2 },
      ],
    },
    '1.0',
    'Only the newest 2 release lines have phase security, by the definition.',
  ],
  [
    { count: 1, lts: { lines: '/./', phases: [{ name: 'support', count: 2 }] } },
    '1.0',
    'Only the newest 2 release lines with long-term support are supported, by the definition.',
  ],
])('the count %j is the reason of an end', (more, version, words) => {
  const judgement = judgeOn('2026-06-01', five, {
    support: { policy: 'latest-lines', inferred: undefined, ...more },
  });
  const line = judgement.lines.find(({ name }) => name === version)!;

  expect(`${line.reason!.text}.`).toBe(words);
});
