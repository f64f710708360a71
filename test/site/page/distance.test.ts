import { expect, it } from 'vitest';
import { describeDistance } from '../../../src/site/page/distance.ts';

const evening = Date.parse('2026-11-20T22:00:00Z');

it.each([
  ['2026-11-20', 'today'],
  ['2026-11-21', 'tomorrow'],
  ['2026-11-19', 'yesterday'],
  ['2026-12-10', 'in 20 days'],
  ['2027-01-15', 'in 8 weeks'],
  ['2026-10-08', '6 weeks ago'],
  ['2027-12-30', 'in 13 months'],
  ['2024-11-20', '24 months ago'],
])('%s is %s', (day, words) => {
  expect(describeDistance(day, evening)).toBe(words);
});
