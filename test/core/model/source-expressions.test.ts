import { expect, test } from 'vitest';
import {
  describeTransformError,
  findTransformProblem,
  isInAllowedRange,
  parseAllowedRange,
} from '../../../src/core/model/source-expressions.ts';

test('an expression of JSONata has no problem, and another text has one with its place', () => {
  expect(findTransformProblem('releases.version')).toBeUndefined();
  expect(findTransformProblem('releases[')).toMatch(
    /^expected an expression of JSONata \(at character \d+: .+\)$/,
  );
});

test.each<[unknown, string]>([
  [{ message: 'Bad.', position: 3 }, 'at character 3: Bad.'],
  [{ message: 'Bad.' }, 'Bad.'],
  [new Error('Bad.'), 'Bad.'],
  ['bad', 'bad'],
])('the error %j of an expression is told as "%s"', (error, words) => {
  expect(describeTransformError(error)).toBe(words);
});

test.each([
  ['>=1.2 <2', ['1.2', 'v1.9.1'], ['1.1', '2.0', 'latest']],
  ['*', ['1.2'], ['latest']],
  ['>=1.2 <2', ['01.02.3'], ['02.1']],
  ['>=1.2 <2', ['1.2-rc1', '1.2.3.4'], ['1-5', '20240115123456789.1.5']],
])('the range %s allows %j, and not %j', (text, allowed, others) => {
  const range = parseAllowedRange(text)!;
  const isAllowed = (version: string) => isInAllowedRange(range, version);

  expect(allowed.filter((version) => !isAllowed(version))).toEqual([]);
  expect(others.filter(isAllowed)).toEqual([]);
});

test('a text that is no range allows nothing by chance', () => {
  expect(parseAllowedRange('>=1.0.0 <2.O.0')).toBeUndefined();
});
