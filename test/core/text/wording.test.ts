import { expect, test } from 'vitest';
import { formatList } from '../../../src/core/text/wording.ts';

test.each([
  [2, 'a, b'],
  [3, 'a, b and 1 more'],
  [2345, 'a, b and 2,343 more'],
])('a list of %i names says how many it leaves out', (size, text) => {
  const names = ['a', 'b', ...Array.from({ length: size - 2 }, String)];

  expect(formatList(names, 2)).toBe(text);
});
