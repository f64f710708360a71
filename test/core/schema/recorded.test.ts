import { expect, test } from 'vitest';
import { addDays, today } from '../../../src/core/day.ts';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { Decision, OrderedLine, Recorded } from '../../../src/core/schema/recorded.ts';
import { Instant, PastDay } from '../../../src/core/schema/scalars.ts';

const free = { name: 'support', until: '2027-01-01' };
const later = { name: 'security', until: '2028-01-01' };
const paid = { name: 'extended', until: '2029-01-01', paid: true };

test.each<[phases: object[], isValid: boolean]>([
  [[free], true],
  [[free, later, paid], true],
  [[free, { ...later, until: free.until }], true],
  [[free, { ...paid, until: undefined }], true],
  [[], false],
  [[later, free], false],
  [[free, later, { ...paid, until: '2027-06-01' }], false],
  [[free, paid, { ...later, until: '2030-01-01' }], false],
  [[paid], false],
])('a line with the phases %j is in order: %s', (phases, isValid) => {
  expect(OrderedLine.safeParse({ line: '1.0', phases }).success).toBe(isValid);
});

test.each<[keys: object, isValid: boolean]>([
  [{}, true],
  [{ component: 'svc', kind: 'loss' }, true],
  [{ kind: 'loss' }, true],
  [{ component: 'svc' }, false],
])('a decision with %j is valid: %s', (keys, isValid) => {
  const decision = { id: 'svc-1', at: '2026-01-01T00:00:00Z', by: 'Jane', ...keys };

  expect(describeProblems(decision, Decision)).toEqual(
    isValid ? [] : ['kind: expected the kind of its hold'],
  );
});

test('a release without sources has the source of its file', () => {
  const releases = [{ version: '1.0' }];

  expect(Recorded.safeParse({ releases }).success).toBe(false);
  expect(Recorded.parse({ releases, source: 'npm:svc' }).releases).toMatchObject([
    { sources: ['npm:svc'] },
  ]);
  expect(Recorded.parse({ releases: [{ version: '1.0', sources: [] }] }).releases).toHaveLength(1);
});

test('a recorded day may be at most one day ahead', () => {
  const isValid = (day: string) => PastDay.safeParse(day).success;

  expect(['2000-01-01', today(), addDays(today(), 1)].map(isValid)).toEqual([true, true, true]);
  expect([addDays(today(), 2), '9999-01-01'].map(isValid)).toEqual([false, false]);
  expect(Instant.safeParse('2026-01-01').success).toBe(false);
});
