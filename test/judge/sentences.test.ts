import { expect, test } from 'vitest';
import { SupportPolicy } from '../../src/core/schema/policy.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { describePolicy } from '../../src/judge/policy-words.ts';
import {
  describeReleases,
  judgeOn,
  readReleases,
  release,
  statedPolicy,
  subjectOf,
} from '../harness/judging.ts';

const day = '2026-06-01';
const term = { policy: 'term', months: 12 };
const broken = { deprecated: [{ versions: ['1.0'], reason: 'Broken' }] };
const phases = [
  { name: 'active', months: 3 },
  { name: 'security', months: 12 },
];

test.each([
  ['2026-01-01', [], 'Line 9 is supported, but the index lists no release of it.'],
  ['2026-07-01', [], 'Line 9 is supported, but the index lists no release of it.'],
  ['2026-01-01', readReleases('9.1 2026-01-01'), 'Move to 9.1.'],
  ['2028-01-01', [], 'There is nothing to move to yet.'],
])(
  'users of a line that ended on %s are led to the newest supported line: releases %j, advice "%s"',
  (until, releases, advice) => {
    const on = until > day ? until : day;
    const support = {
      policy: 'dated',
      line: 1,
      lines: { 7: until, 8: '2027-01-31', 9: '2027-12-31' },
    };
    const component = judgeOn(on, releases, { support });

    expect(component.lines[0]!.advice).toBe(advice);
  },
);

test.each<[title: string, definition: object, recorded: object, paid: string | undefined]>([
  ['with an end', {}, {}, 'Paid support lasts until 2028-01-01.'],
  [
    'whose end follows from an estimated rule',
    { inferred: 'It fits.' },
    {},
    'Paid support lasts until 2028-01-01 (estimated).',
  ],
  ['that has ended', { months: 14 }, {}, 'Paid support ended 2026-03-01.'],
  [
    'with an uncertain end',
    {},
    { timestampKind: 'observed', notBefore: '2024-12-01' },
    'Paid support ends between 2027-12-01 and 2028-01-01.',
  ],
])(
  'the sentence about an ended line mentions paid support %s, which does not count as supported',
  (_, { months = 36, ...keys }: { months?: number }, recorded, paid) => {
    const paidPhases = [
      { name: 'standard', months: 12 },
      { name: 'extended', months, paid: true },
    ];
    const support = { policy: 'term', phases: paidPhases, ...keys };
    const component = judgeOn(day, [release('1.0', '2025-01-01', recorded)], { support });
    const [line] = component.lines;
    const [found] = describeReleases(component);

    expect(line).toMatchObject({ state: 'ended', isSupported: false, paidSupport: paid });
    expect(line!.sentence).toMatch(new RegExp(`^Server 1\\.0 was supported until 2026-01-01`));
    expect([line!.sentence, found!.sentence].map((text) => text.endsWith(` ${paid}`))).toEqual([
      true,
      true,
    ]);
  },
);

test.each([
  ['has no stated end', undefined],
  ['has ended', true],
])('the sentence about a line whose paid support has no date says that it %s', (words, isOver) => {
  const lines = [
    {
      line: '1.0',
      phases: [
        { name: 'support', until: '2026-01-01' },
        { name: 'extended', paid: true, isOver },
      ],
    },
  ];
  const component = judgeOn(
    day,
    readReleases('1.0 2025-01-01'),
    { support: statedPolicy },
    { lines },
  );

  expect(component.lines[0]!.sentence).toBe(
    `Server 1.0 was supported until 2026-01-01. Paid support ${words}.`,
  );
});

const isLatest = 'No action is needed; it is the latest version.';
const isStuck = 'There is nothing to move to yet.';

test.each<[definition: object, sentence: string, end: string, advice: string]>([
  [{ support: term }, 'is supported until 2027-01-01.', 'until 2027-01-01', isLatest],
  [
    { support: { ...term, inferred: 'It fits.' } },
    'is supported until 2027-01-01 (estimated).',
    'until 2027-01-01',
    isLatest,
  ],
  [
    { support: { policy: 'term', phases } },
    'is supported until 2027-01-01, in phase security.',
    'until 2027-01-01',
    isLatest,
  ],
  [
    { support: { policy: 'latest-lines', count: 1 } },
    'is supported until the next line.',
    'until the next line',
    isLatest,
  ],
  [
    { support: { policy: 'latest-lines', count: 2 } },
    'is supported.',
    'no end announced',
    isLatest,
  ],
  [
    { support: { ...term, months: 4 } },
    'was supported until 2026-05-01.',
    'ended 2026-05-01',
    isStuck,
  ],
  [{ support: { policy: 'ended' } }, 'is no longer supported.', 'ended', isStuck],
  [
    { support: term, ...broken },
    'is deprecated, and supported until 2027-01-01: Broken.',
    'until 2027-01-01',
    isStuck,
  ],
])(
  'the definition %j gives the sentence "%s" and the end "%s"',
  (definition, words, end, advice) => {
    const component = judgeOn(day, readReleases('1.0 2026-01-01'), {
      advisories: [],
      ...definition,
    });

    const [described] = describeReleases(component);
    expect(described).toMatchObject({ sentence: `Server 1.0 ${words}`, advice });
    expect(component.lines).toMatchObject([{ end }]);
    expect(described!.label).not.toBe('Vulnerable');
  },
);

