/** Losses and new versions that are held, day by day. */
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
const builds = [...all, ...many(12, (index) => `2.${index}.${5 + index * 900}`)];

testDays([
  [
    'the greatest is pulled',
    'none lines term',
    [all, all.slice(0, -1), all.slice(0, -1)],
    '',
    'withdrawn 2.11.4',
  ],
  [
    'the two greatest are pulled',
    'none lines term',
    [all, all.slice(0, -2), all.slice(0, -2)],
    '',
    falls('2.11.2'),
  ],
  ['three of fifteen releases in use are pulled', 'none lines', [all, three, three], '', lost(3)],
  [
    'three of many releases in use are pulled',
    'term',
    [all, three, three],
    '',
    'withdrawn 2.9.1 2.9.2 2.9.3',
  ],
  [
    'the oldest three fifths leave, none of them in use',
    'none lines',
    [all, all.slice(36), all.slice(36)],
    '',
    cut(36, 60),
  ],
  [
    'fewer than three fifths leave',
    'none lines',
    [all, all.slice(35), all.slice(35)],
    '',
    'withdrawn 35',
  ],
  [
    'the older half leaves, with releases in use',
    'term',
    [all, all.slice(30), all.slice(30)],
    '',
    lost(20, 50),
  ],
  ['nine old releases leave', 'none', [old(15), old(6, 9), old(6, 9)], '', 'withdrawn 9'],
  ['ten old releases leave', 'none', [old(16), old(6, 10), old(6, 10)], '', cut(10, 16)],
  [
    'one of two sources lists three fifths less',
    'none',
    [
      { list: half, b: many(30, (index) => `30.${index}`) },
      ...[1, 2].map(() => ({ list: half.slice(18), b: many(30, (index) => `30.${index}`) })),
    ],
    '',
    cut(18, 30),
  ],
  [
    'a loss that moves an end to a later day',
    'lines',
    [all, ...[1, 2].map(() => omit(all, /^2\.(?:[89]|11)\./))],
    '',
    lost(10),
  ],
  [
    'a loss that grows',
    'none',
    [all, half, half, all.slice(0, 25), all.slice(0, 25)],
    '',
    lost(15),
    lost(15),
    lost(15),
  ],
  [
    'a loss that shrinks',
    'none',
    [all, half, half, small, small],
    '',
    lost(15),
    lost(15),
    lost(15),
  ],
  [
    'a release comes while a loss is held',
    'none',
    [all, half, half, [...half, { version: '2.5.9' }]],
    '',
    lost(15),
    `${lost(15)}, new 2.5.9`,
  ],
  [
    'releases leave that came after a withdrawal',
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
    '40 of 60 releases leave as 30 others come',
    'none',
    [all, ...[1, 2].map(() => [...all.slice(40), ...junk(30)])],
    'new 30',
    cut(40, 60),
  ],

  [
    'a version of ten times the greatest number',
    'none',
    [all, also('20.0'), also('20.0')],
    far('20.0'),
    far('20.0'),
  ],
  ['a version of less than ten times the greatest number', 'none', [all, also('19.0')], 'new 19.0'],
  [
    'a second outlier',
    'none',
    [all, also('9999.0'), also('9999.0', '20260303')],
    far('9999.0'),
    `${far('9999.0')}, ${far('20260303')}`,
  ],
  [
    '9.0 comes while all versions are below 1.0',
    'none',
    [[{ version: '0.1' }], [{ version: '0.1' }, { version: '9.0' }]],
    'new 9.0',
  ],
  [
    '10.0 comes while all versions are below 1.0',
    'none',
    [[{ version: '0.1' }], [{ version: '0.1' }, { version: '10.0' }]],
    far('10.0'),
  ],
  [
    'a high build number in a new line, where each line has its own',
    'none',
    [builds, [...builds, { version: '2.12.10803' }]],
    'new 2.12.10803',
  ],
  [
    'a build number that other lines have reached',
    'none',
    [builds, [...builds, { version: '2.0.500' }]],
    'new 2.0.500',
  ],
  [
    'a high fourth number',
    'none',
    [also('2.11.5.1'), also('2.11.5.1', '2.11.5.9999')],
    'new 2.11.5.9999',
  ],
  [
    'an outlier of an edited source',
    'none',
    [all, { list: also('20.0'), isEdited: true }],
    far('20.0'),
  ],
  [
    'upstream withdraws one of two outliers',
    'none',
    [all, also('20.0', '30.0'), also('20.0'), also('20.0')],
    far('20.0'),
    far('20.0'),
    far('20.0'),
  ],
  [
    'a high build number in a line of low ones',
    'none',
    [builds, [...builds, { version: '2.0.9999' }]],
    far('2.0.9999'),
  ],
  ['1,000 new versions', 'none', [all, flood(1000)], 'new 1000'],
  [
    'a release comes while 1,001 new versions are held',
    'none',
    [all, flood(1001), [...flood(1001), { version: '2.11.5' }]],
    '1,001 new versions at once',
    '1,001 new versions at once, new 2.11.5',
  ],
  [
    '1,001 new versions with outliers',
    'none',
    [all, [...flood(991), ...many(10, (index) => `${30 + index}.0`)]],
    `${far('30.0')}, 1,001 new versions at once`,
  ],
  [
    'upstream withdraws an outlier, and lists it again',
    'none',
    [all, also('20.0'), all, all, also('20.0')],
    far('20.0'),
    far('20.0'),
    '',
    far('20.0'),
  ],
  [
    'upstream withdraws 1,001 new versions, and lists them again',
    'none',
    [all, flood(1001), all, all, flood(1001)],
    '1,001 new versions at once',
    '1,001 new versions at once',
    '',
    '1,001 new versions at once',
  ],
  [
    'another product with higher versions',
    'none',
    [all, ...[1, 2].map(() => ['20.0', '21.0', '22.0'].map((version) => ({ version })))],
    far('20.0'),
    `${far('20.0')}, ${lost(15)}`,
  ],
  [
    'many new versions of an edited source',
    'none',
    [all, { list: flood(2000), isEdited: true }],
    'new 2000',
  ],

  ['all releases are yanked', 'none', [all, yank(all, /./)], lost(15)],
  ['the greatest becomes a prerelease', 'none', [all, demote(all, /11\.4/)], 'demoted 2.11.4'],
  ['three become prereleases', 'none', [all, demote(all, /2\.9\.[123]/)], lost(3)],
  [
    'the only release is yanked',
    'none',
    [[{ version: '1.0' }], [{ version: '1.0', deprecated: 'Broken.' }]],
    'the latest release would fall from 1.0 to none',
  ],
  [
    'the two latest releases are pulled as an outlier comes',
    'none',
    [all, ...[1, 2].map(() => also('9999.0').toSpliced(58, 2))],
    far('9999.0'),
    `${far('9999.0')}, ${falls('2.11.2')}`,
  ],
]);

test('derives the id of a hold from its kind and first versions', () => {
  const second = live('none', live('none', nothing, all), half);

  expect(live('none', second, half).held).toMatchObject([{ id: 'svc-e2839e7f9c' }]);
});
