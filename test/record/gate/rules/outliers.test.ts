import { expect, test } from 'vitest';
import { sortVersions } from '../../../../src/core/model/version.ts';
import {
  findOutliers,
  findVersionsBeforeTheirLine,
} from '../../../../src/record/gate/rules/outliers.ts';
import { release } from '../../../harness/judging.ts';
import { findGrowth } from '../../../harness/growth.ts';

const read = (versions: string) =>
  sortVersions(versions.split(' ').map((version) => ({ version })));
const minors = '1.0 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9';
const year = (highest: string) =>
  `its year has not begun, and the highest recorded version is ${highest}`;
const first = (highest: string) => `at least 10 times the highest recorded version (${highest})`;
const later = (group: number, measure: number) =>
  `${group} is far above the highest number at its place in earlier versions (${measure})`;
const beside = (version: string) => `beyond the same gap as ${version}`;

test.each<[recorded: string, added: string, outliers: Record<string, string>]>([
  ['2026.1 2026.2', '2026.3 2027.1', { '2027.1': year('2026.2') }],
  ['5.0 2026.1', '2027.1', { '2027.1': year('2026.1') }],
  ['2000.1', '2027.1', { '2027.1': year('2000.1') }],
  ['2027.1', '2028.1', { '2028.1': year('2027.1') }],
  ['2026.1 6000.1', '2027.1', { '2027.1': year('6000.1') }],
  ['2026.1 2100.1', '2027.1', { '2027.1': year('2100.1') }],
  ['2025.4', '2026.1', {}],
  ['2026.1', '2100.1', {}],
  ['2026.1 2027.1', '2027.2', {}],
  ['2050.1', '2060.1', {}],
  ['2022.3 2023.2', '6000.0.1', {}],
  ['2023.2 6000.0.1', '6000.1.0', {}],
  ['5.0', '2027.1', { '2027.1': first('5.0') }],
  ['2026.1 2026.2', '20260.1', { '20260.1': first('2026.2') }],
  [minors, '9.0', {}],
  [minors, '10.0', { '10.0': first('1.9') }],
  [minors, '99999999999999999999.0', { '99999999999999999999.0': first('1.9') }],
  ['0.1', '9.0', {}],
  ['0.1', '11', { '11': first('0.1') }],
  ['1.0', '1.99', {}],
  [minors, '1.20000', { '1.20000': later(20_000, 9) }],
  ['1.5 2.20', '1.300', { '1.300': later(300, 5) }],
  ['1.0.500', '1.200', { '1.200': later(200, 0) }],
  ['1.500 2.1', '2.200', { '2.200': later(200, 1) }],
  ['2026.1 2026.2', '2026.900', { '2026.900': later(900, 2) }],
  ['6.0.3', '6.0.100', { '6.0.100': later(100, 3) }],
  ['1.30 2.30', '3.169 3.310', { '3.310': later(310, 30) }],
  ['1.30 2.30', '3.170 3.310', { '3.310': later(310, 30), '3.170': beside('3.310') }],
  ['1.0.0.1', '1.0.0.20260101', {}],
  ['6.4.3889 6.5.0', '6.5.2518', {}],
  ['6.4.3889 6.5.0', '6.5.3889', {}],
  ['6.0 6.0.3', '6.0.99 6.0.112', { '6.0.112': later(112, 3), '6.0.99': beside('6.0.112') }],
  [
    '5.4.90 6.0.3',
    '5.4.99 6.0.70 6.0.112',
    { '6.0.112': later(112, 3), '6.0.70': beside('6.0.112') },
  ],
  ['6.0.60', '6.0.2 6.0.350 6.0.650', { '6.0.650': later(650, 60) }],
  ['6.0.60', '6.0.355 6.0.650', { '6.0.650': later(650, 60), '6.0.355': beside('6.0.650') }],
  [
    '6.0.60',
    '6.0.400 6.0.650 6.0.5000',
    { '6.0.650': later(650, 60), '6.0.400': beside('6.0.650'), '6.0.5000': later(5000, 60) },
  ],
])('after %s, outliers of %s are %j', (recorded, added, outliers) => {
  const options = { day: '2026-06-02', isFirst: false, minMeasure: 10 };
  const found = findOutliers(read(added), read(recorded), options);

  expect(Object.fromEntries(found)).toEqual(outliers);
});

test('of a first answer, only the first group is checked, and without releases nothing is', () => {
  const options = { day: '2026-06-02', isFirst: true, minMeasure: 10 };
  const outliers = (recorded: string) => [
    ...findOutliers(read('1.900 90.0'), read(recorded), options).keys(),
  ];

  expect([outliers(minors), outliers('')]).toEqual([['90.0'], []]);
});

// Work that grows with the square would take 64 times as long.
test.each([
  ['a number ten times as high', '1', '99'],
  ['a later year', '2026', '2050'],
])(
  'eight times as many versions with %s take less than 30 times as long',
  async (_, recorded, added) => {
    const options = { day: '2026-06-02', isFirst: true, minMeasure: 10 };
    const list = (first: string, count: number) =>
      sortVersions(
        Array.from({ length: count }, (__, minor) => ({ version: `${first}.${minor}` })),
      );

    const measure = (count: number) => {
      const lists = [list(added, count), list(recorded, count)] as const;
      const before = process.threadCpuUsage();
      findOutliers(...lists, options);
      return process.threadCpuUsage(before).user;
    };

    expect(await findGrowth(measure, 2000)).toBeLessThan(30);
  },
);

const early = release('2.0.7', '2025-06-01');
const startOf = (version: string, day: string) => [
  `2.0.7 dated 2025-06-01, before its line began with ${version} of ${day}`,
];

test.each([
  [
    'its line has a day',
    [release('2.0.0', '2026-01-10T00:00:00Z')],
    startOf('2.0.0', '2026-01-10'),
  ],
  ['its line began later', [release('2.0.1', '2026-02-01'), release('2.0.0', '2025-05-01')], []],
  ['its line began on that day', [release('2.0.0', '2025-06-01')], []],
  ['its line has no day', [release('2.0.0')], []],
  [
    'the first has no day',
    [release('2.0.0'), release('2.0.1', '2026-02-01')],
    startOf('2.0.1', '2026-02-01'),
  ],
  [
    'the first has an observed day',
    [release('2.0.0', '2026-01-10', { timestampKind: 'observed' })],
    [],
  ],
  ['another line began later', [release('2.1.0', '2026-01-10')], []],
  ['a text that is no version is dated', [release('nightly', '2026-01-10')], []],
])('a patch of an early day, where %s', (_, recorded, found) => {
  const outliers = findVersionsBeforeTheirLine([early], recorded, new Map());

  expect(Array.from(outliers, ([version, why]) => `${version} ${why}`)).toEqual(found);
});

test('only new patches are early, by the day that was rejected, too', () => {
  const added = [release('2.0.7'), release('2.0.8', '2026-02-01')];
  const recorded = [release('2.0.0', '2026-01-10'), release('2.0.2', '2025-01-01')];
  const outliers = findVersionsBeforeTheirLine(added, recorded, new Map([['2.0.7', '2025-06-01']]));

  expect([...outliers.keys()]).toEqual(['2.0.7']);
});
