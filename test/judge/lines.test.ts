import { expect, test } from 'vitest';
import { judgeOn, observed, release, statedPolicy } from '../harness/judging.ts';

type Releases = ReturnType<typeof release>[];

/** The first day of each line: `2026-01-01`, `2026-01-01 to 2026-02-01`, `to 2026-02-01`, empty if unknown. */
function beganBy(releases: Releases, definition = {}, recorded = {}) {
  const { lines } = judgeOn('2026-06-01', releases, { prereleases: true, ...definition }, recorded);
  const entries = lines.map(({ line, since = '', sinceAtMost }) => [
    line,
    sinceAtMost === undefined ? since : `${since} to ${sinceAtMost}`.trim(),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

test.each<[what: string, releases: Releases, expected: string]>([
  [
    'the earliest of its days',
    [release('1.0', '2026-02-01'), release('1.0.1', '2026-01-01')],
    '2026-01-01',
  ],
  [
    'a range where its first release was only seen',
    [observed('1.0', '2026-03-01', '2026-02-01')],
    '2026-02-01 to 2026-03-01',
  ],
  [
    'the day on which one without a day was seen, at most',
    [release('1.0', undefined, { firstSeen: '2026-03-01' })],
    'to 2026-03-01',
  ],
  [
    'a stated day before that on which its first was seen, at most',
    [observed('1.0', '2026-03-01', '2026-02-01'), release('1.0.1', '2026-02-20')],
    '2026-02-01 to 2026-02-20',
  ],
  [
    'the exact day of its lower bound',
    [observed('1.0', '2026-03-01', '2026-02-20'), release('1.0.1', '2026-02-20')],
    '2026-02-20',
  ],
  [
    'a day of a later release, at most',
    [release('1.0'), release('1.0.1', '2026-02-20')],
    'to 2026-02-20',
  ],
  ['no day', [release('1.0')], ''],
  ['no day where it has only a prerelease', [release('1.0-rc1', '2026-01-01')], ''],
])('a line begins on %s', (_, releases, expected) => {
  expect(beganBy(releases)).toEqual({ '1.0': expected });
});

test.each<[what: string, releases: Releases, expected: string]>([
  [
    'no earlier than the exact day of the line before',
    [release('1.0', '2026-01-01'), observed('1.1', '2026-03-01')],
    '2026-01-01 to 2026-03-01',
  ],
  [
    'no earlier than that of any line before',
    [release('0.9', '2026-01-01'), release('1.0'), observed('1.1', '2026-03-01')],
    '2026-01-01 to 2026-03-01',
  ],
  [
    'no earlier than that, whatever its prereleases',
    [
      release('1.0', '2026-01-01'),
      observed('1.1-rc1', '2026-01-09'),
      observed('1.1', '2026-03-01'),
    ],
    '2026-01-01 to 2026-03-01',
  ],
  [
    'on its own lower bound, where that is later',
    [release('1.0', '2026-01-01'), observed('1.1', '2026-03-01', '2026-02-01')],
    '2026-02-01 to 2026-03-01',
  ],
  [
    'on the exact day of the line before, where it was seen on that',
    [release('1.0', '2026-03-01'), observed('1.1', '2026-03-01')],
    '2026-03-01',
  ],
  [
    'on an unknown day up to its own, where the line before was only seen',
    [observed('1.0', '2026-02-01', '2026-01-15'), observed('1.1', '2026-03-01')],
    'to 2026-03-01',
  ],
  [
    'no later than any newer line',
    [observed('1.1', '2026-05-01'), release('1.3', '2026-04-01')],
    'to 2026-04-01',
  ],
  [
    'no later than a newer line, without a day of its own',
    [release('1.1'), release('1.2', '2026-04-01')],
    'to 2026-04-01',
  ],
  [
    'on its exact day, whatever newer lines say',
    [release('1.1', '2026-05-01'), release('1.2', '2026-04-01')],
    '2026-05-01',
  ],
])('a line begins %s', (_, releases, expected) => {
  expect(beganBy(releases)['1.1']).toBe(expected);
});

test.each([
  ['2026-01-01', [release('1.0', '2026-02-01')], '2026-01-01'],
  ['2026-03-01', [release('1.0', '2026-02-01')], '2026-02-01'],
  ['2026-02-15', [observed('1.0', '2026-03-01', '2026-02-01')], '2026-02-15'],
  ['2026-03-15', [observed('1.0', '2026-03-01', '2026-02-01')], '2026-02-01 to 2026-03-01'],
  ['2026-06-01', [release('1.0-rc1', '2026-01-01')], '2026-06-01'],
])(
  'a first day that a source states, %s, counts if it is no later',
  (since, releases, expected) => {
    const lines = [{ line: '1.0', since, phases: [{ name: 'support' }] }];

    expect(beganBy(releases, { support: statedPolicy }, { lines })['1.0']).toBe(expected);
  },
);

test.each([
  ['the lines of a source', ['1.0', '25'], ['1.0', '1', '25', '26']],
  ['lines of two digit groups', ['25', '26.0'], ['1.0', '1.1', '25', '26.1']],
  ['no lines', [], ['1.0', '1.1', '25.2', '26.1']],
])('releases belong to %s, and others to lines in the form of the newest', (_, names, expected) => {
  const lines = names.map((line) => ({ line, phases: [{ name: 'support' }] }));
  const releases = ['1.0.1', '1.1.1', '25.2', '26.1.1'].map((version) => release(version));
  const component = judgeOn('2026-06-01', releases, { support: statedPolicy }, { lines });

  expect(component.releases.map(({ line }) => line)).toEqual(expected);
});

test('lines are in version order, and one may be inside another', () => {
  const support = { policy: 'dated', lines: { '2.2': '2030-01-01', 2: '2030-01-01' } };
  const releases = ['2.1.0', '2.2.0', '2.2.1', '2.3.0'].map((version) => release(version));
  const component = judgeOn('2026-06-01', releases, { support });

  expect(component.lines.map(({ line }) => line)).toEqual(['2', '2.2']);
  expect(component.releases.map(({ line }) => line)).toEqual(['2', '2.2', '2.2', '2']);
});
