import { expect, test } from 'vitest';
import { throwProblems } from '../../src/cli/read-arguments.ts';

test.each([
  [21, 'and 1 more such problem'],
  [22, 'and 2 more such problems'],
])('of %s problems of an argument, the first 20 are named: %s', (count, last) => {
  const problems = Array.from({ length: count }, (_, index) => `problem ${index}`);

  expect(() => throwProblems('bom.json', problems)).toThrow(
    new RegExp(`^bom.json: problem 19\\nbom.json: ${last}$`, 'm'),
  );
});
