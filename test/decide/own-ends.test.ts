import { describe, expect, test } from 'vitest';
import type { Day } from '../../src/core/model/dates.ts';
import { findLastFreePhase, findPhaseOn } from '../../src/core/model/phases.ts';
import { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { applyOwnEnd } from '../../src/decide/planned-phases.ts';
import { describePolicy } from '../../src/decide/policy-sentences.ts';
import { judgeOn, release } from '../harness/judging.ts';

// Vendors publish a rule and exceptions from it: the definition says both, and so does the index.

const day = '2026-11-23';
const recorded = [
  release('2024.3', '2024-12-12'),
  release('2025.1', '2025-04-08'),
  release('2025.2', '2025-07-15'),
];
const url = 'https://example.com/news';
const reason = 'The move takes longer.';

const source = { datasource: 'endoflife-date', product: 'svc' };
const statedLines = ['2024.3', '2025.1', '2025.2'].map((line, index) => ({
  line,
  source: 'support endoflife-date:svc',
  phases: [{ name: 'support', until: `2026-0${index + 6}-30` }],
}));

/** The end of each line, whether it is inferred, and why it ends then. */
function endsBy(support: object, on: Day = day) {
  const parsed = SupportPolicy.parse(support);
  return judgeOn(on, recorded, { support: parsed }, statedLines).lines.map((line) => [
    line.name,
    findLastFreePhase(line.phases)?.until,
    line.inferred,
    line.reason?.text,
  ]);
}

describe('lines beside a policy', () => {
  test.each<[string, object, [Day | undefined, string | undefined]]>([
    [
      'a later day beside a term',
      { policy: 'term', months: 18, lines: { '2025.1': '2026-12-31' } },
      [
        '2026-12-31',
        '2025-04-08, by the vendor; 18 months, by the definition; extended to 2026-12-31, by the definition',
      ],
    ],
    [
      'an earlier day beside a term, with reason and address',
      { policy: 'term', months: 18, lines: { '2025.1': { until: '2026-01-31', reason, url } } },
      [
        '2026-01-31',
        '2025-04-08, by the vendor; 18 months, by the definition; shortened to 2026-01-31, by example.com: The move takes longer.',
      ],
    ],
    [
      'the same day beside a term',
      { policy: 'term', months: 18, lines: { '2025.1': '2026-10-08' } },
      [
        '2026-10-08',
        '2025-04-08, by the vendor; 18 months, by the definition; until 2026-10-08, by the definition',
      ],
    ],
    [
      'a day beside no policy',
      { policy: 'none', lines: { '2025.1': { until: '2026-12-31', url } } },
      ['2026-12-31', 'No end of support is stated; until 2026-12-31, by example.com'],
    ],
    [
      'a day beside the newest lines',
      { policy: 'latest-lines', count: 1, lines: { '2025.1': '2026-12-31' } },
      [
        '2026-12-31',
        'Only the newest release line is supported, by the definition; extended to 2026-12-31, by the definition',
      ],
    ],
    [
      'a day beside an end of all',
      { policy: 'ended', until: '2026-06-30', lines: { '2025.1': '2026-12-31' } },
      [
        '2026-12-31',
        'End of support: 2026-06-30, by the definition; extended to 2026-12-31, by the definition',
      ],
    ],
    [
      'a day beside the ends of a source',
      { policy: 'stated', source, lines: { '2025.1': '2026-12-31' } },
      [
        '2026-12-31',
        'End of support of 2025.1: 2026-07-30, by endoflife.date; extended to 2026-12-31, by the definition',
      ],
    ],
    [
      'a day whose reason has the form of terms',
      {
        policy: 'term',
        months: 18,
        lines: { '2025.1': { until: '2026-12-31', reason: 'Moved; see the notes, inferred' } },
      },
      [
        '2026-12-31',
        '2025-04-08, by the vendor; 18 months, by the definition; extended to 2026-12-31, by the definition: Moved; see the notes, inferred.',
      ],
    ],
    [
      'a day beside an end of all in the words of a person',
      { policy: 'ended', until: '2026-06-30', reason: 'Old', lines: { '2025.1': '2026-12-31' } },
      ['2026-12-31', 'Old. Extended to 2026-12-31, by the definition.'],
    ],
  ])('%s is an end of its own', (_, support, [until, text]) => {
    const [, own] = endsBy(support);

    expect(own).toEqual(['2025.1', until, undefined, text]);
  });

  test('other lines keep the rule, and the policy names both', () => {
    const support = { policy: 'term', months: 18, lines: { '2025.1': '2026-12-31' } };

    expect(endsBy(support).map(([, until]) => until)).toEqual([
      '2026-06-12',
      '2026-12-31',
      '2027-01-15',
    ]);
    expect(describePolicy(SupportPolicy.parse(support))).toBe(
      'A release line is supported for 18 months from its first release. By exception: 2025.1 until 2026-12-31.',
    );
  });

  test('the policy names the ends of lines in version order', () => {
    const lines = { '2025.10': '2027-12-31', '2025.2': '2026-12-31', '2025.1': '2026-06-30' };

    expect(describePolicy(SupportPolicy.parse({ policy: 'none', lines }))).toBe(
      'No end of support is stated. By exception: 2025.1 until 2026-06-30, 2025.2 until 2026-12-31, 2025.10 until 2027-12-31.',
    );
  });

  test('a line without releases is published with its end, in version order', () => {
    const support = { policy: 'term', months: 18, lines: { '2024.2': '2027-01-31' } };

    expect(endsBy(support)[0]?.slice(0, 2)).toEqual(['2024.2', '2027-01-31']);
  });

  test('the last phase that is not paid gets the end: earlier ones end no later, and paid ones follow only beyond it', () => {
    const phases = [
      { name: 'active', months: 12 },
      { name: 'security', months: 18 },
      { name: 'extended', months: 36, paid: true },
    ];
    const phasesUntil = (until: Day) => {
      const support = SupportPolicy.parse({ policy: 'term', phases, lines: { '2025.1': until } });
      const line = judgeOn(day, recorded, { support }).lines.find(({ name }) => name === '2025.1');
      return line!.phases.map((phase) => `${phase.name} ${phase.until}`);
    };

    expect(phasesUntil('2026-01-31')).toEqual([
      'active 2026-01-31',
      'security 2026-01-31',
      'extended 2028-04-08',
    ]);
    expect(phasesUntil('2028-12-31')).toEqual(['active 2026-04-08', 'security 2028-12-31']);
  });

  test('an earlier phase without an end by the rule ends with the line, and a phase that is over stays', () => {
    const support = SupportPolicy.parse({
      policy: 'latest-lines',
      phases: [
        { name: 'active', count: 1 },
        { name: 'security', count: 2 },
      ],
      lines: { '2025.2': '2026-12-31' },
    });
    const { phases } = judgeOn(day, recorded, { support }).lines.at(-1)!;
    const isOver = { name: 'active', isOver: true } as const;

    expect(phases.map(({ name, until }) => `${name} ${until}`)).toEqual([
      'active 2026-12-31',
      'security 2026-12-31',
    ]);
    expect(findPhaseOn(phases, '2026-12-31')?.name).toBe('active');
    expect(findPhaseOn(phases, '2027-01-01')).toBeUndefined();
    expect(applyOwnEnd({ until: day }, [isOver, { name: 'security' }], 'Months')[0]).toBe(isOver);
  });

  test.each([
    [{ '2025.01': '2026-12-31' }, 2, 'expected the name of a line, 2025.1'],
    [{ '2025.1': '2026-12-31' }, 1, 'expected the name of a line, 2025'],
  ])('a name that is no line is rejected: %j with %i digit groups', (lines, groups, message) => {
    const { error } = SupportPolicy.safeParse({ policy: 'term', months: 18, line: groups, lines });

    expect(error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  test.each([
    [{ policy: 'dated', lines: { '24.04': day, '24.4': day } }, ['expected each line once']],
    [{ policy: 'dated', lines: { '24.4': day }, line: 1 }, ['expected the name of a line, 24']],
    [{ policy: 'dated', lines: { '24.04': day, 25: day } }, undefined],
    [
      { policy: 'stated', source, lines: { '24.04': day, '24.4': day } },
      ['expected each line once'],
    ],
    [{ policy: 'stated', source, lines: { '24.04': day }, line: 1 }, undefined],
  ])('a vendor may write a line with zeros, but only once: %j', (policy, messages) => {
    const { error } = SupportPolicy.safeParse(policy);

    expect(error?.issues.map((issue) => issue.message)).toEqual(messages);
  });
});

describe('a rule that nobody stated', () => {
  const inferred = 'Two ends fit it.';

  test('makes every end inferred that rests on it, and no other', () => {
    const support = { policy: 'term', months: 18, inferred, lines: { '2025.1': '2026-12-31' } };

    expect(endsBy(support)).toEqual([
      ['2024.3', '2026-06-12', true, '2024-12-12, by the vendor; 18 months, inferred'],
      [
        '2025.1',
        '2026-12-31',
        undefined,
        '2025-04-08, by the vendor; 18 months, inferred; extended to 2026-12-31, by the definition',
      ],
      ['2025.2', '2027-01-15', true, '2025-07-15, by the vendor; 18 months, inferred'],
    ]);
    expect(describePolicy(SupportPolicy.parse(support))).toContain(' Inferred: Two ends fit it.');
  });

  test('makes no end inferred where it gives a line none', () => {
    const support = { policy: 'latest-lines', count: 2, inferred };

    expect(endsBy(support).map(([line, , isInferred]) => [line, isInferred])).toEqual([
      ['2024.3', true],
      ['2025.1', undefined],
      ['2025.2', undefined],
    ]);
  });

  test('a rule with an address names its host as the origin, and links it', () => {
    const support = SupportPolicy.parse({ policy: 'term', months: 18, url });
    const [line] = judgeOn(day, recorded, { support }).lines;

    expect(line).toMatchObject({
      inferred: undefined,
      reason: { text: '2024-12-12, by the vendor; 18 months, by example.com', url },
    });
  });
});

test('a line beyond the newest ones stays supported for the months that the policy adds', () => {
  const support = { policy: 'latest-lines', count: 2, months: 1 };

  expect(endsBy(support).map(([line, until]) => [line, until])).toEqual([
    ['2024.3', '2025-08-15'],
    ['2025.1', undefined],
    ['2025.2', undefined],
  ]);
  expect(describePolicy(SupportPolicy.parse(support))).toBe(
    'The newest 2 release lines are supported, and older ones for one month.',
  );
});

test.each<[paidUntil: Day, names: string[]]>([
  ['2026-06-30', ['support']],
  ['2026-07-01', ['support', 'extended']],
])('a paid phase until %s follows an end on 2026-06-30 only if it ends later', (until, names) => {
  const phases = [
    { name: 'support', until: '2026-01-31' },
    { name: 'extended', paid: true, until } as const,
  ];
  const ended = applyOwnEnd({ until: '2026-06-30', url }, phases, 'Months');

  expect(ended.map(({ name }) => name)).toEqual(names);
  expect(ended[0]!.reason!.text).toBe('Months; extended to 2026-06-30, by example.com');
});

test.each([
  ['2026-03-31', { until: '2026-03-31' }, '12 months; shortened to 2026-03-31, by the definition'],
  ['2026-05-01', { until: '2026-05-01' }, '12 months; until 2026-05-01, by the definition'],
  [
    '2026-07-31',
    { until: '2026-05-01', untilAtMost: '2026-07-31' },
    '12 months; until 2026-07-31, by the definition',
  ],
  ['2026-09-01', { until: '2026-05-01', untilAtMost: '2026-09-01' }, '12 months'],
  ['2026-09-30', { until: '2026-05-01', untilAtMost: '2026-09-01' }, '12 months'],
])(
  'an end on %s leaves an earlier phase the last day %j, and the reason is %s',
  (day, range, text) => {
    const active = {
      name: 'active',
      until: '2026-05-01',
      untilAtMost: '2026-09-01',
      reason: { rule: 'support policy', text: '12 months' },
    } as const;
    const security = { name: 'security', until: '2027-05-01', untilAtMost: '2027-09-01' };
    const [ended] = applyOwnEnd({ until: day }, [active, security], 'Months');
    const { name, until, untilAtMost, reason: endReason } = ended!;

    expect({ name, until, untilAtMost }).toEqual({ name: 'active', ...range });
    expect(endReason!.text).toBe(text);
  },
);

test('an end of its own is of the line that the source states, in whatever spelling', () => {
  const support = SupportPolicy.parse({
    policy: 'stated',
    source,
    lines: { '24.4': '2027-01-01' },
  });
  const phases = [{ name: 'support', until: '2026-04-30' }];
  const stated = [{ line: '24.04', source: 'support endoflife-date:svc', phases }];
  const { lines } = judgeOn(day, [release('24.04.1', '2024-04-25')], { support }, stated);

  expect(lines.map(({ name }) => name)).toEqual(['24.04']);
  expect(findLastFreePhase(lines[0]!.phases)?.until).toBe('2027-01-01');
});
