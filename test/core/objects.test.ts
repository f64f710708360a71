import { expect, test } from 'vitest';
import { isObject, mapValues, pick } from '../../src/core/objects.ts';

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['text', false],
  [() => 1, false],
])('isObject(%j) is %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

test('pick returns the given keys in their order, and mapValues maps each value', () => {
  expect(Object.keys(pick({ a: 1, b: 2, c: 3 }, ['c', 'a']))).toEqual(['c', 'a']);
  expect(mapValues({ a: 1, b: 2 }, (value) => value * 10)).toEqual({ a: 10, b: 20 });
});
