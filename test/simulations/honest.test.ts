import { expect, test } from 'vitest';
import { liveHonestly } from '../harness/honest-history.ts';
import { expectNobodyMisled, recordedHistories, replay } from '../harness/upstream-simulation.ts';

test('of 200 honest histories of 400 days, none is held more than once a year', () => {
  const held = Array.from({ length: 200 }, (_, seed) => liveHonestly(seed + 1, 400));

  expect(held.filter((days) => days.length > 1)).toEqual([]);
});

test('no randomly lying upstream misleads readers', () => {
  expect(expectNobodyMisled(6, 60)).toBeGreaterThan(6);
});

test('holds no recorded history', () => {
  const histories = recordedHistories();

  expect(histories.flatMap((history) => replay(history).held)).toEqual([]);
  expect(histories.flat().length).toBeGreaterThan(40);
});
