import { expect, test } from 'vitest';
import { readVersion, nameLine } from '../../src/core/version.ts';
import { judgeOn, lineOf, readReleases, release, statedPolicy } from '../harness/judging.ts';

type Releases = ReturnType<typeof readReleases>;

/** The first day of a line: `2026-01-01`, `2026-01-01 to 2026-02-01`, `to 2026-02-01`, empty if unknown. */
function beganBy(name: string, releases: Releases, definition = {}, recorded = {}): string {
  const component = judgeOn('2026-06-01', releases, { prereleases: true, ...definition }, recorded);
  const { since = '', sinceAtMost } = lineOf(component, name);
  return sinceAtMost === undefined ? since : `${since} to ${sinceAtMost}`.trim();
}

test.each([
  ['on the earliest of its days', '1.1 2026-02-01, 1.1.1 2026-01-01', '2026-01-01'],
  [
    'by a stated day before that on which its first was seen',
    '1.1 2026-02-01 to 2026-03-01, 1.1.1 2026-02-20',
    '2026-02-01 to 2026-02-20',
  ],
  [
    'on the exact day of its lower bound',
    '1.1 2026-02-20 to 2026-03-01, 1.1.1 2026-02-20',
    '2026-02-20',
  ],
  ['by a day of a later release', '1.1, 1.1.1 2026-02-20', 'to 2026-02-20'],
  ['on no day where it has only a prerelease', '1.1-rc1 2026-01-01', ''],
  [
    'no earlier than the exact day of any line before',
    '0.9 2026-01-01, 1.0, 1.1 to 2026-03-01',
    '2026-01-01 to 2026-03-01',
  ],
  [
    'no earlier than that, whatever its prereleases',
    '1.0 2026-01-01, 1.1-rc1 to 2026-01-09, 1.1 to 2026-03-01',
    '2026-01-01 to 2026-03-01',
  ],
  [
    'on its own lower bound, where that is later',
    '1.0 2026-01-01, 1.1 2026-02-01 to 2026-03-01',
    '2026-02-01 to 2026-03-01',
  ],
  [
    'on the exact day of the line before, where it was seen on that',
    '1.0 2026-03-01, 1.1 to 2026-03-01',
    '2026-03-01',
  ],
  [
    'by its own day, where the line before was only seen',
    '1.0 2026-01-15 to 2026-02-01, 1.1 to 2026-03-01',
    'to 2026-03-01',
  ],
  ['no later than any newer line', '1.1 to 2026-05-01, 1.3 2026-04-01', 'to 2026-04-01'],
  ['no later than a newer line, without a day of its own', '1.1, 1.2 2026-04-01', 'to 2026-04-01'],
  [
    'after a newer line, if it was seen to come later',
    '1.0 2025-01-01, 1.1 2026-05-01 to 2026-05-02, 2.0 2025-06-01',
    '2026-05-01 to 2026-05-02',
  ],
  [
    'after a newer line that was seen before it',
    '1.1 2026-05-01 to 2026-05-02, 2.0 2025-06-01 to 2025-07-01',
    '2026-05-01 to 2026-05-02',
  ],
  ['on its exact day, whatever newer lines say', '1.1 2026-05-01, 1.2 2026-04-01', '2026-05-01'],
])('a release line begins %s: %s', (_, releases, expected) => {
  expect(beganBy('1.1', readReleases(releases))).toBe(expected);
});

test('a release without a date existed on the day it was first seen', () => {
  const seen = release('1.0', undefined, { firstSeen: '2026-03-01' });

  expect(beganBy('1.0', [seen])).toBe('to 2026-03-01');
});

test.each([
  ['2026-01-01', '1.0 2026-02-01', '2026-01-01'],
  ['2026-02-15', '1.0 2026-02-01 to 2026-03-01', '2026-02-15'],
  ['2026-03-15', '1.0 2026-02-01 to 2026-03-01', '2026-02-01 to 2026-03-01'],
  ['2026-06-01', '1.0-rc1 2026-01-01', '2026-06-01'],
])(
  "takes a line's first day from the source, %s, unless it is later than its releases",
  (since, releases, expected) => {
    const lines = [{ line: '1.0', since, phases: [{ name: 'support' }] }];

    const began = beganBy('1.0', readReleases(releases), { support: statedPolicy }, { lines });

    expect(began).toBe(expected);
  },
);

test.each([
  ['the lines of a source', ['1.0', '25'], ['1.0', '1.1', '25', '26']],
  ['lines of two digit groups', ['25', '26.0'], ['1.0', '1.1', '25', '26.1']],
  ['no lines', [], ['1.0', '1.1', '25.2', '26.1']],
])(
  'assigns releases to %s, and others to lines in the form of their neighbours',
  (_, names, expected) => {
    const lines = names.map((line) => ({ line, phases: [{ name: 'support' }] }));
    const releases = readReleases('1.0.1, 1.1.1, 25.2, 26.1.1');
    const component = judgeOn('2026-06-01', releases, { support: statedPolicy }, { lines });

    expect(component.releases.map(({ line }) => line)).toEqual(expected);
  },
);

test('orders lines by version, even a line inside another', () => {
  const support = { policy: 'dated', lines: { '2.2': '2030-01-01', 2: '2030-01-01' } };
  const component = judgeOn('2026-06-01', readReleases('2.1.0, 2.2.0, 2.2.1, 2.3.0'), { support });

  expect(component.lines.map(({ line }) => line)).toEqual(['2', '2.2']);
  expect(component.releases.map(({ line }) => line)).toEqual(['2', '2.2', '2.2', '2']);
});

test.each([
  ['v2025.03-rc-1', 2, '2025.3'],
  ['2025.3.1', 1, '2025'],
] as const)('%s with %i digit groups belongs to the line %s', (text, count, line) => {
  expect(nameLine(readVersion(text), count)).toBe(line);
});
