import { expect, test, vi } from 'vitest';
import { findMedian, readOffset } from '../../../src/sources/http/offsets.ts';

test.each<[numbers: number[], median: number | undefined]>([
  [[], undefined],
  [[7], 7],
  [[9, 1, 5], 5],
  [[100, 20, 3], 20],
  [[-5, 3], 3],
  [[5, -3], -3],
  [[1, 9, 4, 2], 2],
  [[-1, -9, -4, -2], -2],
])('the median of %j is %s', (numbers, median) => {
  expect(findMedian(numbers)).toBe(median);
});

const now = Date.parse('2026-11-20T06:00:00Z');

test.each<[headers: Record<string, string>, offset: number | undefined]>([
  [{}, undefined],
  [{ date: 'yesterday' }, undefined],
  [{ date: 'Fri, 20 Nov 2026 06:00:05 GMT' }, 5000],
  [{ date: 'Fri, 20 Nov 2026 05:59:00 GMT' }, -60_000],
  [{ date: 'Fri, 20 Nov 2026 05:59:00 GMT', age: '60' }, 0],
  [{ date: 'Fri, 20 Nov 2026 06:00:00 GMT', age: '1234567890' }, 0],
  [{ date: 'Fri, 20 Nov 2026 06:00:00 GMT', age: '-5' }, 0],
])('an answer with the headers %j is ahead by %s', (headers, offset) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  try {
    expect(readOffset(new Headers(headers))).toBe(offset);
  } finally {
    vi.useRealTimers();
  }
});
