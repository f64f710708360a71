import { expect, test } from 'vitest';
import type { Day } from '../../src/core/day.ts';
import { judgeOn, lineOf, readReleases, release, statedPolicy } from '../harness/judging.ts';

const day = '2026-11-27';

const url = 'https://example.com/rule';
const term = { policy: 'term', months: 18 };
const three = '1.0 2024-01-01, 1.1 2024-06-01, 1.2 2025-01-01';
const undated = '1.0, 1.1, 1.2, 1.3';
const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];
const counts = [
  { name: 'active', count: 1 },
  { name: 'security', count: 2 },
];

/**
 * Returns each release line with its end of support, such as `1.0 2025-01-01, 1.1 2025-01-01 to 2025-02-01, 1.2 to 2025-02-01, 1.3`:
 * - 1.0 ends on this date.
 * - 1.1 ends between two dates.
 * - 1.2 ends on this date or earlier.
 * - 1.3 has no known end.
 */
function endsBy(support: object, releases: ReturnType<typeof readReleases>): string {
  const ends = judgeOn(day, releases, { support }).lines.map((line) => {
    const { supportedUntil, supportedUntilAtMost: atMost } = line;
    return [line.line, supportedUntil, atMost && `to ${atMost}`].filter(Boolean).join(' ');
  });
  return ends.join(', ');
}

