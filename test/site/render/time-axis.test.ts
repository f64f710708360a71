import { expect, test } from 'vitest';
import { position, timeAxis } from '../../../src/site/render/html/time-axis.ts';

test('a short time has a tick for each quarter, and names a year where it begins', () => {
  const axis = timeAxis('2026-02-14', '2027-12-31');

  expect([axis.start, axis.end, axis.days, axis.from]).toEqual(['2026-01-01', '2028-01-01', 730, 20_454]);
  expect(axis.ticks.map(({ year, quarter }) => year + quarter)).toEqual([
    '2026Q1',
    'Q2',
    'Q3',
    'Q4',
    '2027Q1',
    'Q2',
    'Q3',
    'Q4',
  ]);
  expect(axis.grid).toBe('M20544 0v1M20635 0v1M20727 0v1M20819 0v1M20909 0v1M21000 0v1M21092 0v1');
});

test('a year is named at the first tick, too', () => {
  expect(timeAxis('2026-10-01', '2027-01-01').ticks.map(({ year }) => year)).toEqual(['2026', '2027']);
});

test('a long time has whole years, and names as many as a narrow window can show', () => {
  const five = timeAxis('2022-11-01', '2026-03-01');
  const thirty = timeAxis('1997-05-05', '2026-12-31');

  expect([five.start, five.end]).toEqual(['2022-01-01', '2027-01-01']);
  expect(five.ticks.map(({ year, quarter }) => year + quarter)).toEqual([
    '2022',
    '2023',
    '2024',
    '2025',
    '2026',
  ]);
  expect(thirty.ticks.flatMap(({ year }) => year || [])).toEqual([
    '1997',
    '2001',
    '2005',
    '2009',
    '2013',
    '2017',
    '2021',
    '2025',
  ]);
  expect(thirty.grid.match(/M/g)).toHaveLength(29);
});

test('the day after the last is on the axis', () => {
  expect(timeAxis('2026-01-01', '2026-04-01').end).toBe('2026-07-01');
  expect(timeAxis('2026-01-01', '2026-03-31').end).toBe('2026-04-01');
});

test('a day lies at its share of the axis, and one beyond at the nearer end', () => {
  const axis = timeAxis('2026-01-01', '2027-12-31');

  expect(axis.ticks.map(({ at }) => at).slice(0, 3)).toEqual(['0%', '12.33%', '24.79%']);
  expect(position(axis, '2027-01-01')).toBe('50%');
  expect([position(axis, '1999-12-31'), position(axis, '2100-01-01')]).toEqual(['0%', '100%']);
});
