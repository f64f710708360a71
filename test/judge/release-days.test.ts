import { expect, test } from 'vitest';
import type { Day, DayRange } from '../../src/core/day.ts';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import type { Listed } from '../../src/judge/listed-releases.ts';
import {
  findFirstDay,
  findIgnoredDay,
  findReleaseDay,
  isExact,
  narrow,
} from '../../src/judge/release-days.ts';

/** Returns a listed release of which only the day and these facts are known. */
function listed(day: Day | undefined, recorded: Partial<RecordedRelease>): Listed {
  return { day, recorded } as unknown as Listed;
}

test.each<[string, day: Day | undefined, recorded: Partial<RecordedRelease>, expected: DayRange]>([
  ['an exact day', '2026-03-09', { timestampKind: 'published' }, { from: '2026-03-09' }],
  [
    'an observed day',
    '2026-03-09',
    { timestampKind: 'observed', notBefore: '2026-03-07' },
    { from: '2026-03-07', atMost: '2026-03-09' },
  ],
  [
    'an observed day without an earlier answer',
    '2026-03-09',
    { timestampKind: 'observed' },
    { from: undefined, atMost: '2026-03-09' },
  ],
  [
    'no day',
    undefined,
    { firstSeen: '2026-03-10', notBefore: '2026-03-07' },
    { from: '2026-03-07', atMost: '2026-03-10' },
  ],
  ['nothing', undefined, {}, {}],
])('the release day from %s', (_, day, recorded, expected) => {
  expect(findReleaseDay(listed(day, recorded))).toEqual(expected);
});

test.each<[Partial<RecordedRelease>, Day | undefined]>([
  [{ timestampKind: 'observed', ignoredDay: '2026-01-01' }, '2026-01-01'],
  [{ timestampKind: 'published', ignoredDay: '2026-01-01' }, undefined],
  [{ timestampKind: 'observed' }, undefined],
])('the ignored day of %j is %s', (recorded, expected) => {
  expect(findIgnoredDay(listed('2026-03-09', recorded))).toBe(expected);
});

test.each<[string, days: DayRange[], expected: DayRange]>([
  ['no release', [], {}],
  ['exact days', [{ from: '2026-03-01' }, { from: '2026-04-01' }], { from: '2026-03-01' }],
  [
    'a backport that came before',
    [{ from: '2026-03-01' }, { from: '2026-02-01' }],
    { from: '2026-02-01' },
  ],
  [
    'an uncertain day before an exact one',
    [{ from: '2026-03-01', atMost: '2026-03-09' }, { from: '2026-03-05' }],
    { from: '2026-03-01', atMost: '2026-03-05' },
  ],
  [
    'an uncertain day after the first exact one',
    [{ from: '2026-03-01' }, { from: '2026-03-05', atMost: '2026-03-09' }],
    { from: '2026-03-01' },
  ],
  ['an unknown day', [{}, { from: '2026-03-05' }], { from: undefined, atMost: '2026-03-05' }],
])('the first day of a line with %s', (_, days, expected) => {
  expect(findFirstDay(days)).toEqual(expected);
});

test.each<[DayRange, boolean]>([
  [{ from: '2026-03-01' }, true],
  [{ from: '2026-03-01', atMost: '2026-03-09' }, false],
  [{ atMost: '2026-03-09' }, false],
  [{}, false],
])('%j is an exact day: %s', (range, expected) => {
  expect(isExact(range)).toBe(expected);
});

test.each<[bounds: (Day | undefined)[], atMost: Day | undefined, expected: DayRange]>([
  [
    ['2026-03-05', '2026-03-01', undefined],
    '2026-03-09',
    { from: '2026-03-05', atMost: '2026-03-09' },
  ],
  [['2026-03-10', '2026-03-01'], '2026-03-09', { from: '2026-03-01', atMost: '2026-03-09' }],
  [['2026-03-09'], '2026-03-09', { from: '2026-03-09' }],
  [[], '2026-03-09', { from: undefined, atMost: '2026-03-09' }],
  [['2026-03-01'], undefined, { from: undefined }],
])('the bounds %j narrow a range that ends on %s', (bounds, atMost, expected) => {
  expect(narrow(bounds, atMost)).toEqual(expected);
});
