/** Checks which losses and new versions the gate holds, day by day. */
import { expect, test } from 'vitest';
import type { SourceRelease } from '../../src/sources/read-releases.ts';
import {
  also,
  cut,
  far,
  junk,
  live,
  lost,
  nothing,
  omit,
  small,
  testDays,
  yank,
} from '../harness/gate-days.ts';
import { all, many } from '../harness/gated.ts';

const demote = (list: readonly SourceRelease[], form: RegExp) =>
  list.map((each) => (form.test(each.version) ? { ...each, isPrerelease: true } : each));
const flood = (count: number) => [...all, ...many(count, (index) => `2.1.5.${index}`)];
const old = (count: number, first = 0) => many(count, (index) => `2.${first + index}`);
const falls = (to: string) => `the latest release would fall from 2.11.4 to ${to}`;
const three = omit(all, /^2\.9\.[123]$/);
const half = all.slice(0, 30);
const yankedNewest = yank(also('2.12.0'), /2\.12/);
const builds = [...all, ...many(12, (index) => `2.${index}.${5 + index * 900}`)];

testDays([
  [
    'the withdrawal of only the latest release takes effect',
    'none lines term',
    [all, all.slice(0, -1), all.slice(0, -1)],
    '',
    'withdrawn 2.11.4',
  ],
  [
    'the withdrawal of the two latest releases is held',
    'none lines term',
    [all, all.slice(0, -2), all.slice(0, -2)],
    '',
    falls('2.11.2'),
  ],
  [
    'the withdrawal of three of fifteen releases in use is held',
    'none lines',
    [all, three, three],
    '',
    lost(3),
  ],
  [
    'the releases of the three newest lines with a usable release are in use',
    'none',
    [also('2.12.0'), yankedNewest, ...[1, 2].map(() => omit(yankedNewest, /^2\.9\.[123]$/))],
    'yanked 2.12.0',
    '',
    lost(3),
  ],
  [
    'the withdrawal of the latest release and a prerelease above it takes effect',
    'none',
    [all, demote(all, /11\.4/), all.slice(0, -2), all.slice(0, -2)],
    'demoted 2.11.4',
    '',
    'withdrawn 2.11.3 2.11.4',
  ],
  [
    'the withdrawal of the latest release and a yanked one above it takes effect',
    'none',
    [all, yank(all, /11\.4/), all.slice(0, -2), all.slice(0, -2)],
    'yanked 2.11.4',
    '',
    'withdrawn 2.11.3 2.11.4',
  ],
  [
    'the withdrawal of three of fifty releases in use takes effect',
    'term',
    [all, three, three],
    '',
    'withdrawn 2.9.1 2.9.2 2.9.3',
  ],
  [
    'the withdrawal of three fifths of a list is held, even if none of them is in use',
    'none lines',
    [all, all.slice(36), all.slice(36)],
    '',
    cut(36, 60),
  ],
  [
    'the withdrawal of fewer than three fifths of a list takes effect',
    'none lines',
    [all, all.slice(35), all.slice(35)],
    '',
    'withdrawn 35',
  ],
  [
    'the withdrawal of the older half is held if it includes releases in use',
    'term',
    [all, all.slice(30), all.slice(30)],
    '',
    lost(20, 50),
  ],
  [
    'the withdrawal of nine of fifteen old releases takes effect',
    'none',
    [old(15), old(6, 9), old(6, 9)],
    '',
    'withdrawn 9',
  ],
  [
    'the withdrawal of ten of sixteen old releases is held',
    'none',
    [old(16), old(6, 10), old(6, 10)],
    '',
    cut(10, 16),
  ],
  [
    'the withdrawal of twelve of twenty listed releases is held, even if forty are recorded',
    'none',
    [old(40), old(20, 20), old(20, 20), old(8, 32), old(8, 32)],
    '',
    'withdrawn 20',
    '',
    cut(12, 20),
  ],
  [
    'a loss is held if one of two sources lists three fifths less',
    'none',
    [
      { list: half, b: many(30, (index) => `30.${index}`) },
      ...[1, 2].map(() => ({ list: half.slice(18), b: many(30, (index) => `30.${index}`) })),
    ],
    '',
    cut(18, 30),
  ],
  [
    'a loss is held even if it moves an end to a later date',
    'lines',
    [all, ...[1, 2].map(() => omit(all, /^2\.(?:[89]|11)\./))],
    '',
    lost(10),
  ],
  [
    'a held loss that grows stays one hold',
    'none',
    [all, half, half, all.slice(0, 25), all.slice(0, 25)],
    '',
    lost(15),
    lost(15),
    lost(15),
  ],
  [
    'a held loss that shrinks stays one hold',
    'none',
    [all, half, half, small, small],
    '',
    lost(15),
    lost(15),
    lost(15),
  ],
  [
    'a new release takes effect while a loss is held',
    'none',
    [all, half, half, [...half, { version: '2.5.9' }]],
    '',
    lost(15),
    `${lost(15)}, new 2.5.9`,
  ],
  [
    'the loss of releases that appeared after a withdrawal is held',
    'none',
    [
      all,
      ...[1, 2].map(() => all.slice(0, -1)),
      [...all.slice(0, -1), ...junk(9, '3')],
      ...[1, 2].map(() => all.slice(0, -1)),
    ],
    '',
    'withdrawn 2.11.4',
    'new 9',
    '',
    lost(3, 3),
  ],
  [
    'the loss of 40 of 60 releases is held, even if 30 others appear',
    'none',
    [all, ...[1, 2].map(() => [...all.slice(40), ...junk(30)])],
    'new 30',
    cut(40, 60),
  ],

  [
    'a version of ten times the greatest number is held',
    'none',
    [all, also('20.0'), also('20.0')],
    far('20.0'),
    far('20.0'),
  ],
  [
    'a version of less than ten times the greatest number takes effect',
    'none',
    [all, also('19.0')],
    'new 19.0',
  ],
  [
    'a second outlier gets its own hold',
    'none',
    [all, also('9999.0'), also('9999.0', '20260303')],
    far('9999.0'),
    `${far('9999.0')}, ${far('20260303')}`,
  ],
  [
    '9.0 takes effect after versions below 1.0',
    'none',
    [[{ version: '0.1' }], [{ version: '0.1' }, { version: '9.0' }]],
    'new 9.0',
  ],
  [
    '10.0 is held after versions below 1.0',
    'none',
    [[{ version: '0.1' }], [{ version: '0.1' }, { version: '10.0' }]],
    far('10.0'),
  ],
  [
    'a high build number takes effect in a new line if each line has its own range of numbers',
    'none',
    [builds, [...builds, { version: '2.12.10803' }]],
    'new 2.12.10803',
  ],
  [
    'a build number that other lines have reached takes effect',
    'none',
    [builds, [...builds, { version: '2.0.500' }]],
    'new 2.0.500',
  ],
  [
    'a high fourth number takes effect',
    'none',
    [also('2.11.5.1'), also('2.11.5.1', '2.11.5.9999')],
    'new 2.11.5.9999',
  ],
  [
    'an outlier of an edited source is held',
    'none',
    [all, { list: also('20.0'), isEdited: true }],
    far('20.0'),
  ],
  [
    'an outlier stays held after upstream withdraws another one',
    'none',
    [all, also('20.0', '30.0'), also('20.0'), also('20.0')],
    far('20.0'),
    far('20.0'),
    far('20.0'),
  ],
  [
    'a high build number in a line of low numbers is held',
    'none',
    [builds, [...builds, { version: '2.0.9999' }]],
    far('2.0.9999'),
  ],
  ['1,000 new versions take effect', 'none', [all, flood(1000)], 'new 1000'],
  [
    'a new release takes effect while 1,001 new versions are held',
    'none',
    [all, flood(1001), [...flood(1001), { version: '2.11.5' }]],
    '1,001 new versions at once',
    '1,001 new versions at once, new 2.11.5',
  ],
  [
    '1,001 new versions and their outliers are held separately',
    'none',
    [all, [...flood(991), ...many(10, (index) => `${30 + index}.0`)]],
    `${far('30.0')}, 1,001 new versions at once`,
  ],
  [
    'an outlier that upstream withdraws and lists again is held again',
    'none',
    [all, also('20.0'), all, all, also('20.0')],
    far('20.0'),
    far('20.0'),
    '',
    far('20.0'),
  ],
  [
    '1,001 new versions that upstream withdraws and lists again are held again',
    'none',
    [all, flood(1001), all, all, flood(1001)],
    '1,001 new versions at once',
    '1,001 new versions at once',
    '',
    '1,001 new versions at once',
  ],
  [
    'a list of another product with higher versions is held',
    'none',
    [all, ...[1, 2].map(() => ['20.0', '21.0', '22.0'].map((version) => ({ version })))],
    far('20.0'),
    `${far('20.0')}, ${lost(15)}`,
  ],
  [
    '2,000 new versions of an edited source take effect',
    'none',
    [all, { list: flood(2000), isEdited: true }],
    'new 2000',
  ],

  ['a yank of all releases is held', 'none', [all, yank(all, /./)], lost(15)],
  [
    'the latest release may become a prerelease',
    'none',
    [all, demote(all, /11\.4/)],
    'demoted 2.11.4',
  ],
  [
    'a change of three releases to prereleases is held',
    'none',
    [all, demote(all, /2\.9\.[123]/)],
    lost(3),
  ],
  [
    'a yank of the only release is held',
    'none',
    [[{ version: '1.0' }], [{ version: '1.0', deprecated: 'Broken.' }]],
    'the latest release would fall from 1.0 to none',
  ],
  [
    'an outlier and the loss of the two latest releases get separate holds',
    'none',
    [all, ...[1, 2].map(() => also('9999.0').toSpliced(58, 2))],
    far('9999.0'),
    `${far('9999.0')}, ${falls('2.11.2')}`,
  ],
]);

test('a hold keeps its id if the held versions change', () => {
  const second = live('none', live('none', nothing, all), half);

  expect(live('none', second, half).held).toMatchObject([{ id: 'svc-e2839e7f9c' }]);
});
