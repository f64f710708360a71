import { expect, test } from 'vitest';
import type { Day } from '../../src/core/day.ts';
import { judgeOn, lineOf, observed, release, statedPolicy } from '../harness/judging.ts';

type Releases = ReturnType<typeof release>[];

const url = 'https://example.com/rule';
const term = { policy: 'term', months: 18 };
const three = [
  release('1.0', '2024-01-01'),
  release('1.1', '2024-06-01'),
  release('1.2', '2025-01-01'),
];
const undated = ['1.0', '1.1', '1.2', '1.3'].map((version) => release(version));
const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];
const counts = [
  { name: 'active', count: 1 },
  { name: 'security', count: 2 },
];

/** `2025-01-01`, `2025-01-01 to 2025-02-01`, `to 2025-02-01`; `-` where no end is known. */
function endsBy(
  support: object | undefined,
  releases: Releases,
  recorded = {},
  day = '2026-11-27',
) {
  return judgeOn(day, releases, { support }, recorded).lines.map((line) => {
    const { supportedUntil: from = '', supportedUntilAtMost: atMost } = line;
    return `${line.line}: ${atMost === undefined ? from || '-' : `${from} to ${atMost}`.trim()}`;
  });
}

test.each<[what: string, support: object | undefined, releases: Releases, ends: string[]]>([
  ['none', { policy: 'none' }, three, ['1.0: -', '1.1: -', '1.2: -']],
  [
    'an end of all',
    { policy: 'ended', until: '2026-12-31' },
    three.slice(1),
    ['1.1: 2026-12-31', '1.2: 2026-12-31'],
  ],
  ['an end on an unknown day', { policy: 'ended' }, three.slice(2), ['1.2: -']],
  ['a term', term, three, ['1.0: 2025-07-01', '1.1: 2025-12-01', '1.2: 2026-07-01']],
  [
    'a term from the first stable release',
    term,
    [release('1.0-rc1', '2024-01-01', { isPrerelease: true }), release('1.0', '2024-06-01')],
    ['1.0: 2025-12-01'],
  ],
  [
    'a term of lines of one digit group',
    { ...term, line: 1 },
    [release('1.0', '2024-01-01'), release('1.9', '2025-01-01')],
    ['1: 2025-07-01'],
  ],
  [
    'a term from an observed day',
    term,
    [observed('1.0', '2026-11-22', '2026-11-01')],
    ['1.0: 2028-05-01 to 2028-05-22'],
  ],
  [
    'a term from an observed day, seen with the first answer',
    term,
    [observed('1.0', '2026-11-22')],
    ['1.0: to 2028-05-22'],
  ],
  ['a term from an unknown day', term, [release('1.0')], ['1.0: -']],
  [
    'a term bounded by the earliest day of a newer line',
    term,
    [release('1.0'), release('1.1', '2021-01-01'), release('1.2', '2020-01-01')],
    ['1.0: to 2021-07-01', '1.1: 2022-07-01', '1.2: 2021-07-01'],
  ],
  [
    'phases: the last one that is not paid',
    { policy: 'term', phases },
    three.slice(0, 1),
    ['1.0: 2025-07-01'],
  ],
  [
    'a term with long-term support',
    { ...term, lts: { lines: ['1.1'], phases: [{ name: 'lts', months: 60 }] } },
    three,
    ['1.0: 2025-07-01', '1.1: 2029-06-01', '1.2: 2026-07-01'],
  ],
  [
    'the newest two lines',
    { policy: 'latest-lines', count: 2 },
    three,
    ['1.0: 2025-01-01', '1.1: -', '1.2: -'],
  ],
  [
    'the newest line, and older ones for a month',
    { policy: 'latest-lines', count: 1, months: 1 },
    three,
    ['1.0: 2024-07-01', '1.1: 2025-02-01', '1.2: -'],
  ],
  [
    'the newest lines without days',
    { policy: 'latest-lines', count: 2 },
    undated,
    ['1.0: -', '1.1: -', '1.2: -', '1.3: -'],
  ],
  [
    'the newest lines, whatever the order of their days',
    { policy: 'latest-lines', count: 2 },
    [
      ...[release('1.0', '2024-01-01'), release('1.1', '2025-03-01')],
      ...[release('1.2', '2025-01-01'), release('1.3', '2025-02-01')],
    ],
    ['1.0: 2025-02-01', '1.1: 2025-02-01', '1.2: -', '1.3: -'],
  ],
  [
    'the newest lines, one of an observed day',
    { policy: 'latest-lines', count: 2 },
    [release('1.0'), release('1.1'), observed('1.2', '2025-02-01', '2025-01-01')],
    ['1.0: 2025-01-01 to 2025-02-01', '1.1: -', '1.2: -'],
  ],
  [
    'the newest line, not one that is a prerelease or withdrawn',
    { policy: 'latest-lines', count: 1 },
    [
      release('1.0', '2024-01-01'),
      release('2.0', '2025-01-01', { withdrawnSince: '2025-03-01' }),
      release('3.0-rc1', '2025-02-01'),
    ],
    ['1.0: -', '2.0: -', '3.0: -'],
  ],
  [
    'long-term lines push out others, but others no long-term line',
    {
      ...{ policy: 'latest-lines', count: 1 },
      lts: { lines: '/^1\\.[02]$/', phases: [{ name: 'lts', count: 1 }] },
    },
    three,
    ['1.0: 2025-01-01', '1.1: 2025-01-01', '1.2: -'],
  ],
  [
    'stated days: between two the newer one, older than all over, newer than all open',
    { policy: 'dated', lines: { '1.1': '2026-01-31', '1.3': '2026-12-31' } },
    ['1.0', '1.1', '1.2', '1.3', '1.4'].map((version) => release(version)),
    ['1.0: -', '1.1: 2026-01-31', '1.2: 2026-12-31', '1.3: 2026-12-31', '1.4: -'],
  ],
  [
    'stated days in the spelling of the vendor',
    { policy: 'dated', lines: { '24.04': '2029-04-30' } },
    [release('24.4.1')],
    ['24.04: 2029-04-30'],
  ],
  [
    'an exception of one line',
    { ...term, lines: { '1.1': '2027-12-31' } },
    three,
    ['1.0: 2025-07-01', '1.1: 2027-12-31', '1.2: 2026-07-01'],
  ],
  [
    'an exception of a line without releases',
    { policy: 'none', lines: { '0.9': '2027-12-31' } },
    three.slice(0, 1),
    ['0.9: 2027-12-31', '1.0: -'],
  ],
])('support ends by %s', (_, support, releases, ends) => {
  expect(endsBy(support, releases)).toEqual(ends);
});

