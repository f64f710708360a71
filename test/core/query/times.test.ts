import { expect, test } from 'vitest';
import { readExactDuration } from '../../../src/core/query/times.ts';

test.each([
  ['30d', 30 * 86_400_000],
  ['P0D', 0],
  ['3mo', undefined],
  ['1y', undefined],
  ['P1Y2D', undefined],
  ['banana', undefined],
])('the milliseconds of %s, whatever the day, are %s', (text, milliseconds) => {
  expect(readExactDuration(text)).toBe(milliseconds);
});
