import { expect, test } from 'vitest';
import { liveHonestly } from '../../harness/honest-history.ts';
import { expectNobodyMisled, recordedHistories, replay } from '../../harness/upstream-simulation.ts';

test('of honest histories of 400 days, none is held more than once a year', () => {
  const held = Array.from({ length: 12 }, (_, seed) => liveHonestly(seed + 1, 400));

  expect(held.filter((days) => days.length > 1)).toEqual([]);
});

test('of upstreams that lie at random, none misleads anybody', () => {
  expect(expectNobodyMisled(6, 60)).toBeGreaterThan(6);
});

test('recorded histories are not held', () => {
  const histories = recordedHistories();

  expect(histories.flatMap((history) => replay(history).held)).toEqual([]);
  expect(histories.flat().length).toBeGreaterThan(40);
});
