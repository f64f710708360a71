import { expect, test } from 'vitest';
import {
  compareOrdered,
  readSpan,
  readValue,
  type FieldType,
  type Span,
} from '../../../src/ask/query/values.ts';
import { readVersion } from '../../../src/core/version.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const day = 86_400_000;

/** Returns the first and the last instant that a text stands for. */
function readDays(text: string): string[] | undefined {
  return readSpan('Timestamp', text, now)?.map((time) => new Date(time as number).toJSON());
}

test.each([
  ['2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['2026-02', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ['today', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
  ['Today', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
  ['2026-01-31T10:30', '2026-01-31T10:30:00.000Z', '2026-01-31T10:30:59.999Z'],
  ['2026-01-31t10:30:15z', '2026-01-31T10:30:15.000Z', '2026-01-31T10:30:15.999Z'],
  ['2026-01-31T10:30:15.2', '2026-01-31T10:30:15.200Z', '2026-01-31T10:30:15.299Z'],
  ['2026-01-31T10:30:15.25', '2026-01-31T10:30:15.250Z', '2026-01-31T10:30:15.259Z'],
  ['2026-01-31T10:30:15.256', '2026-01-31T10:30:15.256Z', '2026-01-31T10:30:15.256Z'],
  ['2026-01-31T23:30+02:00', '2026-01-31T21:30:00.000Z', '2026-01-31T21:30:59.999Z'],
  ['-12h', '2026-11-20T00:00:00.000Z', '2026-11-20T23:59:59.999Z'],
  ['-5d', '2026-11-15T12:00:00.000Z', '2026-11-15T12:00:00.000Z'],
  ['+36h', '2026-11-22T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
])('the time %s stands for %s to %s', (text, first, last) => {
  expect(readDays(text)).toEqual([first, last]);
});

test.each([
  '2026-13',
  '2026-00',
  '2026-02-30',
  '2026-01-31T24:00',
  '2026-01-31T10:60',
  '2026-01-31T10:30:60',
  '2026-01-31T10:30+24:00',
  '26',
  '-5',
  '-x',
  'yesterday',
  '',
])('%j is no time', (text) => {
  expect(readDays(text)).toBeUndefined();
});

test.each<[type: FieldType, text: string, value: number | undefined]>([
  ['Duration', '90d', 90 * day],
  ['Duration', '1d12h', 1.5 * day],
  ['Duration', '2w', 14 * day],
  ['Duration', '3mo', 90 * day],
  ['Duration', '1y', 365 * day],
  ['Duration', '1m', 60_000],
  ['Duration', '1s500ms', 1500],
  ['Duration', 'P90D', 90 * day],
  ['Duration', 'P1Y2M3W4D', (365 + 60 + 21 + 4) * day],
  ['Duration', 'PT1H2M3S', 3_723_000],
  ['Duration', 'P1MT1M', 30 * day + 60_000],
  ['Duration', 'P1,5D', 1.5 * day],
  ['Duration', 'PT0.0004S', 0],
  ['Duration', `${'1d'.repeat(25)}`, 25 * day],
  ['Duration', `${'1d'.repeat(26)}`, undefined],
  ['Duration', 'P', undefined],
  ['Duration', 'P1DT', undefined],
  ['Duration', '1.5d', undefined],
  ['Duration', 'P1.5.5D', undefined],
  ['Duration', '90', undefined],
  ['Number', '10', 10],
  ['Number', '1.5', 1.5],
  ['Number', '999999999999999', 999_999_999_999_999],
  ['Number', '1000000000000000', undefined],
  ['Number', '-1', undefined],
  ['Number', '1e3', undefined],
  ['Storage size', '10', 10],
  ['Storage size', '10b', 10],
  ['Storage size', '1.5gi', 1.5 * 1024 ** 3],
  ['Storage size', '1.005KB', 1005],
  ['Storage size', '500mb', 500_000_000],
  ['Storage size', '2t', 2e12],
  ['Storage size', '1i', undefined],
  ['Storage size', '1.5.5k', undefined],
  ['Timestamp', '2026-01-31T00:00:00Z', Date.parse('2026-01-31')],
  ['String', 'text', undefined],
])('the %s %s is %s', (type, text, value) => {
  expect(readValue(type, text)).toBe(value);
});

test('a number in a row is a value, but a flag is not', () => {
  expect(readValue('Number', 3)).toBe(3);
  expect(readValue('Number', true)).toBeUndefined();
  expect(readValue('Number', undefined)).toBeUndefined();
});

test('a number or a version stands only for itself', () => {
  expect(readSpan('Number', '3', now)).toEqual([3, 3]);
  expect(readSpan('Number', 'x', now)).toBeUndefined();
  const [first, last] = readSpan('Version', '2025.3', now) as Span;
  expect(first).toEqual(readVersion('2025.3'));
  expect(last).toBe(first);
});

test('numbers and versions are compared in their order', () => {
  expect(compareOrdered(1, 2)).toBeLessThan(0);
  expect(compareOrdered(2, 2)).toBe(0);
  expect(compareOrdered(readVersion('1.10'), readVersion('1.9'))).toBeGreaterThan(0);
});
