import { expect, it } from 'vitest';
import {
  groupByYear,
  listDatedReleases,
  mergeRecentReleases,
  listReleaseDays,
  sortByDay,
} from '../../src/decide/release-days.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded/recorded.ts';
import { componentOf, summariesOf } from '../site/render/sites.ts';

const lately = (releases: RecordedRelease[], day = '2026-06-30') =>
  mergeRecentReleases(summariesOf(componentOf(releases, {}, { day })));

it('recent releases reach 26 weeks back from the newest release, and are the same years later', () => {
  const releases = [
    { version: '1.0', releaseTimestamp: '2025-12-30' },
    { version: '1.1', releaseTimestamp: '2025-12-31' },
    { version: '1.2', releaseTimestamp: '2026-06-30' },
  ];

  expect(lately(releases).map(({ version }) => version)).toEqual(['1.2', '1.1']);
  expect(lately(releases, '2029-01-01')).toEqual(lately(releases));
});

it('recent releases reach back from the newest day, whatever its version', () => {
  const releases = [
    { version: '0.9', releaseTimestamp: '2025-12-30' },
    { version: '1.0', releaseTimestamp: '2026-06-30' },
    { version: '2.0', releaseTimestamp: '2026-01-01' },
  ];

  expect(lately(releases).map(({ version }) => version)).toEqual(['1.0', '2.0']);
});

it('recent releases include only the newest sixty of a component with frequent releases', () => {
  const releases = Array.from({ length: 100 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-06-30',
  }));

  const found = lately(releases);

  expect(found).toHaveLength(60);
  expect(found[0]!.version).toBe('1.99');
});

it('a recent release says whether its day is observed, whether it opens its line, its link and its notes', () => {
  const changelogUrl = 'https://example.com/own';
  const releases: RecordedRelease[] = [
    { version: '1.0', releaseTimestamp: '2026-06-01', changelogUrl, notes: 'The first.' },
    { version: '1.0.1', releaseTimestamp: '2026-06-02', deprecated: 'Broken.' },
    { version: '1.1', releaseTimestamp: '2026-06-03', timestampKind: 'observed' },
    { version: '1.2' },
  ];

  expect(lately(releases)).toMatchObject([
    { version: '1.1', day: '2026-06-03', isObserved: true, opensLine: true, line: '1.1' },
    { version: '1.0.1', isObserved: false, opensLine: false, isDeprecated: true, notes: '' },
    { version: '1.0', opensLine: true, isDeprecated: false, changelogUrl, notes: 'The first.' },
  ]);
});

it('the recent releases of several components are in one order', () => {
  const [one, two] = ['one', 'two'].map((name) =>
    componentOf(
      [
        { version: '1.0', releaseTimestamp: '2026-06-01' },
        { version: '1.1', releaseTimestamp: '2026-06-03' },
      ],
      {},
      { name },
    ),
  );

  const merged = mergeRecentReleases(summariesOf(one!, two!));

  expect(merged.map(({ component, version }) => `${component} ${version}`)).toEqual([
    ...['one 1.1', 'two 1.1', 'one 1.0', 'two 1.0'],
  ]);
});

/** Releases that were all first seen on a day. */
const firstSeen = (count: number): RecordedRelease[] =>
  Array.from({ length: count }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-05-01',
    timestampKind: 'observed',
  }));
const stated = { version: '2.0', releaseTimestamp: '2026-05-01' };

it('the day on which ten releases were first seen says nothing of them, and is the day of others', () => {
  const dated = (count: number) =>
    listDatedReleases(componentOf([...firstSeen(count), stated]).judgement.releases).length;

  expect([dated(9), dated(10)]).toEqual([10, 1]);
});

it('releases are grouped by year, the newest day first; those that were first seen at once have no day', () => {
  const older = { version: '0.9', releaseTimestamp: '2025-12-31' };
  const maintenance = { version: '0.9.1', releaseTimestamp: '2026-05-02' };
  const releases = [older, maintenance, ...firstSeen(10), stated];

  const { years, undated } = groupByYear(sortByDay(releases), releases);

  expect([...years]).toEqual([
    ['2026', [maintenance, stated]],
    ['2025', [older]],
  ]);
  expect(undated.map(({ version, releaseTimestamp }) => [version, releaseTimestamp])).toEqual(
    firstSeen(10)
      .map(({ version }) => [version, undefined])
      .reverse(),
  );
});

/** As of a source that states the day of its newest release only. The index first asked it on 1 June, and again when 2.1 came. */
const newestDated: RecordedRelease[] = [
  ...['1.0', '1.1'].map((version) => ({
    version,
    releaseTimestamp: '2026-06-01',
    timestampKind: 'observed' as const,
    firstSeen: '2026-06-01',
  })),
  { version: '2.0', releaseTimestamp: '2026-05-01', firstSeen: '2026-06-01' },
  {
    version: '1.2',
    releaseTimestamp: '2026-06-10',
    timestampKind: 'observed',
    firstSeen: '2026-06-10',
  },
  { version: '2.1', releaseTimestamp: '2026-06-20', firstSeen: '2026-06-20' },
];

it('releases that were first seen with a greater dated one are behind those with a day', () => {
  const { releases } = componentOf(newestDated).judgement;

  const sorted = sortByDay(releases);
  const { years, undated } = groupByYear(sorted, releases);

  expect(sorted.map(({ version }) => version)).toEqual(['2.1', '1.2', '2.0', '1.1', '1.0']);
  expect(Array.from(years, ([year, group]) => [year, group.length])).toEqual([['2026', 3]]);
  expect(undated.map(({ version }) => version)).toEqual(['1.1', '1.0']);
});

it('a timetable reaches back a year before the quarter, and has each day once', () => {
  const days = ['2026-05-01', '2025-04-01', '2026-05-01', '2025-03-31'];
  const releases = days.map((releaseTimestamp, index) => ({
    version: `1.${index}`,
    releaseTimestamp,
  }));

  expect(listReleaseDays(componentOf([...releases, { version: '1.9' }]).judgement)).toEqual([
    '2025-04-01',
    '2026-05-01',
  ]);
});
