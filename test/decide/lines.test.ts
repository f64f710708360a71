import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { listDatedLines, listLines } from '../../src/decide/lines.ts';
import { judgeOn, release } from '../harness/judging.ts';

/** The lines of releases on a day, each with its first day. */
function beganOn(
  day: string,
  releases: RecordedRelease[],
  about: object = {},
  lines: object[] = [],
) {
  return Object.fromEntries(
    judgeOn(day, releases, { ...about }, lines as never).lines.map(({ name, began }) => [
      name,
      began,
    ]),
  );
}

const observed = (version: string, at: string | undefined, notListedOn?: string) =>
  release(version, at, { timestampKind: 'observed', ...(notListedOn && { notListedOn }) });
const exactly = (version: string, at: string) => release(version, at);

test.each<[what: string, releases: RecordedRelease[], expected: object]>([
  [
    'the earliest day of its releases',
    [exactly('1.0', '2026-02-01'), exactly('1.0.1', '2026-01-01')],
    { '1.0': { from: '2026-01-01' } },
  ],
  [
    'the day of its first release',
    [exactly('1.0', '2026-01-01'), exactly('1.0.1', '2026-02-01')],
    { '1.0': { from: '2026-01-01' } },
  ],
  [
    'a range where its first release was only seen',
    [observed('1.0', '2026-03-01', '2026-02-01')],
    { '1.0': { from: '2026-02-01', atMost: '2026-03-01' } },
  ],
  [
    'the day on which a release without a day was seen, at most',
    [release('1.0', undefined, { firstSeen: '2026-03-01' })],
    { '1.0': { atMost: '2026-03-01' } },
  ],
  [
    'a stated day before that on which its first release was seen, at most',
    [observed('1.0', '2026-03-01', '2026-02-01'), exactly('1.0.1', '2026-02-20')],
    { '1.0': { from: '2026-02-01', atMost: '2026-02-20' } },
  ],
  [
    'a stated day before its lower bound, at most',
    [observed('1.0', '2026-03-01', '2026-02-21'), exactly('1.0.1', '2026-02-20')],
    { '1.0': { atMost: '2026-02-20' } },
  ],
  [
    'the exact day of its lower bound, where a later release came out on it',
    [observed('1.0', '2026-03-01', '2026-02-20'), exactly('1.0.1', '2026-02-20')],
    { '1.0': { from: '2026-02-20' } },
  ],
  [
    'a range where only a release after its first has a stated day',
    [release('1.0'), exactly('1.0.1', '2026-02-20')],
    { '1.0': { atMost: '2026-02-20' } },
  ],
  [
    'the earliest day at most, where a release before it was only seen',
    [
      exactly('1.0', '2026-02-01'),
      observed('1.0.1', '2026-03-01', '2026-02-15'),
      exactly('1.0.2', '2026-01-15'),
    ],
    { '1.0': { atMost: '2026-01-15' } },
  ],
  ['no day', [release('1.0')], { '1.0': {} }],
  [
    'no day where only an answer without it has one',
    [release('1.0', undefined, { notListedOn: '2026-01-01' })],
    { '1.0': {} },
  ],
  [
    'no day where it has only a prerelease, although a newer line has begun',
    [exactly('1.0-rc1', '2026-01-01'), exactly('1.1', '2026-02-01')],
    { '1.0': {}, '1.1': { from: '2026-02-01' } },
  ],
  ['no day where it has only a prerelease', [exactly('1.0-rc1', '2026-01-01')], { '1.0': {} }],
])('a line begins on %s', (_, releases, expected) => {
  const about = { prereleases: true };

  expect(beganOn('2026-06-01', releases, about)).toEqual(expected);
});

