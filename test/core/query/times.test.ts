import { expect, test } from 'vitest';
import { readExactDuration, readTime } from '../../../src/core/query/times.ts';

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

test.each([
  ['2027', '2027-01-01', '2027-12-31'],
  ['2028-02', '2028-02-01', '2028-02-29'],
  ['2027-11', '2027-11-01', '2027-11-30'],
  // The last day stands for support without an end.
  ['9999', '9999-01-01', '9999-12-31'],
  ['9999-12', '9999-12-01', '9999-12-31'],
])('%s is from the first millisecond of %s to the last of %s', (text, first, last) => {
  const span = [Date.parse(first), Date.parse(last) + 86_400_000 - 1];

  expect(readTime(text, 0)).toEqual(span);
});
