import { expect, test } from 'vitest';
import { parseTimestamp } from '../../src/sources/timestamps.ts';

test.each([
  ['2026-03-25T10:20:30.123456789+02:00', '2026-03-25T08:20:30Z'],
  ['2026-03-25 14:30:00,5', '2026-03-25T14:30:00Z'],
  ['2026-03-25 14:30 UTC', '2026-03-25T14:30:00Z'],
  ['06th of June, 2025', '2025-06-06T00:00:00Z'],
  ['1 Sept. 2025', '2025-09-01T00:00:00Z'],
  ['  May\n1st 2026 ', '2026-05-01T00:00:00Z'],
])('reads the date %j as %s', (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected);
});

test.each([
  '2026-02-30',
  '2026-03-25T24:00:00Z',
  '01/02/2025',
  '25 Marc 2026',
  'yesterday',
  '1774434030',
  '',
])('rejects the ambiguous or invalid date %j', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});