test.each<[title: string, support: object, releases: string, ends: string]>([
  ['no policy', { policy: 'none' }, three, '1.0, 1.1, 1.2'],
  [
    'one date for all releases',
    { policy: 'ended', until: '2026-12-31' },
    '1.1, 1.2',
    '1.1 2026-12-31, 1.2 2026-12-31',
  ],
  // Published addresses contain the names of release lines, so these names must never change. `line` is the number of digit groups in a
  // name: 1.9 belongs to the line 1 if `line` is 1, and to the line 1.9 if `line` is 2 or missing.
  [
    'a term of lines of one digit group',
    { ...term, line: 1 },
    '0.2.0 2023-01-01, 0.3.0 2023-02-01, 1.0 2024-01-01, 1.9 2025-01-01',
    '0 2024-07-01, 1 2025-07-01',
  ],
  [
    'a term of lines of two digit groups',
    { ...term, line: 2 },
    '0.2.0 2023-01-01, 0.3.0 2023-02-01, 1.0 2024-01-01, 1.9 2025-01-01',
    '0.2 2024-07-01, 0.3 2024-08-01, 1.0 2025-07-01, 1.9 2026-07-01',
  ],
  [
    'a term of lines without a rule, which have two digit groups',
    term,
    '0.2.0 2023-01-01, 0.3.0 2023-02-01, 1.0 2024-01-01, 1.9 2025-01-01',
    '0.2 2024-07-01, 0.3 2024-08-01, 1.0 2025-07-01, 1.9 2026-07-01',
  ],
  [
    'a term of lines by semantic versioning',
    { ...term, line: 'semver' },
    '0.2.0 2023-12-01, 0.3.0 2024-01-01, 0.3.9 2024-02-01, 1.0.0 2024-03-01, 1.9.0 2025-01-01, 10.0.0 2026-01-01',
    '0.2 2025-06-01, 0.3 2025-07-01, 1 2025-09-01, 10 2027-07-01',
  ],
  [
    'an exception for a line by semantic versioning',
    { ...term, line: 'semver', lines: { '0.3': '2026-12-31', 2: '2027-12-31' } },
    'v0.3 2024-01-01, v2.1.0-rc.1 2024-01-01, v2.1.0 2024-02-01',
    '0.3 2026-12-31, 2 2027-12-31',
  ],
  [
    'a term from an observed date',
    term,
    '1.0 2026-11-01 to 2026-11-22',
    '1.0 2028-05-01 to 2028-05-22',
  ],
  [
    'a term from a date that has only an upper bound',
    term,
    '1.0 to 2026-11-22',
    '1.0 to 2028-05-22',
  ],
  ['a term from an unknown date', term, '1.0', '1.0'],
  [
    'the last phase that is not paid',
    { policy: 'term', phases },
    '1.0 2024-01-01',
    '1.0 2025-07-01',
  ],
  [
    'a term with long-term support',
    { ...term, lts: { lines: ['1.1'], phases: [{ name: 'lts', months: 60 }] } },
    three,
    '1.0 2025-07-01, 1.1 2029-06-01, 1.2 2026-07-01',
  ],
  [
    'the newest line, and older ones for a month',
    { policy: 'latest-lines', count: 1, months: 1 },
    three,
    '1.0 2024-07-01, 1.1 2025-02-01, 1.2',
  ],
  ['the newest lines without dates', { policy: 'latest-lines', count: 2 }, undated, undated],
  [
    'the newest lines, whatever the order of their dates',
    { policy: 'latest-lines', count: 2 },
    '1.0 2024-01-01, 1.1 2025-03-01, 1.2 2025-01-01, 1.3 2025-02-01',
    '1.0 2025-02-01, 1.1 2025-02-01, 1.2, 1.3',
  ],
  [
    'the newest lines, one with an observed date',
    { policy: 'latest-lines', count: 2 },
    '1.0, 1.1, 1.2 2025-01-01 to 2025-02-01',
    '1.0 2025-01-01 to 2025-02-01, 1.1, 1.2',
  ],
  [
    'the newest lines, but other lines never replace a long-term line',
    {
      ...{ policy: 'latest-lines', count: 1 },
      lts: { lines: '/^1\\.[02]$/', phases: [{ name: 'lts', count: 1 }] },
    },
    three,
    '1.0 2025-01-01, 1.1 2025-01-01, 1.2',
  ],
  [
    'dates per line: a line between two by the newer one, older lines have ended, newer lines have no end',
    { policy: 'dated', lines: { '1.1': '2026-01-31', '1.3': '2026-12-31' } },
    '1.0, 1.1, 1.2, 1.3, 1.4',
    '1.0, 1.1 2026-01-31, 1.2 to 2026-12-31, 1.3 2026-12-31, 1.4',
  ],
  [
    "dates per line, in the vendor's spelling of the line",
    { policy: 'dated', lines: { '24.04': '2029-04-30' } },
    '24.4.1',
    '24.04 2029-04-30',
  ],
  [
    'an exception for one line',
    { ...term, lines: { '1.1': '2027-12-31' } },
    three,
    '1.0 2025-07-01, 1.1 2027-12-31, 1.2 2026-07-01',
  ],
  [
    'an exception for a line without releases',
    { policy: 'none', lines: { '0.9': '2027-12-31' } },
    '1.0',
    '0.9 2027-12-31, 1.0',
  ],
])('the ends of release lines follow from %s', (_, support, releases, ends) => {
  expect(endsBy(support, readReleases(releases))).toBe(ends);
});

test('a prerelease or a withdrawn release does not make a line the newest', () => {
  const withdrawn = release('2.0', '2025-01-01', { withdrawnSince: '2025-03-01' });
  const releases = [...readReleases('1.0 2024-01-01, 3.0-rc1 2025-02-01'), withdrawn];

  expect(endsBy({ policy: 'latest-lines', count: 1 }, releases)).toBe('1.0, 2.0, 3.0');
});

test.each([
  ['1.0 2024-01-01, 1.1 2025-01-01', '2.0.0 2.0.1', '1.0 2025-01-01, 1.1, 2.0'],
  ['1.0 2024-01-01, 1.1 2025-01-01', '2.0.0', '1.0 2025-01-01, 1.1 2026-02-01, 2.0'],
  ['1.0 2024-01-01, 1.1.1 2025-01-01', '1.1.0 2.0.0 2.0.1', '1.0 2025-01-01, 1.1, 2.0'],
])(
  'a line with only yanked releases does not end an older line: releases "%s", yanked "%s", end dates "%s"',
  (others, yanked, ends) => {
    const newest = '1.1.0 2026-01-01, 2.0.0 2026-02-01, 2.0.1 2026-02-02';
    const releases = readReleases(`${others}, ${newest}`).map((each) => {
      return yanked.split(' ').includes(each.version) ? { ...each, deprecated: 'broken' } : each;
    });

    expect(endsBy({ policy: 'latest-lines', count: 1 }, releases)).toBe(ends);
  },
);

