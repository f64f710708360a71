import { expect, test } from 'vitest';
import { toDay } from '../../src/core/model/dates.ts';
import { findClockAhead, findWrongDay } from '../../src/run/clock.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { checkout } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { npmIndex } from '../harness/npm-registry.ts';
import { filesIn, makeRoot, readJsonIn } from '../harness/root.ts';

const today = toDay(new Date());

test('rejects a run for another day than the clock allows or the data has, before it asks anybody', async () => {
  const { registry, root, run } = await npmIndex({ svc: { '1.0.0': {} } });
  const gather = (day: string) => run(['gather', '--as-of', day]);
  await gather('2026-06-01');
  registry.requests.length = 0;
  const before = filesIn(`${root}/data`);

  const [early, late] = [await gather('2020-01-01'), await gather('2090-01-01')];

  expect([early.status, late.status]).toEqual([1, 1]);
  expect(linesOf(early.stderr)).toEqual([
    'error: clock: expected a day from 2026-06-01 on, which is recorded in data/svc.json; got 2020-01-01. No source was asked, nothing recorded. ' +
      'Correct the clock or --as-of, or that file if it was recorded with a wrong clock.',
  ]);
  expect(linesOf(late.stderr)).toEqual([
    `error: clock: expected a day up to today, ${today}; got 2090-01-01. No source was asked, nothing recorded.`,
  ]);
  expect([registry.requests, filesIn(`${root}/data`)]).toEqual([[], before]);
});

test.each([
  ['2026-05-31', 'a day from 2026-06-01 on'],
  ['2026-06-01', undefined],
  ['2026-06-30', undefined],
  ['2026-07-01', 'a day up to today, 2026-06-30'],
])('of data up to 2026-06-01, on 2026-06-30, a run for %s expects %s', (day, expected) => {
  const dir = makeRoot({
    'data/svc.json': { releases: [{ version: '1.0', firstSeen: '2026-03-01' }] },
    'data/freshness/svc.json': { sources: { 'npm:x': { since: '2026-06-01' } } },
  });
  const found = findWrongDay(openRoot(dir, checkout), ['svc'], day, '2026-06-30');

  expect(/a day .*?(?=[,;] (?:which|got))/.exec(found?.message ?? '')?.[0]).toBe(expected);
});

test('a source with only later days is no answer for an earlier day, which the site shows', async () => {
  const { root, run } = await npmIndex({ svc: { '1.0.0': { at: '2026-05-30T00:00:00.000Z' } } });
  const early = await run(['gather', '--as-of', '2020-01-01']);
  await run(['build', '--as-of', '2020-01-01']);
  const later = await run(['gather', '--as-of', '2026-06-01']);

  expect(linesOf(early.stderr)).toContain(
    'warning: svc (npm:svc): npm:svc states no day before 2026-05-30, so its releases on 2020-01-01 are unknown. Recorded data stays.',
  );
  expect(readJsonIn(root, 'dist/status.json')).toMatchObject({
    components: {
      svc: { state: 'stale', releases: 0, troubles: [{ kind: 'failed', failures: 1 }] },
    },
  });
  expect(later.stdout).toContain('svc 1.0.0: new');
});

test('rejects a clock that is ahead of upstreams and the last commit, and names their day', () => {
  const upstream = '2027-08-29';

  expect(findClockAhead('2028-08-29', upstream, '2027-08-28')?.message).toBe(
    'is ahead: it shows 2028-08-29, upstreams state 2027-08-29, and the last commit is of 2027-08-28. ' +
      'Nothing was recorded. Correct it, or name the day: --as-of 2027-08-29',
  );
  expect(findClockAhead('2027-08-30', upstream, undefined)).toBeUndefined();
  expect(findClockAhead('2027-09-30', upstream, '2027-09-29')).toBeUndefined();
  expect(findClockAhead('2028-08-29', undefined, '2027-08-28')).toBeUndefined();
});
