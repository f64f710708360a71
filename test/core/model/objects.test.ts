import { expect, test } from 'vitest';
import { groupNeighbours, isObject, pickDefined } from '../../../src/core/model/objects.ts';

test('of the picked keys, only those with a value are there', () => {
  const object: { a: number; b?: number | undefined; c?: number } = { a: 1, b: undefined };

  expect(Object.keys(pickDefined(object, ['a', 'b', 'c']))).toEqual(['a']);
});

test('neighbours that belong together are a group, and no others', () => {
  const groups = groupNeighbours([1, 1, 2, 1], (number, first) => number === first);

  expect(groups).toEqual([[1, 1], [2], [1]]);
});

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ['a', false],
  [1, false],
  [undefined, false],
])('whether %j has keys: %j', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
