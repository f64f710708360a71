import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  dayOf,
  daysBetween,
  isDay,
  isoWeek,
  startOfWeek,
  toDay,
  toTimestamp,
} from '../../src/core/dates.ts';

const day = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true })
  .map(toDay);

describe('calendar months', () => {
  test.each([
    ['2025-04-08', 18, '2026-10-08'],
    ['2024-08-31', 6, '2025-02-28'],
    ['2023-08-31', 6, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2025-08-31', 18, '2027-02-28'],
    ['2026-08-31', 18, '2028-02-29'],
    ['2025-12-31', 2, '2026-02-28'],
    ['2025-12-31', 1, '2026-01-31'],
    ['2025-03-31', 1, '2025-04-30'],
    ['2025-11-30', 3, '2026-02-28'],
    ['2099-12-31', 2, '2100-02-28'],
    ['1999-12-31', 2, '2000-02-29'],
    ['2025-12-01', 1, '2026-01-01'],
    ['2025-01-31', 12, '2026-01-31'],
  ])('%s and %i months: %s', (from, months, to) => {
    expect(addMonths(from, months)).toBe(to);
  });

  test('a later start never ends earlier, and the day exists', () => {
    fc.assert(
      fc.property(day, day, fc.integer({ min: 1, max: 1200 }), (a, b, months) => {
        const [first, second] = [a, b].sort() as [string, string];
        expect(addMonths(first, months) <= addMonths(second, months)).toBe(true);
        expect(isDay(addMonths(first, months))).toBe(true);
      }),
    );
  });

  test('a day that every month has stays what it is', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 600 }), (from, months) => {
        const early = `${from.slice(0, 8)}15`;
        expect(addMonths(early, months).slice(8)).toBe('15');
      }),
    );
  });
});

test('days are counted across months and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2025-02-28', 1)).toBe('2025-03-01');
  expect(addDays('2025-01-01', -1)).toBe('2024-12-31');
  fc.assert(
    fc.property(day, fc.integer({ min: -2000, max: 2000 }), (from, days) => {
      expect(daysBetween(from, addDays(from, days))).toBe(days);
    }),
  );
});

test.each([
  ['2024-12-29', '2024-W52'],
  ['2024-12-30', '2025-W01'],
  ['2026-01-01', '2026-W01'],
  ['2026-12-31', '2026-W53'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2021-01-03', '2020-W53'],
])('%s lies in week %s', (text, week) => {
  expect(isoWeek(text)).toBe(week);
});

test('a week begins on a Monday, and its name grows from one to the next', () => {
  fc.assert(
    fc.property(day, (any) => {
      const monday = startOfWeek(any);

      expect(new Date(monday).getUTCDay()).toBe(1);
      expect(daysBetween(monday, any)).toBeLessThan(7);
      expect(isoWeek(monday)).toBe(isoWeek(any));
      expect(isoWeek(addDays(monday, 7)) > isoWeek(any)).toBe(true);
    }),
  );
});

test.each([
  ['2024-02-29', true],
  ['2025-02-29', false],
  ['2100-02-29', false],
  ['2000-02-29', true],
  ['2025-02-30', false],
  ['2025-13-01', false],
  ['2025-00-10', false],
  ['2025-01-00', false],
  ['2025-1-1', false],
  ['2025-01-01T00:00:00Z', false],
  ['', false],
])('whether "%s" is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test('a day is the instant it begins at, and an instant loses its fraction of a second', () => {
  expect(toTimestamp('2024-08-19')).toBe('2024-08-19T00:00:00Z');
  expect(toTimestamp('2024-08-19T09:30:00Z')).toBe('2024-08-19T09:30:00Z');
  expect(toTimestamp('2024-08-19T09:30:00.123Z')).toBe('2024-08-19T09:30:00Z');
  expect(dayOf('2024-08-19T23:59:59Z')).toBe('2024-08-19');
});
