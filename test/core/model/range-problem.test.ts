import { expect, test } from 'vitest';
import { findRangeProblem } from '../../../src/core/schemas/selected-versions.ts';

test.each([
  ['^1.2.3', '>=1.2.3 <2'],
  ['^0.2.3', '>=0.2.3 <0.3'],
  ['~1.2.3', '>=1.2.3 <1.3'],
  ['~2', '>=2 <3'],
  ['^0.0.3', '>=0.0.3 <0.0.4'],
  ['^0', '>=0 <1'],
  ['^0.0', '>=0.0 <0.1'],
  ['^9007199254740993', '>=9007199254740993 <9007199254740994'],
  ['~ 1.2', '>=1.2 <1.3'],
  ['~>v1.9', '>=1.9 <2'],
  ['~> 1.9.2', '>=1.9.2 <1.10'],
  ['~> 1', '>=1 <2'],
  ['v4.X', '4'],
  ['4.x', '4'],
  ['4.1.*', '4.1'],
  ['1.2 - 1.4', '>=1.2 <1.5'],
  ['1.2 - 1.4.0', '>=1.2 <=1.4.0'],
  ['>=1.2, <2', '>=1.2 <2'],
  ['4.x || ^5.1', '4 || >=5.1 <6'],
])('%s is rejected with the form to write, %s', (text, instead) => {
  expect(findRangeProblem(text)).toBe(`expected "${instead}", which means the same`);
});

test.each(['', '>=1.0.0 <2.O.0', '>=', 'banana', '1 ||', '^1.2 || 3 - 2'])(
  '%j is rejected with examples',
  (text) => {
    expect(findRangeProblem(text)).toContain('expected a range of versions such as');
  },
);

test.each(['>=2025.1.0 <=2025.1', '>=1.0-rc1 <1.0', '=2'])('%s allows a version', (text) => {
  expect(findRangeProblem(text)).toBeUndefined();
});

test.each([
  '>2 <1',
  '>2 <2',
  '>=2 <2',
  '<1 >2 || >3',
  '>2.0 <2.0.0',
  '>1.0 >=1.0.0 <=1.0',
  '>1 =1.0',
])('a range with an alternative that no version is in is refused: %s', (text) => {
  expect(findRangeProblem(text)).toBe(
    'expected a range that allows some version in each alternative',
  );
});