const pull = (version: string, from: Day, on: Day) =>
  release(version, from, { deprecated: 'Broken.', deprecatedSince: on });
const drop = (version: string, from: Day, on: Day) =>
  release(version, from, { withdrawnSince: on });
const yank = pull('3.0.0', '2026-01-02', '2026-01-03');

test.each<[title: string, count: number, releases: ReturnType<typeof release>[], end: string]>([
  ['no newer release came after it', 1, [yank], 'until the next line'],
  ['a newer line came after it', 1, [yank, release('3.1.0', '2026-06-01')], 'ended 2026-06-01'],
  [
    'a patch of its line came after it',
    1,
    [yank, release('3.0.1', '2026-02-01')],
    'ended 2026-02-01',
  ],
  [
    'a patch of its line had come before it was pulled',
    1,
    [yank, release('3.0.1', '2026-01-03'), release('3.1.0', '2026-06-01')],
    'ended 2026-01-02',
  ],
  [
    'its patch was pulled too',
    1,
    [yank, pull('3.0.1', '2026-02-01', '2026-02-02'), release('3.0.2', '2026-03-01')],
    'ended 2026-03-01',
  ],
  [
    'its line came back with an older version',
    1,
    [drop('3.0.1', '2026-01-02', '2026-01-04'), release('3.0.0', '2026-05-01')],
    'ended 2026-05-01',
  ],
  [
    'two lines are supported, and another newer line came',
    2,
    [yank, release('3.0.1', '2026-02-01'), release('4.0.0', '2026-01-15')],
    'ended 2026-01-15',
  ],
  [
    'all other releases were pulled later',
    1,
    [yank, pull('2.9.1', '2025-07-01', '2026-02-01')],
    'until the next line',
  ],
])(
  'if the newest release was pulled and %s, line 2.9 gets the right end',
  (_, count, newer, end) => {
    const releases = [release('2.9.0', '2025-06-01'), ...newer];
    const { lines } = judgeOn(day, releases, { support: { policy: 'latest-lines', count } });

    expect(lines.find(({ line }) => line === '2.9')?.end).toBe(end);
  },
);