test('a source states ends in any order, also bounds and ends on unknown days', () => {
  const lines = [
    { line: '1.3', phases: [{ name: 'support', until: '2028-01-01' }], lts: '2026-12-01' },
    { line: '1.1', phases: [{ name: 'support', untilAtMost: '2026-05-31' }] },
    { line: '1.2', phases: [{ name: 'support' }], lts: true },
    { line: '1.0', phases: [{ name: 'support', isOver: true }] },
  ];
  const component = judgeOn('2026-11-27', undated, { support: statedPolicy }, { lines });

  expect(component.lines).toMatchObject([
    { line: '1.0', state: 'ended', isSupported: false, end: 'ended' },
    { line: '1.1', state: 'ended', end: 'ended by 2026-05-31' },
    { line: '1.2', state: 'supported', isLts: true, end: 'no end announced' },
    {
      line: '1.3',
      state: 'supported',
      isLts: true,
      ltsFrom: '2026-12-01',
      end: 'until 2028-01-01',
    },
  ]);
});

test.each<[what: string, support: object, line: string, reason: string]>([
  [
    'an end',
    { policy: 'ended', until: '2026-12-31' },
    '1.0',
    'Support ends on 2026-12-31, by the definition.',
  ],
  ['an end that is explained', { policy: 'ended', reason: 'Move on', url }, '1.0', 'Move on.'],
  ['a term', term, '1.0', '18 months from its first release, 2024-01-01: by the definition.'],
  [
    'a term of somebody',
    { ...term, url },
    '1.0',
    '18 months from its first release, 2024-01-01: by example.com.',
  ],
  [
    'an inferred term',
    { ...term, inferred: 'It fits.' },
    '1.0',
    '18 months from its first release, 2024-01-01: estimated.',
  ],
  [
    'phases',
    { policy: 'term', phases },
    '1.0',
    '18 months of phase security from its first release, 2024-01-01: by the definition.',
  ],
  [
    'newest lines',
    { policy: 'latest-lines', count: 1, months: 1 },
    '1.0',
    'Only the 1 newest release line has support, and older ones for 1 month: by the definition.',
  ],
  [
    'phases of lines',
    { policy: 'latest-lines', phases: counts },
    '1.0',
    'Only the 2 newest release lines have phase security: by the definition.',
  ],
  [
    'a stated day',
    { policy: 'dated', lines: { '1.1': '2026-01-31' } },
    '1.1',
    'End of support of 1.1: 2026-01-31, by the definition.',
  ],
  [
    'an older line',
    { policy: 'dated', lines: { '1.1': '2026-01-31' } },
    '1.0',
    '1.0 is older than 1.1, the oldest line whose support is stated.',
  ],
  [
    'an exception',
    { ...term, lines: { '1.0': { until: '2027-01-31', reason: 'The move takes longer.', url } } },
    '1.0',
    'Until 2027-01-31 by exception, by example.com: The move takes longer.',
  ],
])('the reason of %s says whose it is', (_, support, line, reason) => {
  expect(lineOf(judgeOn('2026-11-27', three, { support }), line).reason?.text).toBe(reason);
});

test.each<[until: Day, expected: string[]]>([
  ['2024-06-30', ['active 2024-06-30', 'security 2024-06-30', 'extended 2027-01-01']],
  ['2027-06-30', ['active 2025-01-01', 'security 2027-06-30']],
])(
  'an exception until %s shortens earlier phases, and paid ones stay only beyond it',
  (until, expected) => {
    const support = { policy: 'term', phases, lines: { '1.0': until } };
    const [line] = judgeOn('2026-11-27', three.slice(0, 1), { support }).lines;

    expect(line!.phases.map((phase) => `${phase.name} ${phase.until}`)).toEqual(expected);
  },
);

test('only an end that rests on the inferred rule is called inferred', () => {
  const support = { ...term, inferred: 'It fits.', lines: { '1.1': '2027-12-31' } };
  const { lines } = judgeOn('2026-11-27', [...three, release('2.0-rc1')], { support });

  expect(lines.map(({ isInferred }) => isInferred)).toEqual([true, undefined, true, undefined]);
});
