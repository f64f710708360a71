import { expect, test } from 'vitest';
import {
  asWarnings,
  InputError,
  inputError,
  isError,
  readEach,
  readProblems,
  requireAll,
} from '../../src/core/errors.ts';

const problem = { subject: 'svc', message: 'is wrong' };

test('a problem without a level is an error', () => {
  expect(
    [problem, { ...problem, level: 'notice' as const }, ...asWarnings([problem])].map(isError),
  ).toEqual([true, false, false]);
});

test('readEach returns all results, and all problems of values that cannot be read', () => {
  const { results, problems } = readEach([1, 2, 3], (value) => {
    if (value === 2) {
      throw new InputError([problem, problem]);
    }
    return value * 10;
  });

  expect(results).toEqual([10, 30]);
  expect(problems).toEqual([problem, problem]);
  expect(() => requireAll({ results, problems })).toThrow('svc is wrong\nsvc is wrong');
  expect(() => requireAll({ results, problems: [problem] })).toThrow('svc is wrong');
  expect(requireAll({ results, problems: [] })).toEqual([10, 30]);
});

test('readProblems rethrows an error that no person can correct', () => {
  const bug = new TypeError('x is not a function');

  expect(readProblems(inputError('svc', 'is wrong'))).toEqual([problem]);
  expect(() => readProblems(bug)).toThrow(bug);
});
