import { expect, test } from 'vitest';
import { formatRange } from '../../src/sources/affected-range.ts';

const keys: Readonly<Record<string, string>> = {
  '>=': 'introduced',
  '<': 'fixed',
  '<=': 'last_affected',
};
/** Creates an OSV range from events such as `>=1.0` and `<1.4`. */
const range = (...events: string[]) => ({
  type: 'SEMVER',
  events: events.map((event) => {
    const [, sign = '', version] = /^([<>=]+)(.*)$/.exec(event) ?? [];
    return { [keys[sign]!]: version };
  }),
});

test.each([
  ['>=0', '*'],
  ['>=1.0, <1.4, >=2 RC, <2.3', '<2.3'],
  ['>=0, <=1.0.0, >=1.0, <2', '<=1.0.0 || >=1.0 <2'],
  ['>=1.0.0, <=1.0', '>=1.0.0 <=1.0'],
  ['>=0, <=0', '<=0'],
  ['>=0, >=1.0, <1.0, <1.1', '<1.0 || >=1.0 <1.1'],
  ['<2.1, >=0, <1.1, >=2.0', '<1.1 || >=2.0 <2.1'],
  ['>=1.0, <1a2b3c4d', '>=1.0'],
  ['>=x, <1.4', '<1.4'],
])('the OSV events "%s" become the range "%s"', (events, expected) => {
  expect(formatRange([{ ranges: [range(...events.split(', '))] }])).toBe(expected);
});

test.each<[object[] | undefined, string[] | undefined, string]>([
  [undefined, ['1.0', '1.1'], '=1.0 || =1.1'],
  [[range('>=2.0', '<2.1')], ['1.3', '2.0.1'], '>=2.0 <2.1 || =1.3'],
  [[range('>=1.x', '<2.0')], ['3.O.0'], '<2.0'],
  [[range('<x')], ['1.0'], '*'],
])('combines the ranges %j and the versions %j into %s', (ranges, versions, expected) => {
  expect(formatRange([{ ranges, versions }] as Parameters<typeof formatRange>[0])).toBe(expected);
});

test('too many affected ranges become the range "*"', () => {
  const ranges = Array.from({ length: 9000 }, (_, index) =>
    range(`>=1.${index}.1`, `<1.${index}.2`),
  );

  expect(formatRange([{ ranges, versions: ['3.0'] }])).toBe('*');
});

test('too many affected versions become one range from the lowest to the highest version', () => {
  const versions = Array.from({ length: 1500 }, (_, index) => `${4000 + index}.0`);
  const ranges = [range('>=1', '<2')];

  expect(formatRange([{ versions: versions.slice(0, 900) }]).split(' || ')).toHaveLength(900);
  expect(formatRange([{ versions, ranges }])).toBe('>=1 <2 || >=4000.0 <=5499.0');
});

test('too many affected versions become the range "*" if their order is unclear', () => {
  const many = Array.from({ length: 1999 }, (_, index) => `2.${index}.1`);
  const versions = ['1.0-b', '1.0', '1.0-a', ...many];

  expect(formatRange([{ versions }])).toBe('*');
});
