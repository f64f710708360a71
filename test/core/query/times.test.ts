import { expect, test } from 'vitest';
import { formatDuration } from '../../../src/core/query/times.ts';

test.each([
  [0, 'P0D'],
  [999, 'P0D'],
  [1000, 'PT1S'],
  [86_399_999, 'PT23H59M59S'],
  [86_400_000, 'P1D'],
  [90_060_000, 'P1DT1H1M'],
])('%i milliseconds are %s', (milliseconds, duration) => {
  expect(formatDuration(milliseconds)).toBe(duration);
});