test('each line gets the end date that a source lists for it, in whatever order the source lists them', () => {
  const lines = [
    { line: '1.3', phases: [{ name: 'support', until: '2028-01-01' }], lts: '2026-12-01' },
    { line: '1.1', phases: [{ name: 'support', untilAtMost: '2026-05-31' }] },
    { line: '1.2', phases: [{ name: 'support' }], lts: true },
    { line: '1.0', phases: [{ name: 'support', isOver: true }] },
  ];
  const component = judgeOn(day, readReleases(undated), { support: statedPolicy }, { lines });

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

test.each<[support: object, reason: string, releases?: string]>([
  [{ policy: 'ended', reason: 'Move on', url }, 'Move on.'],
  [{ ...term, url }, '18 months from its first release on 2024-01-01, according to example.com.'],
  [{ ...term, inferred: 'It fits.' }, 'Estimated: 18 months from its first release on 2024-01-01.'],
  [
    { policy: 'term', phases },
    '18 months of phase security from its first release on 2024-01-01, according to the definition.',
  ],
  [
    { policy: 'latest-lines', count: 1, months: 1 },
    'Only the newest release line has support, and older ones for 1 month, according to the definition.',
  ],
  [
    { policy: 'latest-lines', phases: counts },
    'Only the 2 newest release lines have phase security, according to the definition.',
  ],
  [
    { policy: 'dated', lines: { '1.1': '2026-01-31' } },
    '1.0 is older than 1.1, the oldest line with a listed end.',
  ],
  [
    { ...term, lines: { '1.0': { until: '2027-01-31', reason: 'The move takes longer.', url } } },
    'By exception until 2027-01-31, according to example.com: The move takes longer.',
  ],
  [
    { ...term, url },
    '18 months from its first release, whose date the registry does not give (seen by 2026-11-01).',
    '1.0 to 2026-11-01',
  ],
  [
    { ...term, inferred: 'It fits.' },
    'Estimated: 18 months from its first release, whose date the registry does not give (seen by 2026-11-01).',
    '1.0 to 2026-11-01',
  ],
  [
    { ...term, url },
    '18 months from its first release on or before 2026-11-01 (observed), according to example.com.',
    '1.0 to 2026-11-01, 1.1 to 2026-11-02',
  ],
  [
    { ...term, url },
    '18 months from its first release between 2026-10-01 and 2026-11-01 (observed), according to example.com.',
    '1.0 2026-10-01 to 2026-11-01',
  ],
])('the policy %j gives the reason "%s"', (support, reason, releases = three) => {
  const component = judgeOn(day, readReleases(releases), { support });

  expect(lineOf(component, '1.0').reason?.text).toBe(reason);
});

test.each<[until: Day, expected: string[]]>([
  ['2024-06-30', ['active 2024-06-30', 'security 2024-06-30', 'extended 2027-01-01']],
  ['2027-06-30', ['active 2025-01-01', 'security 2027-06-30']],
])(
  'a line with its own end %s in the definition has shorter phases before it, and keeps paid phases only if they end later',
  (until, expected) => {
    const support = { policy: 'term', phases, lines: { '1.0': until } };
    const [line] = judgeOn(day, readReleases(three), { support }).lines;

    expect(line!.phases.map((phase) => `${phase.name} ${phase.until}`)).toEqual(expected);
  },
);

test('an end date for a line does not remove an unlimited paid phase of the line', () => {
  const phases = [
    { name: 'full', count: 1 },
    { name: 'extended', count: 2, paid: true },
  ];
  const support = { policy: 'latest-lines', phases, lines: { '2.0': '2026-12-31' } };
  const [line] = judgeOn(day, readReleases('2.0 2025-01-01'), { support }).lines;

  expect(line!.phases.map(({ name }) => name)).toEqual(['full', 'extended']);
});

test('an end date is marked as inferred only if it comes from an inferred support policy', () => {
  const support = { ...term, inferred: 'It fits.', lines: { '1.1': '2027-12-31' } };
  const { lines } = judgeOn(day, readReleases(`${three}, 2.0-rc1`), { support });

  expect(lines.map(({ isInferred }) => isInferred)).toEqual([true, undefined, true, undefined]);
});

const until = '2026-12-31';
const limited = { ...term, until };
const paidPhases = [
  { name: 'standard', months: 12 },
  { name: 'extended', months: 36, paid: true },
];

test.each<[title: string, support: object, releases: string, ends: string]>([
  [
    'without another rule',
    { policy: 'none', until },
    three,
    `1.0 ${until}, 1.1 ${until}, 1.2 ${until}`,
  ],
  [
    'only if the line has no earlier end',
    limited,
    '1.0 2024-01-01, 1.1 2025-05-01, 1.2 2025-12-01',
    `1.0 2025-07-01, 1.1 2026-11-01, 1.2 ${until}`,
  ],
  [
    'of the newest lines, and not of the lines that have ended',
    { policy: 'latest-lines', count: 1, until },
    '1.0 2024-01-01, 1.1 2024-06-01',
    `1.0 2024-06-01, 1.1 ${until}`,
  ],
  [
    'of lines with a listed date, if this date is later',
    { policy: 'dated', lines: { '1.0': '2025-01-31', '1.1': '2028-01-31' }, until },
    '1.0, 1.1',
    `1.0 2025-01-31, 1.1 ${until}`,
  ],
  [
    'except of a line with an end of its own',
    { ...limited, lines: { '1.2': '2028-06-30', '1.1': '2026-05-31' } },
    '1.1 2025-05-01, 1.2 2025-12-01',
    '1.1 2026-05-31, 1.2 2028-06-30',
  ],
  [
    'at the latest, if the line has an uncertain end',
    limited,
    '1.0 2025-06-01 to 2025-12-01, 1.1 to 2025-12-01',
    `1.0 2026-12-01 to ${until}, 1.1 to ${until}`,
  ],
  ['at the latest, if the line began on an unknown day', limited, '1.0', `1.0 to ${until}`],
  ['of a line that has only a prerelease', limited, '1.0-rc-1', `1.0 ${until}`],
  [
    'at the latest, if the policy lists no end for the line',
    { policy: 'dated', lines: { '1.0': '2025-01-31' }, until },
    '1.0, 1.1',
    `1.0 2025-01-31, 1.1 to ${until}`,
  ],
])('the key "until" ends the support %s', (_, support, releases, ends) => {
  const listed = readReleases(releases);
  const component = judgeOn(day, listed, { support, prereleases: true });
  const told = component.lines.map(({ line, supportedUntil, supportedUntilAtMost: atMost }) =>
    [line, supportedUntil, atMost && `to ${atMost}`].filter(Boolean).join(' '),
  );

  expect(told.join(', ')).toBe(ends);
});

test('the key "until" keeps paid phases that end later, and gives its reason', () => {
  const support = {
    policy: 'term',
    phases: paidPhases,
    until: { until, reason: 'It is sold.', url },
  };
  const component = judgeOn(day, readReleases('1.0 2026-01-01'), { support });

  expect(component.support.description).toBe(
    'The phases of a release line, in months from its first release: standard 12, extended 36. No release is supported after 2026-12-31.',
  );
  expect(lineOf(component, '1.0')).toMatchObject({
    phases: [
      { name: 'standard', until },
      { name: 'extended', until: '2029-01-01', paid: true },
    ],
    reason: {
      text: 'No release is supported after 2026-12-31, according to example.com: It is sold.',
      from: '2027-01-01',
      url,
    },
  });
});

test.each<[support: object, releases: string]>(
  [
    { policy: 'none' },
    term,
    { ...term, inferred: 'It fits.' },
    { policy: 'term', phases },
    { policy: 'term', phases: paidPhases },
    { policy: 'latest-lines', count: 1 },
    { policy: 'latest-lines', count: 1, months: 6 },
    { policy: 'dated', lines: { '1.1': '2026-01-31', '1.2': '2027-05-31' } },
  ].flatMap((support) =>
    [three, undated, '1.0 2024-01-01, 1.1 to 2025-12-01, 1.2 2026-02-01 to 2026-06-01'].map(
      (releases): [object, string] => [support, releases],
    ),
  ),
)(
  'the key "until" gives no ended line its support back, and deprecates nothing before its end: %j, %s',
  (support, releases) => {
    const listed = readReleases(releases);
    for (const on of ['2025-06-30', day, '2026-12-31', '2027-01-01', '2030-01-01']) {
      const usual = judgeOn(on, listed, { support });
      const ended = judgeOn(on, listed, { support: { ...support, until } });
      for (const [index, line] of ended.lines.entries()) {
        const { state } = usual.lines[index]!;
        expect([on, line.line, line.state]).toEqual([
          on,
          line.line,
          on > until || state === 'ended' ? 'ended' : expect.not.stringMatching(/^ended$/),
        ]);
        expect(line.isSupported && state === 'may-have-ended').not.toBe(true);
      }
      const deprecated = (component: typeof ended) =>
        component.releases.filter(({ isDeprecated }) => isDeprecated).map(({ version }) => version);
      expect(deprecated(ended)).toEqual(
        on > until ? ended.releases.map(({ version }) => version) : deprecated(usual),
      );
    }
  },
);