test.each<[what: string, releases: RecordedRelease[], expected: object]>([
  [
    'no earlier than the exact day of the line before',
    [
      exactly('1.0', '2026-01-01'),
      observed('1.1', '2026-03-01'),
      observed('1.2', '2026-04-01', '2026-02-01'),
    ],
    { from: '2026-01-01', atMost: '2026-03-01' },
  ],
  [
    'no earlier than the exact day of any line before',
    [exactly('0.9', '2026-01-01'), release('1.0'), observed('1.1', '2026-03-01')],
    { from: '2026-01-01', atMost: '2026-03-01' },
  ],
  [
    'on an unknown day up to its own, where the line before was only seen',
    [observed('1.0', '2026-02-01', '2026-01-15'), observed('1.1', '2026-03-01')],
    { atMost: '2026-03-01' },
  ],
  [
    'on its own lower bound, where that is later',
    [exactly('1.0', '2026-01-01'), observed('1.1', '2026-03-01', '2026-02-01')],
    { from: '2026-02-01', atMost: '2026-03-01' },
  ],
  [
    'on the exact day of the line before, where it was seen on that',
    [exactly('1.0', '2026-03-01'), observed('1.1', '2026-03-01')],
    { from: '2026-03-01' },
  ],
  [
    'on an unknown day up to its own, where the line before is said to be younger',
    [exactly('1.0', '2026-04-01'), observed('1.1', '2026-03-01')],
    { atMost: '2026-03-01' },
  ],
  [
    'on its own lower bound, where the line before has not begun',
    [exactly('1.0', '2026-04-01'), observed('1.1', '2026-03-01', '2026-02-01')],
    { from: '2026-02-01', atMost: '2026-03-01' },
  ],
  [
    'no earlier than is proven: not since a line before that was only seen',
    [observed('1.0', '2026-01-01'), observed('1.1', '2026-03-01')],
    { atMost: '2026-03-01' },
  ],
  [
    'no later than any newer line',
    [observed('1.1', '2026-05-01'), observed('1.2', '2026-03-01'), exactly('1.3', '2026-04-01')],
    { atMost: '2026-03-01' },
  ],
  [
    'no later than a newer line, without a day of its own',
    [release('1.1'), exactly('1.2', '2026-04-01')],
    { atMost: '2026-04-01' },
  ],
  [
    'on its exact day, whatever newer lines say',
    [exactly('1.1', '2026-05-01'), exactly('1.2', '2026-04-01')],
    { from: '2026-05-01' },
  ],
])('a line begins %s', (_, releases, expected) => {
  expect(beganOn('2026-06-01', releases)['1.1']).toEqual(expected);
});

const policyWith = (firstReleaseDates: object) => ({
  support: { policy: 'dated', lines: { '1.0': '2028-01-01' }, firstReleaseDates },
});

test.each<[what: string, stated: string, releases: RecordedRelease[], expected: object]>([
  [
    'a stated day before that of its first release',
    '2026-01-01',
    [exactly('1.0', '2026-02-01')],
    { from: '2026-01-01' },
  ],
  [
    'a stated day that is that of its first release',
    '2026-02-01',
    [observed('1.0', '2026-02-01')],
    { from: '2026-02-01' },
  ],
  [
    'the day of its first release before a stated one',
    '2026-03-01',
    [exactly('1.0', '2026-02-01')],
    { from: '2026-02-01' },
  ],
  [
    'a stated day within what is known of its first release',
    '2026-02-15',
    [observed('1.0', '2026-03-01', '2026-02-01')],
    { from: '2026-02-15' },
  ],
  [
    'the range of its first release before a stated day',
    '2026-03-15',
    [observed('1.0', '2026-03-01', '2026-02-01')],
    { from: '2026-02-01', atMost: '2026-03-01' },
  ],
  [
    'a stated day, with only a prerelease',
    '2026-06-01',
    [exactly('1.0-rc1', '2026-01-01')],
    { from: '2026-06-01' },
  ],
  [
    'a stated day ahead, with only a prerelease',
    '2026-06-02',
    [exactly('1.0-rc1', '2026-01-01')],
    { from: '2026-06-02' },
  ],
  ['an unknown day, with a release before a stated day ahead', '2026-06-02', [release('1.0')], {}],
])('a line begins on %s', (_, stated, releases, expected) => {
  const about = { prereleases: true, ...policyWith({ '1.0': stated }) };

  expect(beganOn('2026-06-01', releases, about)['1.0']).toEqual(expected);
});

test('a policy of stated days states the first day of a line without an end, too', () => {
  const releases = [exactly('1.0', '2026-02-01'), exactly('1.1', '2026-03-01')];

  expect(beganOn('2026-06-01', releases, policyWith({ '1.1': '2026-01-01' }))).toEqual({
    '1.0': { from: '2026-02-01' },
    '1.1': { from: '2026-01-01' },
  });
});

