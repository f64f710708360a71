import { expect, test } from 'vitest';
import { RangeText } from '../../src/core/schema/scalars.ts';
import { formatRange, listFixed } from '../../src/sources/affected-range.ts';

const range = (...events: object[]) => ({ type: 'SEMVER', events });

test.each<[object[] | undefined, string[] | undefined, string]>([
  [[range({ introduced: '0' })], undefined, '*'],
  [[range({ introduced: '1.0' }, { last_affected: '1.4' })], undefined, '>=1.0 <=1.4'],
  [
    [range({ introduced: '1.0' }, { fixed: '1.4' }, { introduced: '2 RC' }, { fixed: '2.3' })],
    undefined,
    '<2.3',
  ],
  [
    [range({ introduced: '0' }, { last_affected: '1.0.0' }, { introduced: '1.0' }, { fixed: '2' })],
    undefined,
    '<=1.0.0 || >=1.0 <2',
  ],
  [[range({ introduced: '1.0.0' }, { last_affected: '1.0' })], undefined, '>=1.0.0 <=1.0'],
  [[range({ introduced: '0' }, { last_affected: '0' })], undefined, '<=0'],
  [undefined, ['1.0', '1.1'], '=1.0 || =1.1'],
  [[range({ introduced: '2.0' }, { fixed: '2.1' })], ['1.3', '2.0.1'], '>=2.0 <2.1 || =1.3'],
  [[range({ fixed: '1.4' }, { introduced: '1.0' })], undefined, '>=1.0 <1.4'],
  [
    [range({ introduced: '0' }, { introduced: '1.0' }, { fixed: '1.0' }, { fixed: '1.1' })],
    undefined,
    '<1.0 || >=1.0 <1.1',
  ],
  [
    [range({ fixed: '2.1' }, { introduced: '0' }, { fixed: '1.1' }, { introduced: '2.0' })],
    undefined,
    '<1.1 || >=2.0 <2.1',
  ],
  [[range({ introduced: '1.0' }, { fixed: '1a2b3c4d' })], undefined, '>=1.0'],
  [[range({ introduced: 'x' }, { fixed: '1.4' })], undefined, '<1.4'],
  [[range({ introduced: '1.0.2a' }, { fixed: '1.0.2g' })], undefined, '>=1.0.2a <1.0.2g'],
  [[range({ introduced: '1.0' }, { fixed: '1.x' })], undefined, '>=1.0'],
  [[range({ introduced: '1.x' }, { fixed: '2.0' })], ['3.O.0'], '<2.0'],
  [[{ type: 'GIT', events: [{ introduced: '0' }] }], undefined, '*'],
  [[range({ fixed: 'x' })], ['1.0'], '*'],
  [[range()], undefined, '*'],
])('%j and %j are %s: what cannot be read widens it', (ranges, versions, expected) => {
  expect(formatRange([{ ranges, versions }] as Parameters<typeof formatRange>[0])).toBe(expected);
});

test('a version in the range of any package is not named by itself', () => {
  const ranges = [range({ introduced: '1.0' }, { fixed: '1.2' })];

  expect(formatRange([{ versions: ['1.1', '3.0'] }, { ranges }])).toBe('>=1.0 <1.2 || =3.0');
});

test('too many versions become a span around all of them', () => {
  const versions = Array.from({ length: 1500 }, (_, index) => `${4000 + index}.0`);
  const ranges = [range({ introduced: '1' }, { fixed: '2' })];

  expect(formatRange([{ versions: versions.slice(0, 900) }]).split(' || ')).toHaveLength(900);
  const text = formatRange([{ versions, ranges }]);
  expect(text).toBe('>=1 <2 || >=4000.0 <=5499.0');
  expect(RangeText.safeParse(text).success).toBe(true);
});

test('the first versions without a vulnerability are listed once', () => {
  const ranges = [
    range({ introduced: '1' }, { fixed: '2' }),
    range({ fixed: '2' }, { fixed: 'x' }),
  ];

  expect(listFixed([{ ranges }])).toEqual(['2']);
});
