import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/schemas/problems.ts';
import { RangeText } from '../../../src/core/schemas/scalars.ts';

const findRangeProblem = (text: string) => describeProblems(text, RangeText)[0];

test.each([
  '',
  '>=1.0.0 <2.O.0',
  '>=',
  'banana',
  '1 ||',
  '^1.2.3',
  '~> 1.9',
  '4.x',
  '1.2 - 1.4',
  '=2o.0',
  '1.x-rc',
  '1.2+',
  '>=1.2 <2.',
])('%j is rejected with examples', (text) => {
  expect(findRangeProblem(text)).toContain('expected a range of versions such as');
});

test.each(['>=2025.1.0 <=2025.1', '>=1.0-rc1 <1.0', '=2', '>=1.0.2a <1.0.2g', '=1.0-a.1'])(
  '%s allows a version',
  (text) => {
    expect(findRangeProblem(text)).toBeUndefined();
  },
);

test.each([
  '>2 <1',
  '>2 <2',
  '>=2 <2',
  '<1 >2 || >3',
  '>2.0 <2.0.0',
  '>1.0 >=1.0.0 <=1.0',
  '>1 =1.0',
])('a range with an alternative that no version is in is refused: %s', (text) => {
  expect(findRangeProblem(text)).toContain(
    'expected a range that allows some version in each alternative',
  );
});
