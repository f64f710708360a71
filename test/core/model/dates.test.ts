import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDays,
  addMonths,
  countDaysSinceEpoch,
  cutDay,
  countDaysBetween,
  findLatestDay,
  formatDay,
  formatDays,
  hasCome,
  isDay,
  newestFirst,
  oldestFirst,
  splitDays,
  startOfQuarter,
  startOfWeek,
  toDay,
  toTimestamp,
} from '../../../src/core/model/dates.ts';

const day = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2199-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  .map(toDay);

test.each([
  ['2025-04-08', 18, '2026-10-08'],
  ['2024-08-31', 6, '2025-02-28'],
  ['2023-08-31', 6, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2024-02-29', 48, '2028-02-29'],
  ['2026-08-31', 18, '2028-02-29'],
  ['2025-12-31', 1, '2026-01-31'],
  ['2025-03-31', 1, '2025-04-30'],
  ['2099-12-31', 2, '2100-02-28'],
  ['1999-12-31', 2, '2000-02-29'],
])('%s and %i months are %s', (from, months, to) => {
  expect(addMonths(from, months)).toBe(to);
});

test('months later, a later start never ends earlier, and a day that every month has stays', () => {
  fc.assert(
    fc.property(day, day, fc.integer({ min: 1, max: 1200 }), (a, b, months) => {
      const [first, second] = [a, b].sort() as [string, string];
      expect(addMonths(first, months) <= addMonths(second, months)).toBe(true);
      expect(isDay(addMonths(first, months))).toBe(true);
      expect(addMonths(`${a.slice(0, 8)}15`, months).slice(8)).toBe('15');
    }),
  );
});

test('days are counted across months and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29');
  expect(addDays('2025-02-28', 1)).toBe('2025-03-01');
  expect(addDays('2025-01-01', -1)).toBe('2024-12-31');
  fc.assert(
    fc.property(day, fc.integer({ min: -2000, max: 2000 }), (from, days) => {
      expect(countDaysBetween(from, addDays(from, days))).toBe(days);
    }),
  );
});

test('a week begins on a Monday', () => {
  fc.assert(
    fc.property(day, (any) => {
      const monday = startOfWeek(any);

      expect(new Date(monday).getUTCDay()).toBe(1);
      expect(countDaysBetween(monday, any)).toBeLessThan(7);
    }),
  );
});

const digits = (max: number, width: number) =>
  fc.nat(max).map((value) => String(value).padStart(width, '0'));

test('a day exists exactly where the clock of the language has it', () => {
  fc.assert(
    fc.property(digits(9999, 4), digits(15, 2), digits(35, 2), (year, month, day) => {
      const date = new Date(0);
      date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));

      const text = `${year}-${month}-${day}`;
      expect(isDay(text)).toBe(date.toISOString().slice(0, 10) === text);
    }),
    {
      numRuns: 5000,
      examples: [
        ['2100', '02', '29'],
        ['2000', '02', '29'],
        ['2025', '02', '30'],
      ],
    },
  );
});

test.each([
  '2025-1-1',
  '2026-01-1',
  '02026-01-01',
  '2026-01-01\n',
  ' 2026-01-01',
  '2025-01-01T00:00:00Z',
  '',
])('%j is not a day', (text) => {
  expect(isDay(text)).toBe(false);
});

test('a day is the instant it begins at, and an instant loses its fraction of a second', () => {
  expect(toTimestamp('2024-08-19')).toBe('2024-08-19T00:00:00Z');
  expect(toTimestamp('2024-08-19T09:30:00Z')).toBe('2024-08-19T09:30:00Z');
  expect(toTimestamp('2024-08-19T09:30:00.123Z')).toBe('2024-08-19T09:30:00Z');
  expect(cutDay('2024-08-19T23:59:59Z')).toBe('2024-08-19');
});

test('days are counted from 1970', () => {
  expect(['1970-01-01', '1970-01-03', '2026-01-01'].map(countDaysSinceEpoch)).toEqual([
    ...[0, 2, 20_454],
  ]);
});

test('days have an order, and a latest one', () => {
  const days = ['2026-01-02', '2025-12-31', '2026-01-02', '2026-03-01'];

  expect(days.toSorted(oldestFirst)).toEqual(days.toSorted());
  expect(days.toSorted(newestFirst)).toEqual(days.toSorted().reverse());
  expect(oldestFirst('2026-01-02', '2026-01-02')).toBe(0);
  expect(findLatestDay('2026-01-02', '2025-12-31')).toBe('2026-01-02');
  expect(findLatestDay('2026-01-02', '2026-03-01', '2026-02-01')).toBe('2026-03-01');
});

test.each<[string | undefined, string | undefined, boolean | undefined]>([
  ['2026-06-30', undefined, true],
  ['2026-07-01', undefined, false],
  ['2026-06-01', '2026-06-30', true],
  ['2026-06-01', '2026-07-01', undefined],
  ['2026-06-30', '2026-07-01', undefined],
  ['2026-07-01', '2026-08-01', false],
  [undefined, '2026-06-30', true],
  [undefined, '2026-07-01', undefined],
  [undefined, undefined, undefined],
])('what comes on %s, or up to %s, has come on 30 June 2026: %s', (earliest, latest, expected) => {
  expect(hasCome(earliest, latest, '2026-06-30')).toBe(expected);
});

test.each([
  ['2026-01-01', '2026-01-01'],
  ['2026-03-31', '2026-01-01'],
  ['2026-04-01', '2026-04-01'],
  ['2026-12-31', '2026-10-01'],
])('the quarter of %s begins on %s', (of, start) => {
  expect(startOfQuarter(of)).toBe(start);
});

test('a text is split into its days and the rest, and days are written for people', () => {
  expect(splitDays('2026-01-05 or 2026-02-30.')).toEqual([
    { text: '2026-01-05', isDay: true },
    { text: ' or ', isDay: false },
    { text: '2026-02-30', isDay: false },
    { text: '.', isDay: false },
  ]);
  expect(['2026-01-05', '2026-05-31', '2026-12-24'].map(formatDay)).toEqual([
    '5 Jan 2026',
    '31 May 2026',
    '24 Dec 2026',
  ]);
  expect(formatDays('from 2026-01-05 to 2026-02-30.')).toBe('from 5 Jan 2026 to 2026-02-30.');
  expect(formatDays('(2026-01-05), 2026-01-05.')).toBe('(5 Jan 2026), 5 Jan 2026.');
  expect(formatDays('2026-01-05.1 and 2026-01-05-rc1')).toBe('2026-01-05.1 and 2026-01-05-rc1');
});

test('no day is after the year 9999, beyond which days would not compare as strings', () => {
  expect(addDays('9999-12-31', 1)).toBe('9999-12-31');
  expect(addMonths('9999-12-31', 3)).toBe('9999-12-31');
});
