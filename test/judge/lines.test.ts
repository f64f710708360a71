import { expect, test } from 'vitest';
import { readVersion, nameLine } from '../../src/core/version.ts';
import { judgeOn, lineOf, readReleases, release, statedPolicy } from '../harness/judging.ts';

type Releases = ReturnType<typeof readReleases>;

/**
 * Returns when a line began, or an empty text if nothing is known:
 * - `2026-01-01`: on this date
 * - `2026-01-01 to 2026-02-01`: between these dates
 * - `to 2026-02-01`: on this date or earlier
 */
function beganBy(name: string, releases: Releases, definition = {}, recorded = {}): string {
  const component = judgeOn('2026-06-01', releases, { prereleases: true, ...definition }, recorded);
  const { since = '', sinceAtMost } = lineOf(component, name);
  return sinceAtMost === undefined ? since : `${since} to ${sinceAtMost}`.trim();
}

test.each([
  ['on the earliest date of its releases', '1.1 2026-02-01, 1.1.1 2026-01-01', '2026-01-01'],
  [
    'no later than the exact date of its second release',
    '1.1 2026-02-01 to 2026-03-01, 1.1.1 2026-02-20',
    '2026-02-01 to 2026-02-20',
  ],
  [
    'on an exact date that equals its lower bound',
    '1.1 2026-02-20 to 2026-03-01, 1.1.1 2026-02-20',
    '2026-02-20',
  ],
  [
    'on or before the date of a later release, if its first release has no date',
    '1.1, 1.1.1 2026-02-20',
    'to 2026-02-20',
  ],
  ['on an unknown date if it has only a prerelease', '1.1-rc1 2026-01-01', ''],
  [
    'no earlier than the exact date of an older line',
    '0.9 2026-01-01, 1.0, 1.1 to 2026-03-01',
    '2026-01-01 to 2026-03-01',
  ],
  [
    'no earlier than the exact date of an older line, even if its prerelease is earlier',
    '1.0 2026-01-01, 1.1-rc1 to 2026-01-09, 1.1 to 2026-03-01',
    '2026-01-01 to 2026-03-01',
  ],
  [
    'no earlier than its own lower bound, if that is later than the older line',
    '1.0 2026-01-01, 1.1 2026-02-01 to 2026-03-01',
    '2026-02-01 to 2026-03-01',
  ],
  [
    'on the date of the older line if it was first seen on that date',
    '1.0 2026-03-01, 1.1 to 2026-03-01',
    '2026-03-01',
  ],
  [
    'without a lower bound if the older line has no exact date',
    '1.0 2026-01-15 to 2026-02-01, 1.1 to 2026-03-01',
    'to 2026-03-01',
  ],
  [
    'no later than the exact date of a newer line',
    '1.1 to 2026-05-01, 1.3 2026-04-01',
    'to 2026-04-01',
  ],
  [
    'no later than the exact date of a newer line, even without a date of its own',
    '1.1, 1.2 2026-04-01',
    'to 2026-04-01',
  ],
  [
    'after a newer line if its own lower bound is later',
    '1.0 2025-01-01, 1.1 2026-05-01 to 2026-05-02, 2.0 2025-06-01',
    '2026-05-01 to 2026-05-02',
  ],
  [
    'after a newer line that was seen earlier',
    '1.1 2026-05-01 to 2026-05-02, 2.0 2025-06-01 to 2025-07-01',
    '2026-05-01 to 2026-05-02',
  ],
  [
    'on its own exact date, even if a newer line is earlier',
    '1.1 2026-05-01, 1.2 2026-04-01',
    '2026-05-01',
  ],
])('a release line begins %s', (_, releases, expected) => {
  expect(beganBy('1.1', readReleases(releases))).toBe(expected);
});

test('a line without release dates began no later than its first-seen date', () => {
  const seen = release('1.0', undefined, { firstSeen: '2026-03-01' });

  expect(beganBy('1.0', [seen])).toBe('to 2026-03-01');
});

test.each([
  ['2026-01-01', '1.0 2026-02-01', '2026-01-01'],
  ['2026-02-15', '1.0 2026-02-01', '2026-02-01'],
  ['2026-02-15', '1.0 2026-02-01 to 2026-03-01', '2026-02-15'],
  ['2026-03-15', '1.0 2026-02-01 to 2026-03-01', '2026-02-01 to 2026-03-01'],
  ['2026-06-01', '1.0-rc1 2026-01-01', '2026-06-01'],
])(
  'a line begins on the start date in its source unless a release is older: source %s, releases %s, start %s',
  (since, releases, expected) => {
    const lines = [{ line: '1.0', since, phases: [{ name: 'support' }] }];

    const began = beganBy('1.0', readReleases(releases), { support: statedPolicy }, { lines });

    expect(began).toBe(expected);
  },
);

test.each([
  ['the lines 1.0 and 25', ['1.0', '25'], ['1.0', '1.1', '25', '26']],
  ['the lines 25 and 26.0', ['25', '26.0'], ['1.0', '1.1', '25', '26.1']],
  ['no lines', [], ['1.0', '1.1', '25.2', '26.1']],
])(
  'an unlisted line has as many digit groups as similar listed lines: the source lists %s',
  (_, names, expected) => {
    const lines = names.map((line) => ({ line, phases: [{ name: 'support' }] }));
    const releases = readReleases('1.0.1, 1.1.1, 25.2, 26.1.1');
    const component = judgeOn('2026-06-01', releases, { support: statedPolicy }, { lines });

    expect(component.releases.map(({ line }) => line)).toEqual(expected);
  },
);

test('lines are sorted by version, even if the line 2 includes the line 2.2', () => {
  const support = { policy: 'dated', lines: { '2.2': '2030-01-01', 2: '2030-01-01' } };
  const component = judgeOn('2026-06-01', readReleases('2.1.0, 2.2.0, 2.2.1, 2.3.0'), { support });

  expect(component.lines.map(({ line }) => line)).toEqual(['2', '2.2']);
  expect(component.releases.map(({ line }) => line)).toEqual(['2', '2.2', '2.2', '2']);
});

test.each([
  ['v2025.03-rc-1', 2, '2025.3'],
  ['2025.3.1', 1, '2025'],
] as const)(
  'nameLine shortens a version to a number of digit groups: version %s, groups %i, line %s',
  (text, count, line) => {
    expect(nameLine(readVersion(text), count)).toBe(line);
  },
);
