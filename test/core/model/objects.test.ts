import { expect, test } from 'vitest';
import { pickDefined } from '../../../src/core/model/objects.ts';

test('of the picked keys, only those with a value are there', () => {
  const object: { a: number; b?: number | undefined; c?: number } = { a: 1, b: undefined };

  expect(Object.keys(pickDefined(object, ['a', 'b', 'c']))).toEqual(['a']);
});
