import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTimestamp } from '../../../src/core/model/dates.ts';

test.each([
  // ISO 8601
  ['2026-03-25', '2026-03-25T00:00:00Z'],
  ['2026-03-25t10:20:30z', '2026-03-25T10:20:30Z'],
  ['2026-03-25T10:20:30.123456789Z', '2026-03-25T10:20:30Z'],
  ['2026-03-25T10:20:30,5Z', '2026-03-25T10:20:30Z'],
  ['2026-03-25T10:20Z', '2026-03-25T10:20:00Z'],
  ['2026-03-25T01:20:30+02:00', '2026-03-24T23:20:30Z'],
  ['2026-03-25T10:20:30-0530', '2026-03-25T15:50:30Z'],
  ['2026-12-31T23:30:00-01', '2027-01-01T00:30:00Z'],
  ['2026-03-25T10:20:30', '2026-03-25T10:20:30Z'],
  ['2026-03-25 10:20:30 UTC', '2026-03-25T10:20:30Z'],
  ['2024-02-29', '2024-02-29T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['  2026-03-25\n', '2026-03-25T00:00:00Z'],
  // Dates of HTTP
  ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['25 Mar 2026 10:20:30 +0000', '2026-03-25T10:20:30Z'],
  // Days as people print them
  ['25th March 2026', '2026-03-25T00:00:00Z'],
  ['1st April 2026', '2026-04-01T00:00:00Z'],
  ['06th June 2025', '2025-06-06T00:00:00Z'],
  ['21th November 2025', '2025-11-21T00:00:00Z'],
  ['March 25, 2026', '2026-03-25T00:00:00Z'],
  ['march 25th, 2026', '2026-03-25T00:00:00Z'],
  ['16 Sept 2025', '2025-09-16T00:00:00Z'],
  ['Sep. 16, 2025', '2025-09-16T00:00:00Z'],
  ['2  May\n2025', '2025-05-02T00:00:00Z'],
])('the timestamp %j is read as %s', (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected);
});

test.each(
  [
    ['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '31st April 2026', '0 May 2025'],
    [
      '2026-03-25T24:00:00Z',
      '2026-03-25T10:60:00Z',
      '2026-03-25T10:20:61Z',
      '2026-03-25T10:20:30+24:00',
    ],
    ['9999-12-31T23:00:00-05:00', 'Sun, 31 Feb 2026 08:49:37 GMT'],
    // Days that mean another day elsewhere.
    [
      '01/02/2025',
      '1.2.2025',
      '01-02-2025',
      '2025/02/01',
      '20250201',
      '1767225600',
      '25 Märc 2026',
      '25 M 2026',
    ],
    [
      '',
      'yesterday',
      'Unreleased',
      '2026',
      'March 2026',
      '2026-03-25T',
      '2026-03-25 and more',
      'x 2026-03-25',
    ],
  ].flat(),
)('%j is not a timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});

test('every instant is read to the second', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (instant) => {
      expect(parseTimestamp(instant.toISOString())).toBe(`${instant.toISOString().slice(0, 19)}Z`);
    }),
  );
});
