import { expect, test } from 'vitest';
import { toDay } from '../../src/core/model/dates.ts';
import { findClockAhead, findWrongDay } from '../../src/run/clock.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { checkout } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { runWith } from '../harness/site.ts';
import { npmIndex } from '../harness/npm-registry.ts';
import { filesIn, makeRoot, readJsonIn, withGit } from '../harness/root.ts';

const today = toDay(new Date());

test('rejects a day before the last run and one after today, before anybody is asked and anything is saved', async () => {
  const { registry, root, run } = await npmIndex({ svc: { '1.0.0': {} } });
  withGit(root);
  await run(['gather', '--as-of', '2026-06-01']);
  // A run that asked no source.
  await run(['record', '--as-of', '2026-06-03']);
  registry.packages.set('svc', { '1.0.0': {}, '1.1.0': {} });
  registry.requests.length = 0;
  const before = filesIn(`${root}/data`);

  for (const verb of ['gather', 'record', 'plan']) {
    const [early, late] = [
      await run([verb, '--as-of', '2026-06-02']),
      await run([verb, '--as-of', '2090-01-01']),
    ];

    expect([early.status, late.status], verb).toEqual([1, 1]);
    expect(linesOf(early.stderr), verb).toContain(
      'error: clock: expected a day from 2026-06-03 on, that of the last run; got 2026-06-02. Nothing was recorded. ' +
        'Correct the clock or --as-of. If the last run had a wrong clock: git revert its commit',
    );
    expect(linesOf(late.stderr), verb).toContain(
      `error: clock: expected a day up to today, ${today}; got 2090-01-01. Nothing was recorded.`,
    );
  }
  expect([registry.requests, filesIn(`${root}/data`)]).toEqual([[], before]);
});

test.each([
  ['2026-05-31', 'a day from 2026-06-01 on'],
  ['2026-06-01', undefined],
  ['2026-06-30', undefined],
  ['2026-07-01', 'a day up to today, 2026-06-30'],
])('after a run of 2026-06-01, on 2026-06-30, a run for %s expects %s', (day, expected) => {
  const line = JSON.stringify({ ...runWith([]), waits: undefined, asOf: '2026-06-01' });
  const dir = makeRoot({ 'data/runs/2026.ndjson': `${line}\n` });
  const [found] = findWrongDay(openRoot(dir, checkout), day, '2026-06-30');

  expect(/a day .*?(?=[,;] (?:that of|got))/.exec(found?.message ?? '')?.[0]).toBe(expected);
});

test('a source with only later plausible days is no answer for an earlier day, which the site shows', async () => {
  const { root, run } = await npmIndex({
    svc: {
      '0.9.0': { at: '1970-01-01T00:00:00.000Z' },
      '1.0.0': { at: '2026-05-30T00:00:00.000Z' },
    },
  });
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
