import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  countDays,
  createRange,
  describeRange,
  findEarliest,
  hasCome,
  isDay,
  isUnknown,
  mapRange,
  toDay,
  toLaterInstant,
  toTimestamp,
} from '../../src/core/day.ts';

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map(toDay);

test.each([
  ['2025-04-08', 18, '2026-10-08'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2099-12-31', 2, '2100-02-28'],
  ['9999-12-31', 3, '9999-12-31'],
])('%s plus %i months is %s', (from, months, to) => {
  expect(addMonths(from, months)).toBe(to);
});

test('addMonths keeps the order of two dates, and returns valid dates', () => {
  fc.assert(
    fc.property(day, day, fc.integer({ min: 1, max: 1200 }), (a, b, months) => {
      const [first = '', second = ''] = [a, b].sort();

      expect(addMonths(first, months) <= addMonths(second, months)).toBe(true);
      expect(isDay(addMonths(first, months))).toBe(true);
      expect(addMonths(`${a.slice(0, 8)}15`, months).slice(8)).toBe('15');
    }),
  );
});

test('countDays returns the number of days that addDays added', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2025-01-01', -1)).toBe('2024-12-31');
  expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
  fc.assert(
    fc.property(day, fc.integer({ min: -2000, max: 2000 }), (from, days) => {
      expect(countDays(from, addDays(from, days))).toBe(days);
    }),
  );
});

test.each([
  ...['2025-1-1', '02026-01-01', '2026-01-01\n', ' 2026-01-01', ''],
  ...['2025-01-01T00:00:00Z', '2100-02-29', '2025-13-01', '2025-00-10'],
])('rejects %j as a date', (text) => {
  expect(isDay(text)).toBe(false);
});

test.each(['2000-02-29', '2025-12-31', '0001-01-01'])('accepts the date %s', (text) => {
  expect(isDay(text)).toBe(true);
});

test('toTimestamp converts a date to midnight UTC', () => {
  expect(toTimestamp('2024-08-19')).toBe('2024-08-19T00:00:00Z');
  expect(toTimestamp('2024-08-19T09:30:00Z')).toBe('2024-08-19T09:30:00Z');
  expect(toTimestamp('2024-08-19T09:30:00.123Z')).toBe('2024-08-19T09:30:00Z');
});

test('toLaterInstant returns an instant after the given instant, even if the clock went back', () => {
  const last = '2026-11-27T10:00:00.000Z';

  expect(toLaterInstant('2026-11-27T10:00:01.000Z', last)).toBe('2026-11-27T10:00:01.000Z');
  expect(toLaterInstant('2026-11-27T09:00:00.000Z', last)).toBe('2026-11-27T10:00:00.001Z');
  expect(toLaterInstant(last)).toBe(last);
});

test.each<[from: string | undefined, atMost: string | undefined, expected: boolean | undefined]>([
  ['2026-06-30', undefined, true],
  ['2026-07-01', undefined, false],
  ['2026-06-01', '2026-06-30', true],
  ['2026-06-01', '2026-07-01', undefined],
  [undefined, '2026-06-30', true],
  [undefined, '2026-07-01', undefined],
  [undefined, undefined, undefined],
])(
  'tells whether an event between %s and %s has happened by 30 June 2026',
  (from, atMost, expected) => {
    expect(hasCome({ from, atMost }, '2026-06-30')).toBe(expected);
  },
);

test('a range of dates is exact if both bounds are the same', () => {
  expect(createRange('2026-01-01', '2026-01-01')).toEqual({ from: '2026-01-01' });
  expect(createRange('2026-01-01', '2026-01-02')).toEqual({
    from: '2026-01-01',
    atMost: '2026-01-02',
  });
  expect(isUnknown(createRange(undefined, undefined))).toBe(true);
  expect([{ from: '2026-01-01' }, { atMost: '2026-01-01' }].map(isUnknown)).toEqual([false, false]);
  expect(
    mapRange({ from: '2025-12-30', atMost: '2025-12-31' }, (each) => addMonths(each, 2)),
  ).toEqual({ from: '2026-02-28' });
});

test.each([
  [{ from: '2027-12-30' }, '2027-12-30'],
  [{ from: '2027-10-01', atMost: '2027-12-30' }, 'between 2027-10-01 and 2027-12-30'],
  [{ atMost: '2027-12-30' }, 'on or before 2027-12-30'],
  [{}, 'an unknown day'],
])('describes the range %j in words', (range, words) => {
  expect(describeRange(range)).toBe(words);
});

test('the earliest of several days may be the last one, and unknown days do not count', () => {
  expect(findEarliest(['2026-03-01', undefined, '2026-01-01'])).toBe('2026-01-01');
  expect(findEarliest([undefined])).toBeUndefined();
});
