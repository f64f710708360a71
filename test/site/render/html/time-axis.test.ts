import { expect, test } from 'vitest';
import {
  computePercent,
  computeTicks,
  createTimeAxis,
} from '../../../../src/site/render/html/time-axis.ts';

const namesOf = (first: string, last: string) =>
  computeTicks(createTimeAxis(first, last))
    .flatMap(({ name }) => name || [])
    .join(' ');

test('a year by month has every month by name', () => {
  expect(namesOf('2026-11-01', '2027-06-30')).toBe('Oct Nov Dec 2027 Feb Mar Apr May Jun');
});

test('a short time has whole quarters, and names a year where it begins', () => {
  const axis = createTimeAxis('2026-02-14', '2027-12-31');

  expect(axis).toEqual({ start: '2026-01-01', end: '2028-01-01', days: 730 });
  expect(namesOf('2026-02-14', '2027-12-31')).toBe('2026 2027');
  expect(computeTicks(axis)).toHaveLength(8);
});

test('a year that has begun is named where there is room before the next', () => {
  expect(namesOf('2026-04-01', '2028-01-01')).toBe('2026 2027 2028');
  expect(namesOf('2026-10-01', '2028-01-01')).toBe('2027 2028');
});

test('a long time has whole years, and names as many as a narrow window can show', () => {
  const five = createTimeAxis('2021-11-01', '2026-03-01');

  expect([five.start, five.end]).toEqual(['2021-01-01', '2027-01-01']);
  expect(namesOf('2021-11-01', '2026-03-01')).toBe('2021 2022 2023 2024 2025 2026');
  expect(namesOf('1997-05-05', '2026-12-31')).toBe('1997 2001 2005 2009 2013 2017 2021 2025');
});

test('an end in the year 9999 ends the axis with the last day that has four digits', () => {
  expect(createTimeAxis('2024-01-01', '9999-12-31').end).toBe('9999-12-31');
  expect(namesOf('2024-01-01', '9999-12-31')).toMatch(/^2024 /);
});

test('the day after the last is on the axis', () => {
  expect(createTimeAxis('2026-01-01', '2026-04-01').end).toBe('2026-07-01');
  expect(createTimeAxis('2026-01-01', '2026-03-31').end).toBe('2026-04-01');
});

test('a day lies at its share of the axis, and one beyond at the nearer end', () => {
  const axis = createTimeAxis('2026-01-01', '2027-12-31');

  expect(['2026-04-01', '2027-01-01'].map((day) => computePercent(axis, day))).toEqual([12.33, 50]);
  expect([computePercent(axis, '1999-12-31'), computePercent(axis, '2100-01-01')]).toEqual([
    0, 100,
  ]);
});
