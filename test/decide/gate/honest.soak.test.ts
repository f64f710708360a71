import { expect, test } from 'vitest';
import { liveHonestly } from '../../harness/honest-history.ts';

test('of 200 honest histories of 400 days, none is held more than once a year', () => {
  const held = Array.from({ length: 200 }, (_, seed) => liveHonestly(seed + 1, 400));

  expect(held.filter((days) => days.length > 1)).toEqual([]);
});
