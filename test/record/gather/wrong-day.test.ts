import { expect, test } from 'vitest';
import { addDays, toDay } from '../../../src/core/dates.ts';
import { wrongClock } from '../../../src/record/gather/wrong-day.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { npmRegistry } from '../../harness/npm-registry.ts';
import { definition, filesIn, makeRoot, readJsonIn } from '../../harness/root.ts';

const today = toDay(new Date());

/** An index with a component that was last asked on 2026-06-01. */
async function gathered() {
  const registry = await npmRegistry({ agent: { '1.0.0': {} } });
  const sources = [{ datasource: 'npm', packageName: 'agent', registryUrl: registry.url }];
  const root = makeRoot({
    'components/edge-node.json': definition(),
    'components/svc.json': definition({ sources }),
    'data/edge-node.json': { releases: [{ version: '1.0', firstSeen: '2026-03-01' }] },
  });
  const gather = (day: string) => runCli(['gather', '--root', root, '--as-of', day]);
  await gather('2026-06-01');
  registry.packages.set('agent', { '1.0.0': {}, '1.1.0': { at: '2026-05-30T00:00:00.000Z' } });
  registry.requests.length = 0;
  return { registry, root, gather };
}

test.each([
  {
    day: '2020-01-01',
    says:
      'expected a day from 2026-06-01 on, which is recorded in data/svc.json; got 2020-01-01. No source was asked, nothing recorded. ' +
      'Correct the clock or --as-of, or that file if it was recorded with a wrong clock.',
  },
  {
    day: addDays(today, 1),
    says: `expected a day up to today, ${today}; got ${addDays(today, 1)}. No source was asked, nothing recorded.`,
  },
  {
    day: '2090-01-01',
    says: `expected a day up to today, ${today}; got 2090-01-01. No source was asked, nothing recorded.`,
  },
])('rejects a run for $day, and records nothing', async ({ day, says }) => {
  const { registry, root, gather } = await gathered();
  const before = filesIn(`${root}/data`);

  const run = await gather(day);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr)).toEqual([`error: gather: ${says}`]);
  expect(registry.requests).toEqual([]);
  expect(filesIn(`${root}/data`)).toEqual(before);
});

test('accepts a run on the last recorded day, or on a later one', async () => {
  const { gather } = await gathered();

  for (const day of ['2026-06-01', '2026-06-02']) expect((await gather(day)).status).toBe(0);
});

test('a source with only later days is no answer for an earlier day, and a problem in status.json', async () => {
  const registry = await npmRegistry({ agent: { '1.0.0': { at: '2026-05-30T00:00:00.000Z' } } });
  const sources = [{ datasource: 'npm', packageName: 'agent', registryUrl: registry.url }];
  const root = makeRoot({
    'components/svc.json': definition({ sources }),
    'components/unadmitted.json': definition({ sources: [{ ...sources[0], allowedVersions: '>=2' }] }),
  });
  const early = await runCli(['gather', '--record-freshness', '--root', root, '--as-of', '2020-01-01']);
  const built = await runCli(['build', '--root', root, '--as-of', '2020-01-01']);

  expect([early.status, built.status]).toEqual([0, 0]);
  expect(linesOf(early.stderr)).toContain(
    'warning: svc (npm:agent): npm:agent states no day before 2026-05-30, so its releases on 2020-01-01 are unknown. No release of it is recorded yet.',
  );
  const { components } = readJsonIn<{ components: object }>(root, 'dist/status.json');
  expect(components).toMatchObject({
    svc: { state: 'stale', releases: 0, troubles: [{ kind: 'failed', failures: 1 }] },
    unadmitted: {
      state: 'stale',
      troubles: [
        {
          kind: 'failed',
          reason: 'npm:agent lists 1 name, none of which the definition admits: allowedVersions leaves out 1',
        },
      ],
    },
  });
  const later = await runCli(['gather', '--root', root, '--as-of', '2026-06-01']);
  expect(later.stdout).toContain('svc 1.0.0: new');
});

test('rejects a clock that is ahead of upstreams and the last commit, and names their day', () => {
  const upstream = '2027-08-29';

  expect(wrongClock('2028-08-29', upstream, '2027-08-28')?.message).toBe(
    'is ahead: it shows 2028-08-29, upstreams state 2027-08-29, and the last commit is of 2027-08-28. ' +
      'Nothing was recorded. Correct it, or name the day: --as-of 2027-08-29',
  );
  expect(wrongClock('2027-08-30', upstream, undefined)).toBeUndefined();
  expect(wrongClock('2027-09-30', upstream, '2027-09-29')).toBeUndefined();
  expect(wrongClock('2028-08-29', undefined, '2027-08-28')).toBeUndefined();
});