test('the sentence for a line without an end date says that no end of support is stated', () => {
  const { lines } = judgeOn(day, readReleases('1.0'));

  expect(lines).toMatchObject([
    { sentence: 'No end of support is stated for Server 1.0.', end: 'no end stated' },
  ]);
});

test('the sentence for a line with an uncertain end of support gives the possible dates', () => {
  const lines = readReleases(
    '1.0 2025-05-01 to 2025-06-15, 1.1 2025-12-01 to 2025-12-15, 1.2 to 2025-12-20',
  );
  const judged = judgeOn(day, lines, { support: term }).lines;

  expect(judged.map(({ sentence, end }) => [sentence, end])).toEqual([
    [
      'Server 1.0 may be out of support: its support ends between 2026-05-01 and 2026-06-15.',
      'ends by 2026-06-15, perhaps already',
    ],
    ['Server 1.1 is supported at least until 2026-12-01.', 'at least until 2026-12-01'],
    [
      'Server 1.2 may be out of support: its support ends on or before 2026-12-20.',
      'ends by 2026-12-20, perhaps already',
    ],
  ]);
  const [ended] = judgeOn('2026-06-16', lines, { support: term }).lines;
  expect([ended!.sentence, ended!.end]).toEqual([
    ...['Server 1.0 was supported until 2026-06-15 at the latest.', 'ended by 2026-06-15'],
  ]);
});

test('advice says which version to move to, and by which date', () => {
  const lines = { '0.9': '2028-01-01', '1.0': '2026-07-31', '1.1': '2028-01-01' };
  const support = { policy: 'dated', lines };
  const releases = [
    ...[...readReleases('0.9, 1.0, 1.1'), release('1.1.1', undefined, { withdrawnSince: day })],
    release('1.1.2', undefined, { deprecated: 'Bad.' }),
  ];
  const judged = judgeOn(day, releases, { support, advisories: [] });

  const described = describeReleases(judged);
  expect(described.map(({ advice }) => advice)).toEqual([
    'No action is needed; the latest version is 1.1.',
    'Move to 1.1 by 2026-07-31.',
    'No action is needed; it is the latest version.',
    'Move back to 1.1 now.',
    'Move back to 1.1 now.',
  ]);
  expect(described[3]).toMatchObject({
    sentence: 'Server 1.1.1 was withdrawn.',
    because: [
      'Upstream has not listed it since 2026-06-01.',
      'End of support of 1.1: 2028-01-01, according to the definition.',
    ],
  });
});

test('a release that its own list no longer has says so', () => {
  const releases = [release('1.0', undefined, { withdrawnSince: day, sources: ['static'] })];

  const [described] = describeReleases(judgeOn(day, releases, {}));

  expect(described!.because).toEqual([
    'The list in its definition has not listed it since 2026-06-01.',
  ]);
});

test('a component without a usable release names its replacement by title', () => {
  const ended = { support: { policy: 'ended', until: '2026-12-31' }, replacedBy: 'edge' };
  const old = subjectOf([release('1.0')], ended, {}, 'old');
  const edge = subjectOf([release('2.0')], { title: 'Edge node' }, {}, 'edge');

  for (const subjects of [
    [old, edge],
    [edge, old],
  ]) {
    const component = judgeAll(subjects, day).find((each) => each.component === 'old')!;

    expect(describeReleases(component)).toMatchObject([
      {
        ...{ moveReason: 'deprecated', moveTo: { component: 'edge', version: '2.0' } },
        ...{ moveBy: '2026-12-31', advice: 'Move to Edge node 2.0 by 2026-12-31.' },
      },
    ]);
  }
});

test('a line whose releases are all deprecated gets advice to move, whatever its support', () => {
  const releases = [
    release('1.0', '2026-01-01', { deprecated: 'Bad.' }),
    release('1.1', '2026-02-01'),
  ];
  const { lines } = judgeOn(day, releases, { support: term });

  expect(lines).toMatchObject([
    {
      line: '1.0',
      state: 'supported',
      moveReason: 'deprecated',
      moveTo: { version: '1.1' },
      moveBy: '2027-01-01',
    },
    { line: '1.1', state: 'supported', latest: '1.1', releases: 1 },
  ]);
  expect(lines[1]!.moveTo).toBeUndefined();
});

test.each<[policy: object, words: string]>([
  [{ policy: 'none' }, 'No end of support is stated.'],
  [{ policy: 'ended' }, 'Support has ended.'],
  [{ policy: 'ended', until: '2026-12-31' }, 'No release is supported after 2026-12-31.'],
  [
    { policy: 'term', months: 18 },
    'A release line is supported for 18 months from its first release.',
  ],
  [
    { policy: 'term', phases },
    'The phases of a release line, in months from its first release: active 3, security 12.',
  ],
  [{ policy: 'latest-lines', count: 1 }, 'The newest release line is supported.'],
  [
    { policy: 'latest-lines', count: 2, months: 3 },
    'The 2 newest release lines are supported, and older ones for 3 months.',
  ],
  [
    { policy: 'latest-lines', phases: [{ name: 'active', count: 1 }] },
    'The phases of the newest release lines: active 1.',
  ],
  [
    { policy: 'dated', lines: { '1.0': '2026-12-31' } },
    'The support of each release line ends on a listed date.',
  ],
  [
    { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } },
    'The support of each release line ends on the date that endoflife.date gives.',
  ],
])('describes the support policy %j in words', (policy, words) => {
  expect(describePolicy(SupportPolicy.parse(policy))).toBe(words);
});