test('a source of ends states first days, of its own lines alone', () => {
  const source = 'support endoflife-date:svc';
  const support = { policy: 'stated', source: { datasource: 'endoflife-date', product: 'svc' } };
  const line = (name: string, more: object) => ({ line: name, phases: [], ...more });
  const lines = [
    line('1.0', { source, firstReleaseDate: '2026-01-01' }),
    line('1.1', { source }),
    line('1.2', { source: 'support endoflife-date:gone', firstReleaseDate: '2026-01-02' }),
  ];
  const releases = [
    exactly('1.0', '2026-02-01'),
    exactly('1.1', '2026-02-02'),
    exactly('1.3', '2026-03-01'),
  ];

  expect(beganOn('2026-06-01', releases, { support }, lines)).toEqual({
    '1.0': { from: '2026-01-01' },
    '1.1': { from: '2026-02-02' },
    '1.3': { from: '2026-03-01' },
  });
});

test.each<[what: string, releases: RecordedRelease[], ended: string[]]>([
  ['a stable release', [release('1.0'), release('2.0')], ['1.0']],
  ['only a prerelease', [release('1.0'), release('2.0-rc1')], []],
  [
    'only a withdrawn release',
    [release('1.0'), release('2.0', undefined, { withdrawnSince: '2026-06-01' })],
    [],
  ],
  [
    'a release that is withdrawn later',
    [release('1.0'), release('2.0', undefined, { withdrawnSince: '2026-06-02' })],
    ['1.0'],
  ],
  [
    'a withdrawn and another release',
    [release('1.0'), release('2.0', undefined, { withdrawnSince: '2026-05-01' }), release('2.0.1')],
    ['1.0'],
  ],
])('a newer line with %s ends the older one: %j', (_, releases, ended) => {
  const about = { prereleases: true, support: { policy: 'latest-lines', count: 1 } };
  const { lines } = judgeOn('2026-06-01', releases, about);

  expect(lines.filter(({ state }) => state === 'ended').map(({ name }) => name)).toEqual(ended);
});

test('a line without releases that a source and the definition state is one line', () => {
  const source = { datasource: 'endoflife-date', product: 'svc' };
  const support = { policy: 'stated', source, lines: { '1.0': '2027-01-01' } };
  const stated = [{ line: '1.0', source: 'support endoflife-date:svc', phases: [] }];

  expect(judgeOn('2026-06-01', [], { support }, stated).lines.map(({ name }) => name)).toEqual([
    '1.0',
  ]);
});

test('other lines are named like the newest of a source, whatever the order of its lines', () => {
  const source = { datasource: 'endoflife-date', product: 'svc' };
  const support = { policy: 'stated', source };
  const stated = ['18', '9.6'].map((line) => ({
    ...{ line, source: 'support endoflife-date:svc', phases: [] },
  }));

  expect(Object.keys(beganOn('2026-06-01', [release('19.1')], { support }, stated))).toEqual(
    expect.arrayContaining(['9.6', '18', '19']),
  );
});

test('the lines that a policy names are in version order', () => {
  const lines = { '1.10': '2026-12-31', '1.9': '2026-06-30', '1.2': '2025-12-31' };

  expect(listDatedLines({ policy: 'dated', lines }).map(({ line }) => line)).toEqual([
    ...['1.2', '1.9', '1.10'],
  ]);
});

test('the first day of a line is stated in whatever spelling', () => {
  const support = {
    policy: 'dated',
    lines: { '24.04': '2029-04-30' },
    firstReleaseDates: { '24.4': '2024-04-25' },
  };
  const { lines } = judgeOn('2026-06-01', [release('24.04.1', '2024-08-01')], { support });

  expect(lines.map(({ began }) => began)).toEqual([{ from: '2024-04-25' }]);
});

test.each([
  ['200,000 releases of one line', 200_000, () => '1.0'],
  ['30,000 lines', 30_000, (index: number) => `1.${index}`],
])(
  'the first days of %s, which were only seen, are found',
  (_, count, nameLine) => {
    const { releases } = judgeOn('2026-06-01', [observed('1.0', '2026-03-01')]);
    const many = Array.from({ length: count }, (_, index) => ({
      ...releases[0]!,
      line: nameLine(index),
    }));
    const lines = listLines(many, { policy: 'none' }, [], '2026-06-01');

    expect(lines.at(-1)?.began).toEqual({ atMost: '2026-03-01' });
  },
  10_000,
);
